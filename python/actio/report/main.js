// Puts the page together.

// The line colours of the present scheme, read once.
let known = null;
function colours() {
  return known ??= Array.from({ length: COLOURS }, (_, k) => colour("c" + k));
}

const data = JSON.parse(document.getElementById("data").textContent);
const plots = makePlots(data);
document.getElementById("plots-place").append(...plots.map((plot) => plot.element));
const drawn = [...plots];
if (data.scene) {
  const view = new View(data.scene, data.units);
  document.getElementById("view-place").append(view.element);
  view.listeners.push((t) => { for (const plot of plots) { plot.now = t; plot.point(); } });
  view.show(0);
  drawn.push(view);
}
function redraw() {
  known = null;
  for (const part of drawn) part.draw();
}
redraw();
let width = window.innerWidth;
window.addEventListener("resize", () => { if (window.innerWidth !== width) { width = window.innerWidth; redraw(); } });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
document.documentElement.dataset.ready = String(Math.round(performance.now()));
