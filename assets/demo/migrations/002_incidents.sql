create table incidents (
    id          bigint generated always as identity primary key,
    probe       text not null references probes (name) on delete cascade,
    opened_at   timestamptz not null,
    closed_at   timestamptz,
    failures    integer not null default 1,
    check (closed_at is null or closed_at >= opened_at)
);

create unique index one_open_incident on incidents (probe) where closed_at is null;
