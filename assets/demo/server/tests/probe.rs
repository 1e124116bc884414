use std::time::Duration;

use tideline_server::{config::Target, probe};

fn target(url: &str) -> Target {
    Target { name: "example".into(), url: url.into() }
}

#[tokio::test]
async fn a_closed_port_is_down() {
    let client = reqwest::Client::new();
    let outcome = probe::ask(&client, &target("http://127.0.0.1:9"), Duration::from_secs(1)).await;
    assert!(!outcome.is_up());
}
