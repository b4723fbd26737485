// Copy and download buttons of every table: CSV and JSON hold full precision, the others what is shown.
function contents(sheet) {
  const head = all("thead th", sheet).map((one) => one.textContent.trim());
  const rows = all("tbody tr, tfoot tr", sheet).map((row) => [...row.children].map((one) => ({
    text: one.textContent.trim().replace(/\s+/g, " "),
    value: one.dataset.value ?? one.textContent.trim().replace(/\s+/g, " "),
    low: one.dataset.low ?? "",
    high: one.dataset.high ?? "",
    numeric: one.classList.contains("num"),
  })));
  return { head, rows };
}

// The same with columns for the limits of intervals.
function withLimits({ head, rows }) {
  const limits = head.map((_, i) => rows.some((row) => row[i].low !== ""));
  const wide = (cells, of) => cells.flatMap((one, i) => (limits[i] ? of(one) : [one]));
  return {
    head: wide(head, (title) => [title, `${title} low`, `${title} high`]),
    rows: rows.map((row) => wide(row, (one) => [one, ...[one.low, one.high].map((end) => ({ ...one, value: end }))])),
  };
}

// A spreadsheet would run text that begins like a formula.
function csvCell(text, numeric) {
  const safe = !numeric && /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function asCsv(table) {
  const { head, rows } = withLimits(table);
  const lines = [head.map((one) => csvCell(one, false)), ...rows.map((row) => row.map((one) => csvCell(one.value, one.numeric)))];
  return lines.map((line) => line.join(",")).join("\n") + "\n";
}

function asJson(table) {
  const { head, rows } = withLimits(table);
  const plain = (one) => (one.value !== "" && Number.isFinite(Number(one.value)) && one.numeric ? Number(one.value) : one.value);
  return JSON.stringify(rows.map((row) => Object.fromEntries(row.map((one, i) => [head[i], plain(one)]))), null, 2);
}

const LATEX = { "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "▲": "$\\uparrow$", "▼": "$\\downarrow$" };

function asLatex({ head, rows }) {
  const safe = (text) => text.replace(/[\\&%$#_{}~^–▲▼]/g, (one) => LATEX[one]);
  const line = (cells) => `${cells.map(safe).join(" & ")} \\\\`;
  const columns = rows.length ? rows[0].map((one) => (one.numeric ? "r" : "l")).join("") : "l".repeat(head.length);
  return [`\\begin{tabular}{${columns}}`, "\\toprule", line(head), "\\midrule", ...rows.map((row) => line(row.map((one) => one.text))), "\\bottomrule", "\\end{tabular}", ""].join("\n");
}

function asMarkdown({ head, rows }) {
  const safe = (text) => text.replace(/[\\|<>]/g, (one) => (one === "|" || one === "\\" ? `\\${one}` : one === "<" ? "&lt;" : "&gt;"));
  const line = (cells) => `| ${cells.map(safe).join(" | ")} |`;
  const marks = (rows[0] || []).map((one) => (one.numeric ? "---:" : "---"));
  return [line(head), `| ${marks.join(" | ")} |`, ...rows.map((row) => line(row.map((one) => one.text))), ""].join("\n");
}

const FORMATS = { CSV: ["csv", "text/csv", asCsv], JSON: ["json", "application/json", asJson], LaTeX: ["tex", "text/plain", asLatex], Markdown: ["md", "text/plain", asMarkdown] };

function save(name, type, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function button(text, label, action) {
  const made = element("button", { type: "button", "aria-label": label }, text);
  made.addEventListener("click", action);
  return made;
}

// Tables of many rows can be searched, and sorted by a click on a heading: the file holds all of them.
const MANY = 40;

function value(row, place) {
  const one = row.children[place];
  const text = one.dataset.value ?? one.textContent.trim();
  const number = text === "" ? NaN : Number(text.split(" ")[0]);
  return one.classList.contains("num") ? (Number.isNaN(number) ? Infinity : number) : text;
}

function sorting(sheet, body) {
  const heads = all("thead th", sheet);
  for (const [place, head] of heads.entries()) {
    const made = element("button", { type: "button", class: "sort" });
    made.append(...head.childNodes);
    head.append(made);
    made.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const one of heads) one.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const rows = [...body.children].map((row) => [value(row, place), row]);
      rows.sort(([a], [b]) => (a === b ? 0 : sign * (a < b ? -1 : 1)));
      body.append(...rows.map(([, row]) => row));
    });
  }
}

function searching(sheet, said, body) {
  const rows = [...body.children];
  const texts = rows.map((row) => [row.textContent, ...all("[title]", row).map((one) => one.title)].join(" ").toLowerCase());
  const field = element("input", { type: "search", "aria-label": `Search the table "${said}"`, placeholder: `Search ${rows.length} rows` });
  const count = element("output", { "aria-live": "polite" });
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    const found = rows.filter((row, at) => !(row.hidden = !texts[at].includes(wanted))).length;
    count.textContent = wanted ? `${found} of ${rows.length}` : "";
  });
  const bar = element("p", { class: "search" });
  bar.append(field, count);
  find(".title", sheet).after(bar);
  find(".scroll", sheet).tabIndex = 0;
}

for (const sheet of all(".sheet")) {
  const body = find("tbody", sheet);
  if (body.children.length <= MANY) continue;
  searching(sheet, find(".title", sheet).textContent.trim(), body);
  sorting(sheet, body);
}

for (const sheet of all(".sheet")) {
  const name = sheet.dataset.table;
  const said = find(".title", sheet).textContent.trim();
  const bar = element("p", { class: "save" });
  const copying = button("Copy", `Copy the table "${said}"`, async () => {
    await copy(contents(sheet).rows.reduce((text, row) => `${text}${row.map((one) => one.text).join("\t")}\n`, `${contents(sheet).head.join("\t")}\n`));
    copying.textContent = "Copied";
    setTimeout(() => { copying.textContent = "Copy"; }, 1500);
  });
  bar.append(copying);
  for (const [title, [ending, type, write]] of Object.entries(FORMATS)) {
    bar.append(button(title, `Download the table "${said}" as ${title}`, () => save(`${name}.${ending}`, type, write(contents(sheet)))));
  }
  sheet.append(bar);
}
