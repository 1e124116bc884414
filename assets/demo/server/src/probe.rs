//! One question to one endpoint.

use std::time::{Duration, Instant};

use crate::config::Target;

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Up { status: u16, latency: Duration },
    Down { reason: String },
}

impl Outcome {
    pub fn is_up(&self) -> bool {
        matches!(self, Self::Up { .. })
    }
}

/// Asks once. A redirect counts as up, since someone answered.
pub async fn ask(client: &reqwest::Client, target: &Target, timeout: Duration) -> Outcome {
    let started = Instant::now();
    let answer = client.get(&target.url).timeout(timeout).send().await;
    match answer {
        Ok(response) if response.status().as_u16() < 400 => Outcome::Up {
            status: response.status().as_u16(),
            latency: started.elapsed(),
        },
        Ok(response) => Outcome::Down { reason: format!("status {}", response.status()) },
        Err(error) if error.is_timeout() => {
            Outcome::Down { reason: format!("no answer within {} s", timeout.as_secs()) }
        }
        Err(error) => Outcome::Down { reason: error.to_string() },
    }
}
