//! The private object store: made on first need, readable in process together with the repository's own.
//! Nothing in it is ever named by a ref.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use gix::objs::WriteTo;

use super::{
    Repository,
    refs::{Reading, object_id, oid},
    repository::quoted_alternate,
};
use crate::{
    report::{Doing, Report},
    shadow::Oid,
};

/// Makes the store where it is missing. Its alternate is written before it can be seen.
pub fn ensure(repository: &Repository) -> Result<(), Report> {
    let objects = repository.private_objects();
    let alternates = objects.join("info/alternates");
    if alternates.exists() {
        return Ok(());
    }
    fs::create_dir_all(objects.join("info")).doing(format!("make {}", objects.display()))?;
    let mut named = quoted_alternate(&repository.common_dir.join("objects"));
    named.push(b'\n');
    replace_file(&alternates, &named)
}

/// Writes beside and renames, so that a reader sees the old file or the new one.
pub fn replace_file(file: &Path, bytes: &[u8]) -> Result<(), Report> {
    let beside = beside(file);
    fs::write(&beside, bytes)
        .and_then(|()| fs::rename(&beside, file))
        .doing(format!("write {}", file.display()))
}

/// A name in the same directory that no other process or thread uses.
pub fn beside(file: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    file.with_file_name(name)
}

/// A handle for reading both stores, of one thread's own.
pub type Local = gix::Repository;

/// A handle of this thread's own that also reads the private store.
pub fn local(repository: &Repository) -> Result<Local, Report> {
    ensure(repository)?;
    let mut local = repository.local();
    let objects = gix::odb::at(repository.private_objects(), local.object_hash())
        .reading("the private object store")?;
    local.objects = gix::odb::memory::Proxy::new(objects, local.object_hash());
    Ok(local)
}

/// The bytes of a blob, from either store.
pub fn read_blob(local: &gix::Repository, id: &Oid) -> Result<Vec<u8>, Report> {
    let blob = local.find_object(object_id(id)).reading(format!("blob {id}"))?;
    Ok(blob.detach().data)
}

/// Writes one object into the private store; no process.
pub fn write_object(repository: &Repository, object: &dyn WriteTo) -> Result<Oid, Report> {
    ensure(repository)?;
    let hash = repository.local().object_hash();
    let store = gix::odb::loose::Store::at(repository.private_objects(), hash);
    let id = gix::objs::Write::write(&store, object).reading("back what was written")?;
    Ok(oid(id))
}

/// Whether the error says that a file is not there.
pub(super) fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
