/** `42 ms`, `1.3 s`, or a dash where nothing was measured. */
export function formatLatency(latency: number | null): string {
  if (latency === null) {
    return "–";
  }
  return latency < 1000 ? `${latency} ms` : `${(latency / 1000).toFixed(1)} s`;
}
