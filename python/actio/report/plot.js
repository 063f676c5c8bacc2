// A plot of lines over time, or of a plane: zoom, cursor, values.

class Plot {
  // curves: { name, x(), y(), colour, on }, arrays that are decoded at the first call. shared: the range of all plots over time.
  constructor({ title, xLabel, yLabel, curves, shared = null, plane = false, square = false, time = null, tools = [] }) {
    Object.assign(this, { title, xLabel, yLabel, curves, shared, plane, square, time, cursor: null, zoomed: null, drag: null, now: null });
    this.stack = new Stack(title, false);
    this.readout = make("output", { className: "readout", "aria-live": "polite" });
    this.legend = make("div", { className: "legend" });
    const button = (text, label, act) => make("button", { type: "button", title: label, "aria-label": `${label}: ${title}`, onclick: act }, text);
    this.element = make("figure", { "aria-label": title },
      make("div", { className: "bar" }, make("h3", {}, title), ...tools,
        button("−", "Zoom out", () => this.zoom(2)), button("+", "Zoom in", () => this.zoom(0.5)), button("All", "Show all", () => this.reset())),
      this.stack.element, this.legend, this.readout);
    this.listen();
    this.label();
  }

  // What stands at the axis: the line's own name where there is one alone, and a unit that all lines have.
  yText() {
    const on = this.shownCurves(), units = [...new Set(on.map((curve) => curve.unit || ""))];
    const name = on.length === 1 ? on[0].axis || on[0].name : this.yLabel;
    return name + (units.length === 1 && units[0] ? ` [${units[0]}]` : "");
  }

  shownCurves() { return this.curves.filter((curve) => curve.on); }

  label() {
    this.legend.replaceChildren();
    if (this.curves.length < 2) return;
    for (const curve of this.curves.filter((curve) => curve.listed !== false)) {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      line.setAttribute("viewBox", "0 0 14 4");
      line.setAttribute("aria-hidden", "true");
      const stroke = document.createElementNS("http://www.w3.org/2000/svg", "path");
      stroke.setAttribute("d", "M0 2H14");
      stroke.setAttribute("stroke-width", "3");
      stroke.setAttribute("class", "k" + curve.colour);
      line.append(stroke);
      this.legend.append(make("button", { type: "button", "aria-pressed": String(curve.on), onclick: (event) => {
        curve.on = !curve.on;
        event.currentTarget.setAttribute("aria-pressed", String(curve.on));
        this.draw();
      } }, line, curve.name));
    }
  }

  whole() {
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (const curve of this.shownCurves()) {
      const x = curve.x(), y = curve.y();
      if (!x.length) continue;
      if (!this.plane) { x0 = Math.min(x0, x[0]); x1 = Math.max(x1, x[x.length - 1]); continue; }
      for (let i = 0; i < x.length; ++i) {
        if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
        x0 = Math.min(x0, x[i]); x1 = Math.max(x1, x[i]); y0 = Math.min(y0, y[i]); y1 = Math.max(y1, y[i]);
      }
    }
    if (!(x1 >= x0)) [x0, x1, y0, y1] = [0, 1, 0, 1];
    if (!this.plane) return [x0, x1];
    const dx = (x1 - x0) * 0.04, dy = (y1 - y0) * 0.04;
    return [x0 - dx, x1 + dx, y0 - dy, y1 + dy];
  }

  range() { return (this.shared ? this.shared.range : this.zoomed) || this.whole(); }

  setRange(range) {
    if (this.shared) this.shared.set(range); else { this.zoomed = range; this.draw(); }
  }

  reset() { this.setRange(null); }

  zoom(factor, at = this.at()) {
    const range = this.range(), out = [];
    const centre = at ?? [(range[0] + range[1]) / 2, this.plane ? (range[2] + range[3]) / 2 : 0];
    for (let k = 0; k < range.length; k += 2) {
      const c = Math.min(Math.max(centre[k / 2], range[k]), range[k + 1]);
      out.push(c - (c - range[k]) * factor, c + (range[k + 1] - c) * factor);
    }
    if (!this.plane) {
      const [x0, x1] = this.whole();
      if (out[1] - out[0] >= x1 - x0) return this.reset();
      const shift = Math.max(0, x0 - out[0]) - Math.max(0, out[1] - x1);
      out[0] += shift; out[1] += shift;
      if (out[1] - out[0] < 1e-12 * Math.max(Math.abs(x0), Math.abs(x1), 1e-300)) return;
    }
    this.setRange(out);
  }

  // Where the cursor is, if it is in sight.
  at() {
    const curve = this.shownCurves()[0];
    if (this.cursor === null || !curve) return null;
    return [curve.x()[this.cursor], this.plane ? curve.y()[this.cursor] : 0];
  }

  draw() {
    this.stack.fit();
    const context = this.stack.clear(this.stack.back), axes = new Axes(this.stack.width, this.stack.height), range = this.range();
    this.axes = axes;
    if (this.plane) {
      axes.range(...range);
      if (this.square) axes.square();
    } else axes.range(range[0], range[1], ...this.height(range));
    const yText = this.yText();
    axes.draw(context, this.xLabel, yText);
    context.save();
    context.beginPath();
    context.rect(axes.left, axes.top - 1, axes.right - axes.left, axes.bottom - axes.top + 2);
    context.clip();
    for (const curve of this.shownCurves()) this.line(context, curve);
    context.restore();
    this.stack.front.setAttribute("aria-label", `${this.title}: ${yText} over ${this.xLabel}. Arrow keys move the cursor, plus and minus zoom, 0 shows all.`);
    Object.assign(this.stack.front.dataset, { x0: axes.x0, x1: axes.x1, y0: axes.y0, y1: axes.y1 });
    this.point();
  }

  // Least and largest value in sight.
  height([x0, x1]) {
    let low = Infinity, high = -Infinity;
    for (const curve of this.shownCurves()) {
      const x = curve.x(), y = curve.y();
      const last = Math.min(x.length - 1, before(x, x1) + 1);
      for (let i = before(x, x0); i <= last; ++i) {
        if (y[i] < low) low = y[i];
        if (y[i] > high) high = y[i];
      }
    }
    if (!(high >= low)) return [0, 1];
    const pad = (high - low) * 0.06;
    return [low - pad, high + pad];
  }

  line(context, curve) {
    const x = curve.x(), y = curve.y(), axes = this.axes;
    context.strokeStyle = context.fillStyle = colour("c" + curve.colour);
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    const first = this.plane ? 0 : before(x, axes.x0), last = this.plane ? x.length - 1 : Math.min(x.length - 1, before(x, axes.x1) + 1);
    context.beginPath();
    if (!this.plane && last - first > 3 * (axes.right - axes.left)) {
      // Many points a pixel: the least and the largest of each pixel, joined.
      let pixel = NaN, low = 0, high = 0, end = 0;
      const flush = () => { if (low <= high) { context.lineTo(pixel, axes.y(low)); context.lineTo(pixel, axes.y(high)); context.lineTo(pixel, axes.y(end)); } };
      for (let i = first; i <= last; ++i) {
        const p = Math.round(axes.x(x[i]) * 2) / 2;
        if (p !== pixel) { if (pixel === pixel) flush(); pixel = p; low = Infinity; high = -Infinity; }
        if (y[i] < low) low = y[i];
        if (y[i] > high) high = y[i];
        end = y[i];
      }
      flush();
    } else {
      let pen = false;
      for (let i = first; i <= last; ++i) {
        if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) { pen = false; continue; }
        const px = axes.x(x[i]), py = axes.y(y[i]);
        if (pen) context.lineTo(px, py); else context.moveTo(px, py);
        pen = true;
      }
    }
    context.stroke();
    if (!this.plane && (last - first) * 9 < axes.right - axes.left) {
      for (let i = first; i <= last; ++i) { context.beginPath(); context.arc(axes.x(x[i]), axes.y(y[i]), 2.4, 0, 7); context.fill(); }
    }
  }

  // The front: cursor, band of a drag, time of the view.
  point() {
    const context = this.stack.clear(this.stack.front), axes = this.axes;
    if (!axes) return;
    if (this.now !== null && !this.plane && this.now >= axes.x0 && this.now <= axes.x1) {
      context.strokeStyle = colour("soft"); context.setLineDash([2, 3]);
      context.beginPath(); context.moveTo(axes.x(this.now), axes.top); context.lineTo(axes.x(this.now), axes.bottom); context.stroke();
      context.setLineDash([]);
    }
    if (this.drag) {
      const [a, b] = [this.drag.from, this.drag.to];
      context.fillStyle = colour("focus"); context.globalAlpha = 0.18;
      if (this.plane) context.fillRect(a[0], a[1], b[0] - a[0], b[1] - a[1]);
      else context.fillRect(a[0], axes.top, b[0] - a[0], axes.bottom - axes.top);
      context.globalAlpha = 1;
    }
    if (this.cursor === null) return;
    const words = [], curves = this.shownCurves();
    curves.forEach((curve, k) => {
      const x = curve.x()[this.cursor], y = curve.y()[this.cursor];
      const px = axes.x(x), py = axes.y(y);
      if (k === 0) {
        if (this.plane) words.push(...(this.time ? [`t = ${shown(this.time()[this.cursor])}`] : []), `${this.xLabel} = ${shown(x)}`, `${curve.name} = ${shown(y)}`);
        else {
          words.push(`${this.xLabel} = ${shown(x)}`);
          context.strokeStyle = colour("ink"); context.globalAlpha = 0.5;
          context.beginPath(); context.moveTo(px, axes.top); context.lineTo(px, axes.bottom); context.stroke();
          context.globalAlpha = 1;
        }
      }
      if (!this.plane) words.push(`${curve.name} = ${shown(y)}`);
      if (px >= axes.left && px <= axes.right && py >= axes.top - 4 && py <= axes.bottom + 4) {
        context.fillStyle = colour("c" + curve.colour); context.strokeStyle = colour("card"); context.lineWidth = 1.5;
        context.beginPath(); context.arc(px, py, 4.5, 0, 7); context.fill(); context.stroke();
      }
    });
    this.readout.textContent = words.join(" · ");
  }

  // The observation nearest to a place of the canvas.
  seek([px, py]) {
    const curve = this.shownCurves()[0];
    if (!curve || !this.axes) return;
    const x = curve.x(), y = curve.y(), axes = this.axes;
    if (!this.plane) this.cursor = nearest(x, axes.valueX(px));
    else {
      let best = Infinity;
      for (let i = 0; i < x.length; ++i) {
        const d = (axes.x(x[i]) - px) ** 2 + (axes.y(y[i]) - py) ** 2;
        if (d < best) { best = d; this.cursor = i; }
      }
    }
    this.point();
  }

  // Moves the cursor by a share of what is in sight, an observation at least.
  move(direction, fast) {
    const curve = this.shownCurves()[0];
    if (!curve) return;
    const x = curve.x(), [x0, x1] = this.range();
    const inSight = this.plane ? x.length : before(x, x1) - before(x, x0);
    const by = Math.max(1, Math.round(inSight / 200)) * (fast ? 10 : 1);
    const start = this.plane ? 0 : before(x, x0);
    this.cursor = Math.min(x.length - 1, Math.max(0, (this.cursor ?? start) + direction * by));
    this.follow();
  }

  // A cursor out of sight takes the range with it.
  follow() {
    const at = this.at(), range = this.range();
    if (at && !this.plane && (at[0] < range[0] || at[0] > range[1])) {
      const half = (range[1] - range[0]) / 2, [x0, x1] = this.whole();
      const middle = Math.min(Math.max(at[0], x0 + half), x1 - half);
      this.setRange([middle - half, middle + half]);
    } else this.point();
  }

  listen() {
    const front = this.stack.front;
    front.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      front.focus({ preventScroll: true });
      const at = this.stack.place(event);
      this.drag = { from: at, to: at };
      if (event.pointerType === "mouse") front.setPointerCapture(event.pointerId);
    });
    front.addEventListener("pointermove", (event) => {
      const at = this.stack.place(event);
      if (this.drag) { this.drag.to = at; this.point(); } else this.seek(at);
    });
    front.addEventListener("pointerup", (event) => {
      const drag = this.drag;
      this.drag = null;
      if (!drag) return;
      const [a, b] = [drag.from, this.stack.place(event)], far = Math.abs(a[0] - b[0]) > 8;
      if (far && (!this.plane || Math.abs(a[1] - b[1]) > 8)) {
        const sorted = (u, v) => [Math.min(u, v), Math.max(u, v)];
        const range = sorted(this.axes.valueX(a[0]), this.axes.valueX(b[0]));
        if (this.plane) range.push(...sorted(this.axes.valueY(a[1]), this.axes.valueY(b[1])));
        else { const [x0, x1] = this.whole(); range[0] = Math.max(range[0], x0); range[1] = Math.min(range[1], x1); }
        if (range[1] > range[0]) this.setRange(range);
      }
      this.seek(b);
    });
    front.addEventListener("pointercancel", () => { this.drag = null; this.point(); });
    front.addEventListener("dblclick", () => this.reset());
    front.addEventListener("wheel", (event) => {
      if (document.activeElement !== front && !event.ctrlKey) return;
      event.preventDefault();
      const [px, py] = this.stack.place(event);
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, [this.axes.valueX(px), this.axes.valueY(py)]);
    }, { passive: false });
    front.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        ArrowLeft: () => this.move(-1, event.shiftKey), ArrowRight: () => this.move(1, event.shiftKey),
        Home: () => { this.cursor = 0; this.follow(); }, End: () => { const c = this.shownCurves()[0]; if (c) { this.cursor = c.x().length - 1; this.follow(); } },
        "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), 0: () => this.reset(), Escape: () => { this.cursor = null; this.readout.textContent = ""; this.point(); },
      };
      if (!acts[event.key]) return;
      event.preventDefault();
      acts[event.key]();
    });
  }
}
