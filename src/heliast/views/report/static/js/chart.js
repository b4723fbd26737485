// A chart with two axes, in the look of the plots that stand there without scripts.
const LEFT = 58, RIGHT = 22, TOP = 58, PAD = 16;
const chartSize = { width: 500 }; // narrower on phones, so that letters keep their size

class Chart {
  constructor(title, subtitle, xLabel, yLabel, { top = 1, tall = 1, step = 0.2 } = {}) {
    this.width = chartSize.width;
    this.wide = this.width - LEFT - RIGHT;
    this.high = Math.round(this.wide * tall);
    this.top = top;
    this.keys = [];
    this.svg = shape("svg", { class: "hl", role: "img", "aria-label": title });
    this.words(PAD, 26, title, 16, "ink", { "font-weight": 600 });
    this.words(PAD, 44, fitted(subtitle, this.width - 2 * PAD), 12, "soft");
    this.inside = shape("g", { transform: `translate(${LEFT} ${TOP})` });
    this.svg.append(this.inside);
    this.axes(xLabel, yLabel, step);
  }

  x(value) { return value * this.wide; }
  y(value) { return this.high - (value / this.top) * this.high; }

  words(x, y, text, size, colour, more = {}, parent = this.svg) {
    const made = shape("text", { x, y, "font-size": size, class: `hl-f-${colour}`, ...more });
    made.textContent = text;
    parent.append(made);
    return made;
  }

  axes(xLabel, yLabel, step) {
    const rule = (x1, y1, x2, y2) => shape("line", { x1, y1, x2, y2, class: "hl-l-rule" });
    const foot = TOP + this.high;
    for (let value = 0; value <= 1.0001; value += 0.2) {
      const at = this.x(value);
      this.inside.append(rule(at, 0, at, this.high));
      this.words(LEFT + at, foot + 17, value.toFixed(1), 11, "soft", { "text-anchor": "middle" });
    }
    for (let value = 0; value <= this.top * 1.0001; value += step) {
      const at = this.y(value);
      this.inside.append(rule(0, at, this.wide, at));
      this.words(LEFT - 7, TOP + at + 4, value.toFixed(1), 11, "soft", { "text-anchor": "end" });
    }
    this.inside.append(shape("rect", { width: this.wide, height: this.high, fill: "none", class: "hl-l-axis" }));
    this.words(LEFT + this.wide / 2, foot + 36, xLabel, 12, "ink", { "text-anchor": "middle" });
    const turn = `translate(${PAD} ${TOP + this.high / 2}) rotate(-90)`;
    this.words(0, 0, yLabel, 12, "ink", { "text-anchor": "middle", transform: turn });
  }

  look(colour, width = 1, dashes = "") {
    const found = { fill: "none", class: `hl-l-${colour}`, "stroke-width": width, "stroke-linejoin": "round" };
    if (dashes) found["stroke-dasharray"] = dashes;
    return found;
  }

  line(xs, ys, look, { step = false } = {}) {
    const points = [];
    xs.forEach((x, i) => {
      const px = this.x(x).toFixed(1);
      const py = this.y(Math.min(ys[i], this.top)).toFixed(1);
      if (step && i) points.push(`${points[points.length - 1].split(",")[0]},${py}`);
      points.push(`${px},${py}`);
    });
    this.inside.append(shape("polyline", { points: points.join(" "), ...look }));
  }

  area(xs, low, high, colour) {
    const ends = [...xs.map((x, i) => [x, high[i]]), ...xs.map((x, i) => [x, low[i]]).reverse()];
    const points = ends.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join(" ");
    this.inside.append(shape("polygon", { points, class: `hl-f-${colour}`, "fill-opacity": 0.13 }));
  }

  dot(x, y, colour, radius, kind = "") {
    this.inside.append(shape("circle", {
      cx: this.x(x), cy: this.y(Math.min(y, this.top)), r: radius,
      class: `hl-f-${colour} hl-l-paper`, "stroke-width": 1.5, ...(kind ? { "data-dot": kind, "data-x": x, "data-y": y } : {}),
    }));
  }

  key(text, look, dot = false, detail = "") { this.keys.push({ text, look, dot, detail }); }

  done(about) {
    const columns = this.width < 380 ? 1 : 2;
    const half = (this.width - 2 * PAD) / columns;
    let y = TOP + this.high + 58;
    let column = 0;
    for (const { text, look, dot, detail } of this.keys) {
      const long = 6.4 * (text.length + detail.length) > half - 40; // has a line of its own
      if (column === columns || (long && column)) { column = 0; y += 20; }
      const x = PAD + column * half;
      this.svg.append(dot
        ? shape("circle", { cx: x + 12, cy: y - 4, r: 4.5, class: look.class.replace("hl-l-", "hl-f-") })
        : shape("line", { x1: x, y1: y - 4, x2: x + 24, y2: y - 4, ...look }));
      const room = (long ? columns * half : half) - 40 - 6.4 * detail.length;
      this.words(x + 30, y, fitted(text, room) + detail, 12, "ink");
      column += long ? columns : 1;
    }
    const bottom = y + 16;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${bottom}`);
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", bottom);
    this.svg.setAttribute("aria-label", about);
    return this.svg;
  }
}

// About as many letters as the room holds.
function fitted(text, room) {
  const most = Math.floor(room / 6.4);
  const letters = [...text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")];
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
}
