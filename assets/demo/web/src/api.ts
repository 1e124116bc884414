export interface Probe {
  name: string;
  url: string;
  up: boolean;
  latency_ms: number | null;
}

export async function fetchProbes(): Promise<Probe[]> {
  const response = await fetch("/api/probes");
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  return (await response.json()) as Probe[];
}

export async function fetchHistory(name: string): Promise<number[]> {
  const response = await fetch(`/api/probes/${encodeURIComponent(name)}/history`);
  return response.ok ? ((await response.json()) as number[]) : [];
}
