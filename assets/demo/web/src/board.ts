import type { Probe } from "./api";
import { formatLatency } from "./format";

/** Draws every probe as a tile, those that are down first. */
export function drawBoard(root: HTMLElement, probes: Probe[]): void {
  const sorted = [...probes].sort((a, b) => Number(a.up) - Number(b.up));
  root.replaceChildren(...sorted.map(tile));
}

function tile(probe: Probe): HTMLElement {
  const element = document.createElement("article");
  element.className = probe.up ? "tile up" : "tile down";

  const title = document.createElement("h2");
  title.textContent = probe.name;

  const detail = document.createElement("p");
  detail.textContent = probe.up ? formatLatency(probe.latency_ms) : "down";

  element.append(title, detail);
  return element;
}
