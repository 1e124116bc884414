//! Starts the prober and the API, and stops both on a signal.

mod alert;
mod api;
mod config;
mod incident;
mod probe;
mod schedule;
mod store;

use std::{path::PathBuf, sync::Arc};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(2).unwrap_or_else(|| "tideline.toml".into());
    let config = config::Config::read(&PathBuf::from(path))?;
    let store = Arc::new(store::Store::connect(&config.database).await?);
    store.migrate().await?;

    let prober = tokio::spawn(schedule::run(config.clone(), Arc::clone(&store)));
    let api = tokio::spawn(api::serve(config.listen, store));

    tokio::select! {
        ended = prober => ended??,
        ended = api => ended??,
        _ = tokio::signal::ctrl_c() => println!("stopping"),
    }
    Ok(())
}
