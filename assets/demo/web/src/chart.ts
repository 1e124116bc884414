/** A history as an SVG polyline's points, newest at the right edge. */
export function points(history: number[], width: number, height: number): string {
  const top = Math.max(1, ...history);
  const step = width / Math.max(1, history.length - 1);
  return history
    .map((value, index) => `${(index * step).toFixed(1)},${(height - (value / top) * height).toFixed(1)}`)
    .join(" ");
}
