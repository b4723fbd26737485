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

function number(value, more = 0) {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.001 && size < 10)) return value.toFixed(3 + more);
  if (size < 0.001) return String(Number(value.toPrecision(2 + more)));
  return String(Number(value.toPrecision(3 + more)));
}

const percent = (value, more = 0) => (Number.isNaN(value) ? "–" : `${(100 * value).toFixed(1 + more)}%`);

// A value and the ends of its interval, with as many digits as tell them apart.
function figures(value, low, high, write) {
  const ends = [low, high].filter((end) => Math.abs(end - value) > 1e-9 * Math.abs(value));
  let more = 0;
  while (more < 12 && ends.some((end) => write(end, more) === write(value, more))) more += 1;
  return [value, low, high].map((one) => write(one, more < 12 ? more : 0));
}

const count = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
