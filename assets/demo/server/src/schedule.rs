//! When to ask whom: each target on its own beat, never two questions to one at a time.

use std::{sync::Arc, time::Duration};

use tokio::time::{MissedTickBehavior, interval};

use crate::{alert, config::Config, probe, store::Store};

pub async fn run(config: Config, store: Arc<Store>) -> anyhow::Result<()> {
    let client = reqwest::Client::builder().user_agent("tideline/0.4").build()?;
    let beat = Duration::from_secs(config.probe.interval_s);
    let timeout = Duration::from_secs(config.probe.timeout_s);

    let mut tasks = tokio::task::JoinSet::new();
    for target in config.probes {
        let (client, store) = (client.clone(), Arc::clone(&store));
        let after_failures = config.alert.after_failures;
        tasks.spawn(async move {
            let mut ticks = interval(beat);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
            loop {
                ticks.tick().await;
                let outcome = probe::ask(&client, &target, timeout).await;
                store.record(&target.name, &outcome).await?;
                alert::consider(&store, &target.name, after_failures).await?;
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        let ended: anyhow::Result<()> = ended?;
        ended?;
    }
    Ok(())
}
