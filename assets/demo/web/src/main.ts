import { fetchProbes } from "./api";
import { drawBoard } from "./board";

const REFRESH_MS = 15_000;

async function refresh(root: HTMLElement): Promise<void> {
  try {
    drawBoard(root, await fetchProbes());
  } catch (error) {
    root.textContent = `The server does not answer: ${String(error)}`;
  }
}

const root = document.getElementById("board");
if (root) {
  void refresh(root);
  setInterval(() => void refresh(root), REFRESH_MS);
}
