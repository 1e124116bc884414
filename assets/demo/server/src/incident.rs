//! A time during which a probe was down.

use chrono::{DateTime, Utc};

#[derive(Clone, Debug)]
pub struct Incident {
    pub probe: String,
    pub opened_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
    pub failures: u32,
}

impl Incident {
    pub fn now(probe: &str, failures: u32) -> Self {
        Self { probe: probe.to_owned(), opened_at: Utc::now(), closed_at: None, failures }
    }

    pub fn is_open(&self) -> bool {
        self.closed_at.is_none()
    }
}
