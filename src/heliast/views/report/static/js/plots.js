// The five plots of one model and class, each with the point of the chosen threshold.
const RULE = "positive if score ≥ threshold";

function rates(curve) {
  return { tpr: curve.tp.map((v) => v / curve.P), fpr: curve.fp.map((v) => v / curve.N) };
}

function others(chart, scene, xs, ys, options = {}) {
  scene.others.forEach((curve) => chart.line(xs(curve), ys(curve), { ...chart.look("axis", 1), "stroke-opacity": 0.35 }, options));
}

function rocPicture(scene) {
  const { curve, now, best, name } = scene;
  const chart = new Chart("ROC curve", `${scene.about}; ${RULE}`, "false positive rate", "true positive rate");
  const { tpr, fpr } = rates(curve);
  if (curve.band) {
    const [side, up] = curve.band;
    const xs = Array.from({ length: 101 }, (_, i) => i / 100);
    chart.area(xs, xs.map((x) => lowest(fpr, tpr, x, side, up)), xs.map((x) => highest(fpr, tpr, x, side, up)), "s0");
  }
  chart.line([0, 1], [0, 1], chart.look("axis", 1, "4 4"));
  others(chart, scene, (c) => rates(c).fpr, (c) => rates(c).tpr);
  const hull = curve.hull;
  chart.line(hull.map((i) => fpr[i]), hull.map((i) => tpr[i]), chart.look("soft", 1, "2 2"));
  isoCost(chart, scene);
  chart.line(fpr, tpr, chart.look("s0", 2));
  whiskers(chart, now);
  chart.dot(fpr[best], tpr[best], "s2", 4, "best");
  chart.dot(now.alarm, now.tpr, "s1", 6, "now");
  chart.key(name, chart.look("s0", 2), false, `: AUC ${curve.area || number(curve.auc)}`);
  chart.key("this threshold", chart.look("s1"), true);
  chart.key("convex hull", chart.look("soft", 1, "2 2"));
  chart.key("cheapest threshold", chart.look("s2"), true);
  chart.key("equal cost", chart.look("soft", 1));
  if (scene.others.length) chart.key("other models", { ...chart.look("axis", 1), "stroke-opacity": 0.5 });
  return chart.done(`ROC curve of ${name}, AUC ${number(curve.auc)}; this threshold finds ${percent(now.tpr)} at ${percent(now.alarm)} false positives`);
}

// The band: boxes around all points; see the plots' own.
function lowest(fpr, tpr, x, side, up) {
  const at = fpr.findIndex((value) => Math.min(1, value + side) >= x);
  return Math.max(0, tpr[at < 0 ? tpr.length - 1 : at] - up);
}
function highest(fpr, tpr, x, side, up) {
  let at = 0;
  fpr.forEach((value, i) => { if (Math.max(0, value - side) <= x) at = i; });
  return Math.min(1, tpr[at] + up);
}

function whiskers(chart, now) {
  const look = { ...chart.look("s1", 1.5), "stroke-opacity": 0.8 };
  if (Number.isNaN(now.recall.low) || now.plain) return;
  chart.line([now.fpr.low, now.fpr.high], [now.tpr, now.tpr], look);
  chart.line([now.alarm, now.alarm], [now.recall.low, now.recall.high], look);
}

function isoCost(chart, { now, cost }) {
  const rise = (cost[0][1] - cost[0][0]) * (1 - now.share);
  const run = (cost[1][0] - cost[1][1]) * now.share;
  const look = chart.look("soft", 1);
  if (!(run > 0)) return;
  const slope = rise / run;
  if (!(slope >= 0)) return;
  const at = (y) => Math.min(1, Math.max(0, now.alarm + (y - now.tpr) / slope));
  const xs = slope > 0 ? [at(0), at(1)] : [0, 1];
  chart.line(xs, xs.map((x) => now.tpr + slope * (x - now.alarm)), look);
}

function recallPicture(scene) {
  const { now, name } = scene;
  const chart = new Chart("Precision and recall", `${scene.about}; ${RULE}`, "recall", "precision");
  const lines = (curve) => {
    const { tpr, fpr } = rates(curve);
    const share = scene.share === null ? curve.P / (curve.P + curve.N) : scene.share;
    const kept = tpr.map((_, i) => i).filter((i) => curve.tp[i] + curve.fp[i] > 0);
    return {
      recall: kept.map((i) => tpr[i]),
      precision: kept.map((i) => (share * tpr[i]) / (share * tpr[i] + (1 - share) * fpr[i])),
    };
  };
  chart.line([0, 1], [now.share, now.share], chart.look("axis", 1, "4 4"));
  others(chart, scene, (c) => lines(c).recall, (c) => lines(c).precision, { step: true });
  const own = lines(scene.curve);
  chart.line(own.recall, own.precision, chart.look("s0", 2), { step: true });
  if (!Number.isNaN(now.precision.value)) chart.dot(now.tpr, now.precision.value, "s1", 6, "now");
  chart.key(name, chart.look("s0", 2));
  chart.key("this threshold", chart.look("s1"), true);
  chart.key(`random order: ${number(now.share)}`, chart.look("axis", 1, "4 4"));
  return chart.done(`Precision against recall of ${name}; this threshold has recall ${percent(now.tpr)} and precision ${percent(now.precision.value)}`);
}

function gainPicture(scene) {
  const { now, name } = scene;
  const chart = new Chart("Cumulative gain", `${scene.about}; highest scores first`, "share of rows taken", "share of positives found", { tall: 0.8 });
  const depth = (curve) => {
    const { tpr, fpr } = rates(curve);
    return tpr.map((v, i) => now.share * v + (1 - now.share) * fpr[i]);
  };
  chart.line([0, 1], [0, 1], chart.look("axis", 1, "4 4"));
  chart.line([0, now.share, 1], [0, 1, 1], chart.look("axis", 1, "1 3"));
  others(chart, scene, depth, (c) => rates(c).tpr);
  chart.line(depth(scene.curve), rates(scene.curve).tpr, chart.look("s0", 2));
  const taken = now.share * now.tpr + (1 - now.share) * now.alarm;
  chart.dot(taken, now.tpr, "s1", 6, "now");
  const lift = taken > 0 ? ` (lift ${number(now.tpr / taken)})` : "";
  chart.key(name, chart.look("s0", 2));
  chart.key(`this threshold${lift}`, chart.look("s1"), true);
  chart.key("random choice", chart.look("axis", 1, "4 4"));
  chart.key("perfect order", chart.look("axis", 1, "1 3"));
  return chart.done(`Cumulative gain of ${name}; this threshold takes ${percent(taken)} of the rows and finds ${percent(now.tpr)}${lift}`);
}

function costPicture(scene) {
  const { curve, now, cost, name } = scene;
  const chart = new Chart("Cost curve", `${scene.about}; lower is better`, "probability × cost of false negatives, as a share", "normalised expected cost", { top: 0.5, tall: 0.7, step: 0.1 });
  const envelope = (one) => {
    const { tpr, fpr } = rates(one);
    const xs = Array.from({ length: 101 }, (_, i) => i / 100);
    return [xs, xs.map((x) => Math.min(...one.hull.map((i) => (1 - tpr[i]) * x + fpr[i] * (1 - x))))];
  };
  chart.line([0, 0.5, 1], [0, 0.5, 0], chart.look("axis", 1, "4 4"));
  scene.others.forEach((one) => chart.line(...envelope(one), { ...chart.look("axis", 1), "stroke-opacity": 0.35 }));
  const own = [0, 1].map((x) => (1 - now.tpr) * x + now.alarm * (1 - x));
  clippedLine(chart, own, { ...chart.look("s1", 1), "stroke-opacity": 0.7 });
  chart.line(...envelope(curve), chart.look("s0", 2.5));
  const miss = Math.max(cost[1][0] - cost[1][1], 0) * now.share;
  const alarm = Math.max(cost[0][1] - cost[0][0], 0) * (1 - now.share);
  const x = miss + alarm > 0 ? miss / (miss + alarm) : NaN;
  const y = (1 - now.tpr) * x + now.alarm * (1 - x);
  if (!Number.isNaN(x)) {
    chart.line([x, x], [0, 0.5], chart.look("soft", 1));
    if (y <= 0.5) chart.dot(x, y, "s1", 6, "now");
  }
  chart.key(`${name}: best threshold`, chart.look("s0", 2.5));
  chart.key("this threshold", chart.look("s1"), true);
  chart.key("always or never positive", chart.look("axis", 1, "4 4"));
  chart.key("these costs and share", chart.look("soft", 1));
  return chart.done(`Cost curve of ${name}; at these costs and this share the threshold has normalised cost ${number(y)}`);
}

function clippedLine(chart, [left, right], look) {
  const xs = [0, 1];
  if (left > chart.top && right > chart.top) return;
  const cross = (chart.top - left) / (right - left);
  if (left > chart.top) xs[0] = cross;
  if (right > chart.top) xs[1] = cross;
  chart.line(xs, xs.map((x) => left + (right - left) * x), look);
}

function calibrationPicture(scene) {
  const { curve, name } = scene;
  if (!curve.bins) return null;
  const chart = new Chart("Calibration", scene.about, "forecast", "observed share");
  const { forecast, outcome: came, low, high } = curve.bins;
  chart.line([0, 1], [0, 1], chart.look("axis", 1, "4 4"));
  const threshold = curve.t[scene.place];
  if (threshold !== null && threshold >= 0 && threshold <= 1) chart.line([threshold, threshold], [0, 1], chart.look("s1", 1.5));
  forecast.forEach((x, i) => chart.line([x, x], [low[i], high[i]], { ...chart.look("s0", 1.5), "stroke-opacity": 0.6 }));
  chart.line(forecast, came, chart.look("s0", 1.5));
  forecast.forEach((x, i) => chart.dot(x, came[i], "s0", 3.5));
  chart.key(name, chart.look("s0", 1.5));
  chart.key("this threshold", chart.look("s1", 1.5));
  chart.key("observed as forecast", chart.look("axis", 1, "4 4"));
  return chart.done(`Calibration of ${name}: ${forecast.map((x, i) => `${percent(x)} came true ${percent(came[i])}`).join(", ")}`);
}

const PLOTS = { roc: rocPicture, pr: recallPicture, gain: gainPicture, cost: costPicture, calibration: calibrationPicture };
