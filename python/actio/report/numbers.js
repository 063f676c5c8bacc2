// Numbers: from base64, to text, and round ones for axes.

function decoded(text, Type) {
  const bytes = atob(text), buffer = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; ++i) buffer[i] = bytes.charCodeAt(i);
  return new Type(buffer.buffer);
}

function shown(x, digits = 6) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  const text = size !== 0 && (size < 1e-4 || size >= 1e7) ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return text.replace(/(\.\d*?)0+(e|$)/, "$1$2").replace(/\.(e|$)/, "$1").replace("-", "−").replace("e-", "e−");
}

function ticks(low, high, most) {
  const span = high - low;
  if (!(span > 0)) return [];
  const raw = span / Math.max(1, most), power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= raw * 0.999);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && out.length < 50; ++k) out.push(k * step);
  return out;
}

// The power of ten that is written once beside an axis, not at each number.
function powerOf(low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const power = size > 0 ? Math.floor(Math.log10(size)) : 0;
  return power < -3 || power > 4 ? power : 0;
}

function tickText(x, marks, power) {
  const scale = 10 ** power, step = marks.length > 1 ? Math.abs(marks[1] - marks[0]) / scale : 1;
  const digits = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const text = (x / scale).toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

const raised = (n) => String(n).replace(/./g, (c) => ({ "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" })[c]);

// The last index with x[i] <= value, of numbers that grow.
function before(x, value) {
  let low = 0, high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (x[middle] <= value) low = middle; else high = middle - 1;
  }
  return low;
}

function nearest(x, value) {
  const i = before(x, value);
  return i + 1 < x.length && x[i + 1] - value < value - x[i] ? i + 1 : i;
}
