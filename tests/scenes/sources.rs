//! The few files of the scenes, before and after.

pub const API_OLD: &str = r#"use std::time::Duration;

use crate::{config::Config, request::{Client, Request, Response, Url}};

/// Talks to one server.
pub struct Api {
    client: Client,
    limit: Duration,
    base: Url,
}

impl Api {
    pub fn new(config: &Config) -> Self {
        Self { client: Client::new(), limit: config.limit, base: config.base.clone() }
    }

    /// Where a path is asked for.
    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.push(path);
        url
    }

    fn call(&self, url: &Url) -> Result<Response> {
        self.client.get(url).send()
    }

    pub fn list(&self) -> Result<Vec<String>> {
        let response = self.call(&self.url("list"))?;
        let names = response.json::<Vec<String>>()?;
        Ok(names.into_iter().filter(|name| !name.is_empty()).collect())
    }

    pub fn remove(&self, name: &str) -> Result<()> {
        let url = self.url(&format!("remove/{name}"));
        let response = self.call(&url)?;
        if response.status() == 404 {
            return Ok(());
        }
        response.ok_or_else(|| Error::new("cannot remove", name))
    }
}
"#;

pub const API_NEW: &str = r#"use std::time::Duration;

use crate::{config::Config, request::{Client, Request, Response, Url}, retry::retry};

/// Talks to one server, and again when it stumbles.
pub struct Api {
    client: Client,
    limit: Duration,
    attempts: u32,
    base: Url,
}

impl Api {
    pub fn new(config: &Config) -> Self {
        Self {
            client: Client::new(),
            limit: config.limit,
            attempts: config.attempts.unwrap_or(3),
            base: config.base.clone(),
        }
    }

    /// Where a path is asked for.
    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.push(path);
        url
    }

    fn call(&self, url: &Url) -> Result<Response> {
        retry(self.attempts, || self.client.get(url).send())
    }

    pub fn list(&self) -> Result<Vec<String>> {
        let response = self.call(&self.url("list"))?;
        let names = response.json::<Vec<String>>()?;
        Ok(names.into_iter().filter(|name| !name.is_empty()).collect())
    }

    pub fn remove(&self, name: &str) -> Result<()> {
        let url = self.url(&format!("remove/{name}"));
        let response = self.call(&url)?;
        if matches!(response.status(), 404 | 410) {
            return Ok(());
        }
        response.ok_or_else(|| Error::new("cannot remove", name))
    }
}
"#;

/// What the target did meanwhile.
pub const API_TARGET: &str = r#"use std::time::Duration;

use crate::{config::Config, request::{Client, Request, Response, Url}};

/// Talks to one server.
pub struct Api {
    client: Client,
    limit: Duration,
    base: Url,
}

impl Api {
    pub fn new(config: &Config) -> Self {
        Self { client: Client::new(), limit: config.limit, base: config.base.clone() }
    }

    /// Where a path is asked for.
    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.push(path);
        url
    }

    fn call(&self, url: &Url) -> Result<Response> {
        self.client.get(url).timeout(self.limit).send()
    }

    pub fn list(&self) -> Result<Vec<String>> {
        let response = self.call(&self.url("list"))?;
        let names = response.json::<Vec<String>>()?;
        Ok(names.into_iter().filter(|name| !name.is_empty()).collect())
    }

    pub fn remove(&self, name: &str) -> Result<()> {
        let url = self.url(&format!("remove/{name}"));
        let response = self.call(&url)?;
        if response.status() == 404 {
            return Ok(());
        }
        response.ok_or_else(|| Error::new("cannot remove", name))
    }
}
"#;

pub const RETRY_NEW: &str = r"use std::{thread, time::Duration};

/// Calls until it works, at most `times` times; waits twice as long after each failure.
pub fn retry<T>(times: u32, mut call: impl FnMut() -> Result<T>) -> Result<T> {
    let mut wait = Duration::from_millis(50);
    for _ in 1..times {
        match call() {
            Err(error) if error.is_temporary() => thread::park_timeout(wait),
            other => return other,
        }
        wait *= 2;
    }
    call()
}
";

pub const CI_OLD: &str = "name: ci
on: [push, pull_request]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: cargo test --locked
      - run: cargo clippy -- -D warnings
      - run: cargo deny check
      - uses: actions/cache@v4
        with:
          path: target
";

pub const CI_NEW: &str = "name: ci
on: [push, pull_request]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: cargo test --locked
      - uses: actions/cache@v4
        with:
          path: target
";

pub const LOCK_OLD: &str = "# made by cargo\nversion = 4\n\n[[package]]\nname = \"api\"\n";
pub const LOCK_NEW: &str =
    "# made by cargo\nversion = 4\n\n[[package]]\nname = \"api\"\nversion = \"0.2.0\"\n";

pub const OLD_RS: &str = "use crate::request::Client;

/// Kept for callers of the first version.
pub struct Old {
    client: Client,
}

impl Old {
    fn go(&self) {
        self.client.ping();
    }
}
";

pub const OLD_RS_SHADOW: &str = "use crate::request::Client;

/// Kept for callers of the first version.
pub struct Old {
    client: Client,
}

impl Old {
    fn go(&self, limit: u32) {
        for _ in 0..limit {
            self.client.ping();
        }
    }
}
";
