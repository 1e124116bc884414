//! The rooms' rules.

#[test]
fn the_source_is_there() {
    assert!(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs").exists());
}
