//! The HTTP API that the board reads. Answers are JSON, errors too.

use std::{net::SocketAddr, sync::Arc};

use axum::{Json, Router, extract::{Path, State}, http::StatusCode, routing::get};
use serde::Serialize;

use crate::store::Store;

#[derive(Serialize)]
struct Fault {
    error: String,
}

type Answer<T> = Result<Json<T>, (StatusCode, Json<Fault>)>;

pub async fn serve(listen: SocketAddr, store: Arc<Store>) -> anyhow::Result<()> {
    let routes = Router::new()
        .route("/api/probes", get(probes))
        .route("/api/probes/:name/history", get(history))
        .route("/healthz", get(|| async { "ok" }))
        .with_state(store);
    let listener = tokio::net::TcpListener::bind(listen).await?;
    axum::serve(listener, routes).await?;
    Ok(())
}

async fn probes(State(store): State<Arc<Store>>) -> Answer<Vec<String>> {
    store.names().await.map(Json).map_err(broken)
}

async fn history(State(store): State<Arc<Store>>, Path(name): Path<String>) -> Answer<Vec<i32>> {
    let limit = 288;
    store.history(&name, limit).await.map(Json).map_err(broken)
}

fn broken(error: anyhow::Error) -> (StatusCode, Json<Fault>) {
    (StatusCode::INTERNAL_SERVER_ERROR, Json(Fault { error: error.to_string() }))
}
