//! Decides when failures become an incident.

use crate::{incident::Incident, store::Store};

pub async fn consider(store: &Store, probe: &str, after_failures: u32) -> anyhow::Result<()> {
    let failures = store.failures_in_a_row(probe).await?;
    if is_incident(failures, after_failures) {
        store.open_incident(&Incident::now(probe, failures)).await?;
    }
    Ok(())
}

fn is_incident(failures: u32, after_failures: u32) -> bool {
    failures >= after_failures.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_is_not_an_incident() {
        assert!(!is_incident(1, 3));
        assert!(is_incident(3, 3));
    }
}
