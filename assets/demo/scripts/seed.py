"""Fills a development database with a week of made-up results."""

import random
import subprocess
from datetime import datetime, timedelta, timezone

PROBES = ["home", "login", "search", "images"]


def rows(days: int = 7):
    now = datetime.now(timezone.utc)
    for name in PROBES:
        for step in range(days * 24 * 12):
            at = now - timedelta(minutes=5 * step)
            up = random.random() > 0.02
            latency = int(random.gauss(120, 30)) if up else None
            yield name, at.isoformat(), 200 if up else None, latency


def main() -> None:
    lines = "\n".join("\t".join("\\N" if cell is None else str(cell) for cell in row) for row in rows())
    command = ["psql", "tideline", "-c", "copy results (probe, at, status, latency_ms) from stdin"]
    subprocess.run(command, input=lines, text=True, check=True)


if __name__ == "__main__":
    main()
