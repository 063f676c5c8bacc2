// The view: points, rods, bodies or a chain, at one observation after the other.

class View {
  constructor(scene, units) {
    Object.assign(this, scene);
    this.time = decoded(scene.t, Float64Array);
    this.x = decoded(scene.q, Float32Array);
    this.turns = scene.R ? decoded(scene.R, Float32Array) : null;
    this.unit = (name) => units[name] ? ` [${units[name]}]` : "";
    this.solid = scene.kind === "points" && scene.dim === 3;
    this.frame = 0;
    this.playing = null;
    this.chosen = -1;
    this.listeners = [];
    this.measure();
    this.turnBack();
    this.build();
  }

  value(frame, point, axis) { return this.x[(frame * this.points + point) * this.dim + axis]; }

  // Least and largest of each axis over all observations.
  measure() {
    const across = this.kind === "chain" ? 1 : this.dim;
    this.low = Array(across).fill(Infinity);
    this.high = Array(across).fill(-Infinity);
    for (let i = 0; i < this.x.length; ++i) {
      const axis = i % across, v = this.x[i];
      if (!Number.isFinite(v)) continue;
      if (v < this.low[axis]) this.low[axis] = v;
      if (v > this.high[axis]) this.high[axis] = v;
    }
    if (this.rods.some(([, b]) => b < 0)) {  // the origin is in sight
      for (let k = 0; k < across; ++k) { this.low[k] = Math.min(this.low[k], 0); this.high[k] = Math.max(this.high[k], 0); }
    }
    let size = Math.max(...this.high.map((h, k) => h - this.low[k]), 0);
    if (this.turns) {
      this.arm = size > 0 ? 0.35 * size : 1;
      for (let k = 0; k < across; ++k) { this.low[k] -= this.arm; this.high[k] += this.arm; }
      size += 2 * this.arm;
    }
    this.size = size > 0 ? size : 1;
  }

  turnBack() { Object.assign(this, { yaw: -0.6, pitch: 0.38, scale: 1, shift: [0, 0] }); }

  build() {
    const help = this.solid ? "Arrow keys turn it, plus and minus zoom, 0 turns it back, space plays, comma and full stop step."
      : "Left and right step, plus and minus zoom, 0 shows all, space plays.";
    this.stack = new Stack(`View of what moves. ${help}`, true);
    this.button = make("button", { type: "button", className: "play", onclick: () => this.toggle() }, "▶ Play");
    this.slider = make("input", { type: "range", min: 0, max: Math.max(0, this.frames - 1), step: 1, value: 0, "aria-label": "Time", oninput: () => this.show(Number(this.slider.value)) });
    this.now = make("output", { className: "now" });
    this.readout = make("output", { className: "readout", "aria-live": "off" });
    const option = (value, text, selected) => make("option", { value, selected }, text);
    this.speed = make("select", { "aria-label": "Speed" }, ...[0.25, 0.5, 1, 2, 4].map((s) => option(String(s), `${s}×`, s === 1)));
    const few = this.kind !== "chain" && this.points <= 60 && !this.faces.length;
    this.trails = make("select", { onchange: () => this.draw() }, option("0", "none", !few), option("0.08", "short", few && this.kind !== "plane"), option("1", "whole", this.kind === "plane"));
    const controls = [make("label", {}, "Speed", this.speed)];
    if (this.kind !== "chain") controls.push(make("label", {}, "Trails", this.trails));
    if (this.kind === "points" && this.points <= 200) {
      this.pick = make("select", { onchange: () => { this.chosen = Number(this.pick.value); this.draw(); } }, option("-1", "none", true),
        ...this.labels.map((label, i) => option(String(i), label, false)));
      controls.push(make("label", {}, "Values of", this.pick));
    }
    controls.push(make("button", { type: "button", onclick: () => { this.turnBack(); this.draw(); } }, this.solid ? "Turn back" : "Show all"));
    this.element = make("div", {}, this.stack.element, this.readout,
      make("div", { className: "controls" }, this.button, this.slider, this.now), make("div", { className: "controls" }, ...controls),
      make("p", { className: "note" }, `${this.words} Nothing moves until you press Play (space). ${this.solid ? "Drag or the arrow keys turn the view, + and − zoom." : ""}`));
    this.listen();
  }

  show(frame) {
    this.frame = Math.min(this.frames - 1, Math.max(0, Math.round(frame)));
    this.slider.value = String(this.frame);
    const words = `t = ${shown(this.time[this.frame])}${this.unit("time")}`;
    this.now.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.draw();
    for (const listener of this.listeners) listener(this.time[this.frame]);
  }

  toggle() {
    if (this.playing !== null) return this.stop();
    if (this.frame >= this.frames - 1) this.show(0);
    const seconds = Math.min(20, Math.max(4, this.frames / 24));
    let last = performance.now(), at = this.frame;
    const tick = (now) => {
      at += (now - last) / 1000 / seconds * (this.frames - 1) * Number(this.speed.value);
      last = now;
      if (Math.round(at) !== this.frame) this.show(at);
      this.playing = at < this.frames - 1 ? requestAnimationFrame(tick) : null;
      if (this.playing === null) this.stop();
    };
    this.playing = requestAnimationFrame(tick);
    this.button.textContent = "❚❚ Pause";
  }

  stop() {
    if (this.playing !== null) cancelAnimationFrame(this.playing);
    this.playing = null;
    this.button.textContent = "▶ Play";
  }

  step(by) { this.stop(); this.show(this.frame + by); }

  draw() {
    this.stack.fit();
    const context = this.stack.clear(this.stack.back);
    this.stack.front.dataset.frame = this.frame;
    this.stack.front.dataset.yaw = this.yaw;
    if (this.kind === "chain") this.drawChain(context);
    else if (this.solid) this.drawSpace(context);
    else this.drawPlane(context);
    this.tell();
  }

  // Values of the chosen point.
  tell() {
    const name = this.chosen >= 0 ? this.labels[this.chosen] : "";
    this.readout.textContent = name && `${name}: ` + this.axes.map((axis, k) => `${axis} = ${shown(this.value(this.frame, this.chosen, k))}`).join(" · ") + this.unit("length");
  }

  zoomed(low, high) {
    const middle = (low + high) / 2, half = (high - low) / 2 / this.scale || 0.5;
    return [middle - half, middle + half];
  }

  drawChain(context) {
    const axes = new Axes(this.stack.width, this.stack.height), pad = 0.05 * (this.high[0] - this.low[0]);
    axes.range(this.index[0], this.index[this.points - 1], ...this.zoomed(this.low[0] - pad, this.high[0] + pad));
    axes.draw(context, this.axes[0], this.axes[1]);
    context.strokeStyle = context.fillStyle = colour("c0");
    context.lineWidth = 1.6;
    context.beginPath();
    for (let i = 0; i < this.points; ++i) context.lineTo(axes.x(this.index[i]), axes.y(this.value(this.frame, i, 0)));
    context.stroke();
    if (this.points <= 100) for (let i = 0; i < this.points; ++i) this.dot(context, axes.x(this.index[i]), axes.y(this.value(this.frame, i, 0)), 3.5, 0);
  }

  drawPlane(context) {
    const axes = new Axes(this.stack.width, this.stack.height), pad = this.kind === "points" ? 0.08 * this.size : 0;
    const padded = (k) => this.zoomed(this.low[k] - (pad || 0.05 * (this.high[k] - this.low[k])), this.high[k] + (pad || 0.05 * (this.high[k] - this.low[k])));
    axes.range(...padded(0), ...padded(1));
    if (this.kind === "points") axes.square();
    axes.draw(context, this.axes[0] + (this.kind === "points" ? this.unit("length") : ""), this.axes[1] + (this.kind === "points" ? this.unit("length") : ""));
    context.save();
    context.beginPath();
    context.rect(axes.left, axes.top, axes.right - axes.left, axes.bottom - axes.top);
    context.clip();
    this.drawPoints(context, (frame, i) => i < 0 ? [axes.x(0), axes.y(0), 0] : [axes.x(this.value(frame, i, 0)), axes.y(this.value(frame, i, 1)), 0]);
    context.restore();
  }

  // From space to the canvas, without perspective: z is up, yaw turns about it. The third number grows towards the reader.
  projection() {
    const middle = this.low.map((l, k) => (l + this.high[k]) / 2);
    const radius = Math.hypot(...this.low.map((l, k) => this.high[k] - l)) / 2 || 1;
    const pixels = Math.min(this.stack.width * 0.44, this.stack.height * 0.54) / radius * this.scale;
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    return (x, y, z) => {
      x -= middle[0]; y -= middle[1]; z -= middle[2];
      const across = cy * x - sy * y, away = sy * x + cy * y;
      return [this.stack.width / 2 + pixels * across, this.stack.height / 2 - pixels * (cp * z + sp * away), (-cp * away + sp * z) / radius];
    };
  }

  drawSpace(context) {
    const to = this.projection(), { low, high } = this;
    this.drawBox(context, to);
    if (this.faces.length) this.drawFaces(context, to);
    this.drawPoints(context, (frame, i) => i < 0 ? to(0, 0, 0) : to(this.value(frame, i, 0), this.value(frame, i, 1), this.value(frame, i, 2)));
    this.bodies.forEach((point, b) => {
      const r = [0, 1, 2].map((k) => this.value(this.frame, point, k)), from = to(...r);
      for (let axis = 0; axis < 3; ++axis) {
        const R = (row) => this.turns[(this.frame * this.bodies.length + b) * 9 + 3 * row + axis];
        const end = to(r[0] + this.arm * R(0), r[1] + this.arm * R(1), r[2] + this.arm * R(2));
        context.strokeStyle = context.fillStyle = colour("c" + [1, 2, 0][axis]);
        context.lineWidth = 3;
        context.beginPath(); context.moveTo(from[0], from[1]); context.lineTo(end[0], end[1]); context.stroke();
        context.font = "12px system-ui, sans-serif";
        context.fillText(String(axis + 1), end[0] + 4, end[1] - 4);
      }
    });
  }

  // The farthest first; brighter where a face looks towards the reader.
  drawFaces(context, to) {
    const at = Array.from({ length: this.points }, (_, i) => to(this.value(this.frame, i, 0), this.value(this.frame, i, 1), this.value(this.frame, i, 2)));
    const depth = this.faces.map((face) => face.reduce((sum, i) => sum + at[i][2], 0) / face.length);
    const order = depth.map((_, k) => k).sort((a, b) => depth[a] - depth[b]);
    context.lineWidth = 1;
    context.lineJoin = "round";
    const [fill, below, edge] = [colours()[0], colour("card"), colour("back")];
    for (const k of order) {
      const [a, b, c] = this.faces[k].map((i) => at[i]);
      const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
      const pixels = Math.min(this.stack.width, this.stack.height) * this.scale;
      const uz = (b[2] - a[2]) * pixels / 2, vz = (c[2] - a[2]) * pixels / 2;
      const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], light = Math.abs(n[2] - 0.5 * n[1]) / (1.12 * Math.hypot(...n) || 1);
      context.beginPath();
      for (const i of this.faces[k]) context.lineTo(at[i][0], at[i][1]);
      context.closePath();
      context.fillStyle = below; context.fill();
      context.globalAlpha = 0.3 + 0.6 * light;
      context.fillStyle = fill; context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = edge; context.stroke();
    }
  }

  drawBox(context, to) {
    const { low, high } = this, corner = (i) => to(i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
    context.strokeStyle = colour("line");
    context.lineWidth = 1;
    context.beginPath();
    for (let i = 0; i < 8; ++i) for (const bit of [1, 2, 4]) if (!(i & bit)) {
      const a = corner(i), b = corner(i | bit);
      context.moveTo(a[0], a[1]); context.lineTo(b[0], b[1]);
    }
    context.stroke();
    context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    context.fillStyle = colour("soft");
    context.textAlign = "center";
    context.textBaseline = "middle";
    // Each axis is named at its lowest edge on the canvas.
    [1, 2, 4].forEach((bit, k) => {
      let best = null;
      for (let i = 0; i < 8; ++i) if (!(i & bit)) {
        const a = corner(i), b = corner(i | bit), middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
        const rank = bit === 4 ? -middle[0] : middle[1];
        if (!best || rank > best.rank) best = { rank, a, b, middle };
      }
      // Words stand beside the edge, on its outer side.
      let nx = best.a[1] - best.b[1], ny = best.b[0] - best.a[0];
      const d = Math.hypot(nx, ny) || 1, side = nx * (best.middle[0] - this.stack.width / 2) + ny * (best.middle[1] - this.stack.height / 2) < 0 ? -1 : 1;
      nx *= side / d; ny *= side / d;
      context.textAlign = nx < -0.6 ? "right" : nx > 0.6 ? "left" : "center";
      const away = (p) => [p[0] + (Math.abs(nx) > 0.6 ? 8 : 20) * nx, p[1] + 14 * ny];
      const write = (text, [x, y]) => {  // within the canvas
        const room = context.measureText(text).width * { left: 0, center: 0.5, right: 1 }[context.textAlign];
        context.fillText(text, Math.max(room + 2, x), y);
      };
      write(this.axes[k] + this.unit("length"), away(best.middle));
      const marks = [low[k], high[k]];
      if (d > 70) [best.a, best.b].forEach((p, k) => { const at = [p[0] * 0.8 + best.middle[0] * 0.2, p[1] * 0.8 + best.middle[1] * 0.2]; write(shown(marks[k], 3), away(at)); });
    });
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
  }

  drawPoints(context, to) {
    const many = this.points > 8, length = Math.round(Number(this.trails.value) * this.frames);
    if (length > 1 && this.points * length < 400000) {
      const from = Math.max(0, this.frame - length), part = Math.max(1, Math.ceil((this.frame - from) / 5));
      context.lineWidth = 1.4;
      for (let i = 0; i < this.points; ++i) {
        context.strokeStyle = colour("c" + (many ? 0 : i % COLOURS));
        for (let start = from; start < this.frame; start += part) {
          const end = Math.min(this.frame, start + part);
          context.globalAlpha = length < this.frames ? 0.15 + 0.65 * (end - from) / Math.max(1, this.frame - from) : 0.45;
          context.beginPath();
          for (let f = start; f <= end; ++f) { const p = to(f, i); context.lineTo(p[0], p[1]); }
          context.stroke();
        }
      }
      context.globalAlpha = 1;
    }
    context.strokeStyle = colour("soft");
    context.lineWidth = 2.2;
    context.beginPath();
    for (const [a, b] of this.rods) {
      const p = to(this.frame, a), q = to(this.frame, b);
      context.moveTo(p[0], p[1]); context.lineTo(q[0], q[1]);
    }
    context.stroke();
    if (this.rods.some(([, b]) => b < 0)) { const p = to(this.frame, -1); context.fillStyle = colour("soft"); context.fillRect(p[0] - 4, p[1] - 4, 8, 8); }
    const places = [];
    for (let i = 0; i < this.points; ++i) places.push([...to(this.frame, i), i]);
    if (this.solid) places.sort((a, b) => a[2] - b[2]);
    const radius = this.points > 1000 ? 2 : this.points > 100 ? 3.5 : 6;
    if (this.faces.length) { if (this.chosen >= 0) { const [x, y] = to(this.frame, this.chosen); this.dot(context, x, y, 4, 1, 1, true); } }
    else for (const [px, py, depth, i] of places) this.dot(context, px, py, radius * (1 + 0.25 * depth), many ? 0 : i % COLOURS, this.solid && many ? 0.62 + 0.36 * Math.max(-1, Math.min(1, depth)) : 1, i === this.chosen);
    this.places = places;
  }

  dot(context, x, y, radius, k, alpha = 1, ring = false) {
    context.globalAlpha = alpha;
    context.fillStyle = colours()[k];
    context.beginPath(); context.arc(x, y, Math.max(1, radius), 0, 7); context.fill();
    context.globalAlpha = 1;
    if (ring) { context.strokeStyle = colour("ink"); context.lineWidth = 2; context.beginPath(); context.arc(x, y, radius + 4, 0, 7); context.stroke(); }
  }

  listen() {
    const front = this.stack.front;
    let from = null;
    front.addEventListener("pointerdown", (event) => {
      front.focus({ preventScroll: true });
      from = this.stack.place(event);
      front.setPointerCapture(event.pointerId);
    });
    front.addEventListener("pointermove", (event) => {
      const at = this.stack.place(event);
      if (from && this.solid) {
        this.yaw += (at[0] - from[0]) * 0.01;
        this.pitch = Math.max(-1.57, Math.min(1.57, this.pitch + (at[1] - from[1]) * 0.01));
        from = at;
        this.draw();
      } else if (!from && this.places) {
        const near = this.places.find(([x, y]) => Math.hypot(x - at[0], y - at[1]) < 12);
        const chosen = near ? near[3] : this.pick ? Number(this.pick.value) : -1;
        if (chosen !== this.chosen) { this.chosen = chosen; this.draw(); }
      }
    });
    for (const name of ["pointerup", "pointercancel"]) front.addEventListener(name, () => { from = null; });
    front.addEventListener("wheel", (event) => {
      if (document.activeElement !== front && !event.ctrlKey) return;
      event.preventDefault();
      this.scale *= event.deltaY > 0 ? 0.85 : 1.18;
      this.draw();
    }, { passive: false });
    front.addEventListener("dblclick", () => { this.turnBack(); this.draw(); });
    const turn = (yaw, pitch) => { this.yaw += yaw; this.pitch = Math.max(-1.57, Math.min(1.57, this.pitch + pitch)); this.draw(); };
    front.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        " ": () => this.toggle(), ",": () => this.step(-1), ".": () => this.step(1), Home: () => this.step(-this.frames), End: () => this.step(this.frames),
        "+": () => { this.scale *= 1.25; this.draw(); }, "=": () => { this.scale *= 1.25; this.draw(); }, "-": () => { this.scale /= 1.25; this.draw(); },
        0: () => { this.turnBack(); this.draw(); },
        ArrowLeft: () => this.solid ? turn(-0.1, 0) : this.step(-1), ArrowRight: () => this.solid ? turn(0.1, 0) : this.step(1),
      };
      if (this.solid) Object.assign(acts, { ArrowUp: () => turn(0, 0.1), ArrowDown: () => turn(0, -0.1) });
      if (!acts[event.key]) return;
      event.preventDefault();
      acts[event.key]();
    });
    this.slider.addEventListener("keydown", (event) => {
      if (event.key === " ") { event.preventDefault(); this.toggle(); }
    });
  }
}
