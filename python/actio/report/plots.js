// The plots of a page, from its data.

const TITLES = { energy: "Energy error", momentum: "Momentum errors", ledger: "Ledger", multipliers: "Multipliers", observed: "Observables", coordinates: "Coordinates" };
const MOST_SHOWN = 6;
// What stands at the axis of a line that is alone.
const AXES = { energy: () => "E − E0", momentum: (name) => `${name} − initial`, ledger: (name) => name };

// The range that all plots over time share.
class Shared {
  constructor() { this.range = null; this.plots = []; }
  set(range) { this.range = range; for (const plot of this.plots) plot.draw(); }
}

function lazily(make) {
  let value;
  return () => value ??= make();
}

function makePlots(data) {
  const t = lazily(() => decoded(data.t, Float64Array)), shared = new Shared(), plots = [];
  const unit = (name) => data.units[name] ? ` [${data.units[name]}]` : "";
  const groups = new Map();
  data.columns.forEach((column) => {
    column.read = lazily(() => decoded(column.values, Float32Array));
    if (!groups.has(column.group)) groups.set(column.group, []);
    groups.get(column.group).push(column);
  });
  for (const [group, columns] of groups) {
    const curves = columns.map((column, i) => ({ name: column.name, unit: column.unit, axis: AXES[group] && AXES[group](column.name), x: t, y: column.read, colour: i % COLOURS, on: i < MOST_SHOWN, listed: i < MOST_SHOWN }));
    const tools = [];
    if (curves.length > MOST_SHOWN || (group === "coordinates" && curves.length > 1)) tools.push(menu(curves, () => { plot.label(); plot.draw(); }, TITLES[group]));
    if (group === "coordinates") {  // velocities are of another kind: at first positions alone
      curves.forEach((curve) => { if (curve.name.endsWith("'")) curve.on = curve.listed = false; });
    }
    const yLabel = { energy: "E − E0", momentum: "J − J0", ledger: "energy", multipliers: "λ", observed: "value", coordinates: "value" }[group];
    const title = group === "energy" && !data.conserved ? "Energy change" : TITLES[group];
    const plot = new Plot({ title, xLabel: "t" + unit("time"), yLabel, curves, shared, tools });
    plots.push(plot);
    shared.plots.push(plot);
  }
  const planes = groups.get("coordinates") || [];
  if (planes.length > 1) plots.push(plane(data, planes, t));
  return plots;
}

// A menu that shows or hides one line after the other.
function menu(curves, changed, title) {
  const select = make("select", { "aria-label": `Show or hide a line of ${title}` });
  const fill = () => {
    select.replaceChildren(make("option", { value: "" }, "Lines …"));
    curves.forEach((curve, i) => select.append(make("option", { value: String(i) }, (curve.on ? "✓ " : "   ") + curve.name)));
  };
  select.addEventListener("change", () => {
    const curve = curves[Number(select.value)];
    if (select.value === "" || !curve) return;
    curve.on = !curve.on;
    curve.listed = curve.on;
    fill();
    changed();
  });
  select.addEventListener("focus", fill);
  fill();
  return select;
}

// One column over another.
function plane(data, columns, t) {
  const stored = (column) => lazily(() => column.sample ? decoded(column.sample, Float32Array) : column.read());
  const read = columns.map(stored);
  const time = data.sample_t ? lazily(() => decoded(data.sample_t, Float64Array)) : t;
  const index = (name) => columns.findIndex((column) => column.name === name);
  let across = 0, up = 1;
  const own = index(columns[0].name + "'");
  // The neighbour in space, or else the velocity.
  const other = columns[0].name.replace(/x(?!.*x)/, "y");
  if (other !== columns[0].name && index(other) > 0) up = index(other); else if (own > 0) up = own;
  const choice = (label, chosen, set) => {
    const select = make("select", { "aria-label": label, onchange: () => { set(Number(select.value)); show(); } });
    columns.forEach((column, i) => select.append(make("option", { value: String(i), selected: i === chosen }, column.name)));
    return select;
  };
  const plot = new Plot({ title: "Plane", xLabel: "", yLabel: "", plane: true, time, curves: [],
    tools: [choice("Across", across, (i) => { across = i; }), choice("Up", up, (i) => { up = i; })] });
  const show = () => {
    plot.xLabel = columns[across].name + (columns[across].unit ? ` [${columns[across].unit}]` : "");
    plot.square = !/['(]/.test(columns[across].name + columns[up].name);
    plot.curves = [{ name: columns[up].name, unit: columns[up].unit, x: read[across], y: read[up], colour: 0, on: true }];
    plot.zoomed = plot.cursor = null;
    plot.readout.textContent = "";
    if (plot.stack.element.isConnected) plot.draw();
  };
  show();
  return plot;
}
