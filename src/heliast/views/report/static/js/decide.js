// Shares from 1 in 10,000 to all but that, finest at both ends: rare classes need it.
const STEEP = Math.log(9999) / 500;
const shareAt = (place) => Number((1 / (1 + Math.exp((500 - place) * STEEP))).toPrecision(3));
const placeOf = (share) => 500 + Math.log(share / (1 - share)) / STEEP;
const shareWords = (share) => `${Number((100 * share).toPrecision(3))}%`;

// The controls: one state, one function that shows it.
function decide() {
  const desk = find("[data-decide] .desk");
  const data = JSON.parse(find("#heliast-data").textContent);
  if (!desk || !data) return;
  const state = { model: data.start.model, code: data.start.class, place: 0, share: null, cost: [[0, 1], [1, 0]] };
  const field = (name) => find(`#pick-${name}`);

  const curveOf = (model) => data.curves[model][state.code];
  const curve = () => curveOf(state.model);
  const rest = () => (data.classes.length === 2 ? data.classes[1 - state.code] : "the rest");

  function fill(select, names, chosen, usable) {
    select.replaceChildren(...names.map((name, i) => {
      const made = element("option", { value: i }, name);
      made.disabled = !usable(i);
      made.selected = i === chosen;
      return made;
    }));
    select.closest(".field").hidden = names.length < 2;
  }

  // Costs are given in the order of the classes; here the chosen class comes last.
  function costsGiven() {
    if (!data.cost) return [[0, 1], [1, 0]];
    const [a, b] = state.code === 1 ? [0, 1] : [1, 0];
    return [[data.cost[a][a], data.cost[a][b]], [data.cost[b][a], data.cost[b][b]]];
  }

  function anew() {
    const found = curve();
    state.share = data.shares ? data.shares[state.code] : data.byClass ? 0.5 : null;
    state.cost = costsGiven();
    state.place = found.start === null || data.cost ? cheapest(found, state.share, state.cost) : found.start;
    state.cost.forEach((row, i) => row.forEach((value, j) => { find(`#cost-${i}${j}`).value = value; }));
  }

  function moveTo(threshold) {
    const found = curve().t.findIndex((value) => value !== null && value <= threshold);
    state.place = found < 0 ? curve().t.length - 1 : found;
  }

  function show() {
    const found = curve();
    const now = outcome(found, state.place, state.share, state.cost, data);
    now.plain = Boolean(data.noInterval);
    const threshold = found.t[state.place];
    const words = threshold === null ? "above every score" : number(threshold);
    const slider = field("threshold");
    slider.max = found.t.length - 1;
    slider.value = found.t.length - 1 - state.place; // to the right is higher
    slider.setAttribute("aria-valuetext", `${words}: ${percent(now.tpr)} found, ${percent(now.alarm)} false positive rate`);
    find("#threshold-value").textContent = words;
    find("#threshold-value").dataset.value = threshold === null ? "Infinity" : threshold;
    const part = field("share");
    part.value = Math.round(placeOf(now.share));
    part.setAttribute("aria-valuetext", shareWords(now.share));
    find("#share-value").textContent = shareWords(now.share) + (state.share === null ? " (as here)" : "");
    find("#share-value").dataset.value = now.share;
    all("[data-class]").forEach((one) => { one.textContent = data.classes[state.code]; });
    all("[data-other]").forEach((one) => { one.textContent = rest(); });
    find('[data-do="half"]').hidden = !found.probability;
    for (const name of ["tp", "fp", "fn", "tn"]) cell(name, now[name], name === "tp" || name === "fn" ? found.P : found.N);
    for (const name of ["cost", "error", "recall", "fpr", "precision"]) rate(name, now[name]);
    find("#rates-how").textContent = how();
    draw(found, now);
  }

  function cell(name, value, base) {
    const place = find(`#cell-${name}`);
    place.dataset.value = value;
    place.replaceChildren(count(value), element("small", {}, ` ${percent(value / base)}`));
  }

  function rate(name, one) {
    const place = find(`#rate-${name}`);
    const write = name === "cost" ? number : percent;
    place.dataset.value = one.value;
    place.dataset.low = data.noInterval ? NaN : one.low;
    place.dataset.high = data.noInterval ? NaN : one.high;
    const known = !data.noInterval && !Number.isNaN(one.low);
    const [value, low, high] = known ? figures(one.value, one.low, one.high, write) : [write(one.value)];
    place.replaceChildren(element("b", {}, value), element("small", {}, known ? `${low} to ${high}` : ""));
  }

  function how() {
    if (data.noInterval) return `No intervals here: ${data.noInterval}.`;
    const sort = state.share === null
      ? "Rates: Wilson; cost: MOVER of Wilson limits."
      : "For this prevalence, each class is taken as sampled by itself: Wilson within classes, MOVER across.";
    const pooled = data.pooled
      ? ` Rows of ${data.pooled} splits are pooled and taken as independent, so these intervals are of the fitted models, and may be too narrow for the learning algorithm.`
      : "";
    return `${100 * data.level}% intervals for a threshold chosen beforehand. ${sort}${pooled}`;
  }

  function draw(found, now) {
    const scene = {
      curve: found, now, place: state.place, share: state.share, cost: state.cost,
      best: cheapest(found, state.share, state.cost),
      name: data.models[state.model],
      about: `class ${fitted(data.classes[state.code], 130)} against ${fitted(rest(), 130)}`,
      others: data.curves.map((one) => one[state.code]).filter((one, i) => one && i !== state.model),
    };
    chartSize.width = Math.max(300, Math.min(500, find("figure[data-live]").clientWidth - 16));
    for (const figure of all("figure[data-live]")) {
      const svg = PLOTS[figure.dataset.live](scene);
      figure.hidden = svg === null;
      if (svg === null) continue;
      let place = find(".moving", figure);
      if (!place) {
        place = element("div", { class: "moving" });
        figure.append(place);
        figure.classList.add("is-live");
      }
      place.replaceChildren(svg);
    }
  }

  field("model").addEventListener("change", (event) => {
    const threshold = curve().t[state.place];
    state.model = Number(event.target.value);
    if (!curve()) state.code = Number(Object.keys(data.curves[state.model])[0]);
    if (threshold === null) state.place = 0; else moveTo(threshold);
    show();
  });
  field("class").addEventListener("change", (event) => {
    state.code = Number(event.target.value);
    anew();
    show();
  });
  field("threshold").addEventListener("input", (event) => {
    state.place = curve().t.length - 1 - Number(event.target.value);
    show();
  });
  field("share").addEventListener("input", (event) => {
    state.share = shareAt(Number(event.target.value));
    show();
  });
  [0, 1].forEach((i) => [0, 1].forEach((j) => {
    find(`#cost-${i}${j}`).addEventListener("input", (event) => {
      const value = Number(event.target.value);
      if (event.target.value === "" || !Number.isFinite(value)) return;
      state.cost[i][j] = value;
      show();
    });
  }));
  find("[data-decide] form").addEventListener("submit", (event) => event.preventDefault());
  find('[data-do="cheapest"]').addEventListener("click", () => {
    state.place = cheapest(curve(), state.share, state.cost);
    show();
  });
  find('[data-do="half"]').addEventListener("click", () => { moveTo(0.5); show(); });
  find('[data-do="here"]').addEventListener("click", () => {
    state.share = data.byClass ? curve().P / (curve().P + curve().N) : null;
    show();
  });

  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (width !== window.innerWidth) { width = window.innerWidth; show(); }
  });

  fill(field("model"), data.models, state.model, () => true);
  fill(field("class"), data.classes, state.code, (i) => data.curves.some((one) => one[i]));
  desk.classList.add("is-on");
  all(".controls, .outcome", desk).forEach((one) => { one.hidden = false; });
  anew();
  show();
}
decide();
