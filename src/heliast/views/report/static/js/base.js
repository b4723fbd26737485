// Elements, and how numbers are written: as the rest of the report writes them.
const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function number(value) {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.001 && size < 10)) return value.toFixed(3);
  if (size < 0.001) return String(Number(value.toPrecision(2)));
  return String(Number(value.toPrecision(3)));
}

const percent = (value) => (Number.isNaN(value) ? "–" : `${(100 * value).toFixed(1)}%`);
const count = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
