// Elements, canvases and axes that plots and the view share.

const COLOURS = 8;

function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && key !== "role") element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

// Two canvases, one over the other: what changes with the cursor is drawn on the front one alone.
class Stack {
  constructor(label, tall) {
    this.back = make("canvas", { "aria-hidden": "true" });
    this.front = make("canvas", { className: "front", tabIndex: 0, role: "application", "aria-label": label });
    this.element = make("div", { className: tall ? "stack tall" : "stack" }, this.back, this.front);
  }
  // Gives the contexts in CSS pixels; canvases are as fine as the screen.
  fit() {
    const { width, height } = this.element.getBoundingClientRect();
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    this.width = Math.max(50, width);
    this.height = Math.max(50, height);
    for (const canvas of [this.back, this.front]) {
      const w = Math.round(this.width * ratio), h = Math.round(this.height * ratio);
      if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
      canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    }
  }
  clear(canvas) {
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, this.width, this.height);
    return context;
  }
  place(event) {
    const box = this.front.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

// A rectangle of a canvas with its ranges.
class Axes {
  constructor(width, height) {
    Object.assign(this, { left: 58, top: 20, right: width - 12, bottom: height - 40, x0: 0, x1: 1, y0: 0, y1: 1 });
  }
  range(x0, x1, y0, y1) {
    if (!(x1 > x0)) { x0 -= 0.5; x1 += 0.5; }
    if (!(y1 > y0)) { const pad = Math.abs(y0) * 0.1 || 1; y0 -= pad; y1 += pad; }
    Object.assign(this, { x0, x1, y0, y1 });
  }
  // Widens one range so that both have the same scale.
  square() {
    const across = (this.x1 - this.x0) / (this.right - this.left), up = (this.y1 - this.y0) / (this.bottom - this.top);
    if (across > up) {
      const middle = (this.y0 + this.y1) / 2, half = across * (this.bottom - this.top) / 2;
      this.y0 = middle - half; this.y1 = middle + half;
    } else {
      const middle = (this.x0 + this.x1) / 2, half = up * (this.right - this.left) / 2;
      this.x0 = middle - half; this.x1 = middle + half;
    }
  }
  x(value) { return this.left + (value - this.x0) / (this.x1 - this.x0) * (this.right - this.left); }
  y(value) { return this.bottom - (value - this.y0) / (this.y1 - this.y0) * (this.bottom - this.top); }
  valueX(px) { return this.x0 + (px - this.left) / (this.right - this.left) * (this.x1 - this.x0); }
  valueY(py) { return this.y0 + (this.bottom - py) / (this.bottom - this.top) * (this.y1 - this.y0); }
  draw(context, xLabel, yLabel) {
    context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    context.lineWidth = 1;
    const xs = ticks(this.x0, this.x1, (this.right - this.left) / 80), ys = ticks(this.y0, this.y1, (this.bottom - this.top) / 40);
    context.strokeStyle = colour("grid");
    context.beginPath();
    for (const x of xs) { const p = Math.round(this.x(x)) + 0.5; context.moveTo(p, this.top); context.lineTo(p, this.bottom); }
    for (const y of ys) { const p = Math.round(this.y(y)) + 0.5; context.moveTo(this.left, p); context.lineTo(this.right, p); }
    context.stroke();
    context.strokeStyle = colour("soft");
    context.beginPath();
    context.moveTo(this.left + 0.5, this.top); context.lineTo(this.left + 0.5, this.bottom + 0.5); context.lineTo(this.right, this.bottom + 0.5);
    context.stroke();
    context.fillStyle = colour("soft");
    const px = powerOf(this.x0, this.x1), py = powerOf(this.y0, this.y1);
    context.textAlign = "center"; context.textBaseline = "top";
    for (const x of xs) context.fillText(tickText(x, xs, px), Math.min(this.right - 6, this.x(x)), this.bottom + 6);
    context.textAlign = "right"; context.textBaseline = "middle";
    for (const y of ys) context.fillText(tickText(y, ys, py), this.left - 6, this.y(y), this.left - 8);
    context.textBaseline = "alphabetic";
    context.fillText(xLabel + (px ? "  ×10" + raised(px) : ""), this.right, this.bottom + 34, this.right - this.left);
    context.textAlign = "left";
    context.fillText(yLabel + (py ? "  ×10" + raised(py) : ""), 4, 13, this.right - 4);
  }
}
