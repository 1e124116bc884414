//! Everything that touches the database.

use sqlx::{PgPool, Row};

use crate::{incident::Incident, probe::Outcome};

pub struct Store {
    pool: PgPool,
}

impl Store {
    pub async fn connect(url: &str) -> anyhow::Result<Self> {
        Ok(Self { pool: PgPool::connect(url).await? })
    }

    pub async fn migrate(&self) -> anyhow::Result<()> {
        sqlx::migrate!("../migrations").run(&self.pool).await?;
        Ok(())
    }

    pub async fn record(&self, probe: &str, outcome: &Outcome) -> anyhow::Result<()> {
        let (status, latency_ms) = match outcome {
            Outcome::Up { status, latency } => {
                (Some(i32::from(*status)), i32::try_from(latency.as_millis()).ok())
            }
            Outcome::Down { .. } => (None, None),
        };
        sqlx::query("insert into results (probe, status, latency_ms) values ($1, $2, $3)")
            .bind(probe)
            .bind(status)
            .bind(latency_ms)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Failures since the last success.
    pub async fn failures_in_a_row(&self, probe: &str) -> anyhow::Result<u32> {
        let row = sqlx::query(
            "select count(*) as n from results where probe = $1 and at > coalesce(
                 (select max(at) from results where probe = $1 and status is not null), 'epoch')",
        )
        .bind(probe)
        .fetch_one(&self.pool)
        .await?;
        Ok(u32::try_from(row.get::<i64, _>("n"))?)
    }

    pub async fn open_incident(&self, incident: &Incident) -> anyhow::Result<()> {
        sqlx::query(
            "insert into incidents (probe, opened_at, failures) values ($1, $2, $3)
             on conflict do nothing",
        )
        .bind(&incident.probe)
        .bind(incident.opened_at)
        .bind(i32::try_from(incident.failures)?)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
