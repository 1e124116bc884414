create table probes (
    name        text primary key,
    url         text not null,
    interval_s  integer not null default 30 check (interval_s > 0)
);

create table results (
    probe       text not null references probes (name) on delete cascade,
    at          timestamptz not null default now(),
    status      integer,
    latency_ms  integer,
    primary key (probe, at)
);

create index results_by_time on results (at desc);
