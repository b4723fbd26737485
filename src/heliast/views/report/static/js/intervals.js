// The library's intervals for what one threshold does. Rates: Wilson. Costs: MOVER of Wilson
// limits. With a given share of the class, each class counts as sampled on its own.
// Where at most five rows lie on a side, the limit towards it is exact.
const FEW = 5 * (1 + 1e-9);

function wilson(rate, n, { z, tail }) {
  if (!(n > 0)) return [0, 1];
  const part = (z * z) / n;
  const middle = (rate + part / 2) / (1 + part);
  const half = Math.sqrt(part * rate * (1 - rate) + (part * part) / 4) / (1 + part);
  let low = rate === 0 ? 0 : Math.max(0, middle - half);
  let high = rate === 1 ? 1 : Math.min(1, middle + half);
  const hits = rate * n;
  if (hits > 0 && hits <= FEW) low = Math.min(low, exactLow(hits, n, tail));
  if (hits < n && n - hits <= FEW) high = Math.max(high, 1 - exactLow(n - hits, n, tail));
  return [low, high];
}

// The rate at which so many hits or more have this probability (Clopper and Pearson).
function exactLow(hits, n, tail) {
  let low = 0;
  let high = hits / n;
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, hits, n - hits + 1) < tail) low = middle;
    else high = middle;
  }
  return low;
}

function incompleteBeta(x, a, b) {
  let term = 1;
  let sum = 1;
  for (let k = 0; k < 10000 && term > 1e-16 * sum; k += 1) {
    term *= (x * (a + b + k)) / (a + 1 + k);
    sum += term;
  }
  const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b);
  return (Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta) * sum) / a;
}

// Stirling's series, from 10 on; below by the recurrence.
function logGamma(x) {
  let shift = 0;
  let at = x;
  for (; at < 10; at += 1) shift += Math.log(at);
  const square = 1 / (at * at);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

const estimate = (value, low = NaN, high = NaN) => ({ value, low, high });

function ofRate(hits, base, worth, limits) {
  if (!(base > 0)) return estimate(NaN);
  return estimate(hits / base, ...wilson(hits / base, base * worth, limits));
}

// How often each amount is paid, but for the usual one: [{weight, rate, n}] and what is paid anyway.
function payments(cells, share) {
  const paid = new Map();
  let total = 0;
  let rows = 0;
  for (const { cost, weight, worth } of cells) {
    paid.set(cost, (paid.get(cost) || 0) + weight);
    total += weight;
    rows += weight * worth;
  }
  const amounts = [...paid.keys()].sort((a, b) => a - b);
  let usual = amounts[0];
  for (const amount of amounts) if (paid.get(amount) > paid.get(usual)) usual = amount;
  const rest = amounts.filter((amount) => amount !== usual);
  return {
    constant: share * usual,
    rates: total > 0 ? rest.map((amount) => ({
      weight: share * (amount - usual), rate: paid.get(amount) / total, n: rows,
    })) : [],
  };
}

// Limits of a weighted sum of rates, square and add; rates over the same rows exclude each other.
function mover(parts, limits) {
  const rates = parts.flatMap((part, group) => part.rates.map((one) => ({ ...one, group })));
  let value = 0;
  for (const part of parts) value += part.constant;
  for (const one of rates) value += one.weight * one.rate;
  if (!rates.length) return estimate(value);
  const ends = rates.map((one) => wilson(one.rate, one.n, limits));
  const down = rates.map((one, i) => one.weight * (one.rate - ends[i][one.weight > 0 ? 0 : 1]));
  const up = rates.map((one, i) => one.weight * (ends[i][one.weight > 0 ? 1 : 0] - one.rate));
  const reach = (distance) => {
    let sum = 0;
    rates.forEach((a, i) => rates.forEach((b, j) => {
      sum += distance[i] * distance[j] * related(a, b, i === j);
    }));
    return Math.sqrt(Math.max(0, sum));
  };
  return estimate(value, value - reach(down), value + reach(up));
}

function related(a, b, same) {
  if (same) return 1;
  if (a.group !== b.group) return 0;
  const scale = (1 - a.rate) * (1 - b.rate);
  const shared = a.rate * b.rate;
  if (!(scale > 0) || !(shared > 0)) return 0;
  return -Math.sqrt(shared / scale) * Math.sign(a.weight) * Math.sign(b.weight);
}

// Precision where the class has a given share: move one class's rate at a time to its limits.
function precisionAt(share, tpr, fpr, sizes, limits) {
  const of = (found, alarms) => (share * found) / (share * found + (1 - share) * alarms);
  const value = of(tpr, fpr);
  if (Number.isNaN(value)) return estimate(NaN);
  let below = 0;
  let above = 0;
  const moved = [
    wilson(tpr, sizes[1], limits).map((end) => of(end, fpr)),
    wilson(fpr, sizes[0], limits).map((end) => of(tpr, end)),
  ];
  for (const pair of moved) {
    const ends = pair.map((end) => (Number.isNaN(end) ? value : end));
    below += (value - Math.min(value, ...ends)) ** 2;
    above += (Math.max(value, ...ends) - value) ** 2;
  }
  return estimate(value, Math.max(0, value - Math.sqrt(below)), Math.min(1, value + Math.sqrt(above)));
}

// Everything about one threshold: counts and estimates. `share` is null for that of the rows.
function outcome(curve, place, share, cost, limits) {
  const tp = curve.tp[place];
  const fp = curve.fp[place];
  const fn = curve.P - tp;
  const tn = curve.N - fp;
  const [own, rest] = curve.worth;
  const others = [
    { cost: cost[0][0], weight: tn, worth: rest },
    { cost: cost[0][1], weight: fp, worth: rest },
  ];
  const ours = [
    { cost: cost[1][0], weight: fn, worth: own },
    { cost: cost[1][1], weight: tp, worth: own },
  ];
  const wrong = (cells, right) => cells.map((cell, i) => ({ ...cell, cost: i === right ? 0 : 1 }));
  const split = share !== null;
  const sizes = [curve.N * rest, curve.P * own];
  const n = curve.P + curve.N;
  const worth = (curve.P * own + curve.N * rest) / n;
  return {
    tp, fp, fn, tn,
    tpr: tp / curve.P,
    alarm: fp / curve.N,
    share: split ? share : curve.P / n,
    recall: ofRate(tp, curve.P, own, limits),
    fpr: ofRate(fp, curve.N, rest, limits),
    precision: split
      ? precisionAt(share, tp / curve.P, fp / curve.N, sizes, limits)
      : ofRate(tp, tp + fp, worth, limits),
    error: split
      ? mover([payments(wrong(others, 0), 1 - share), payments(wrong(ours, 1), share)], limits)
      : ofRate(fn + fp, n, worth, limits),
    cost: split
      ? mover([payments(others, 1 - share), payments(ours, share)], limits)
      : mover([payments([...others, ...ours], 1)], limits),
  };
}

// The place of the cheapest threshold among the corners of the hull; of equal ones the highest.
function cheapest(curve, share, cost) {
  const part = share === null ? curve.P / (curve.P + curve.N) : share;
  const total = curve.hull.map((place) => {
    const tpr = curve.tp[place] / curve.P;
    const fpr = curve.fp[place] / curve.N;
    return part * (cost[1][1] * tpr + cost[1][0] * (1 - tpr))
      + (1 - part) * (cost[0][0] * (1 - fpr) + cost[0][1] * fpr);
  });
  const least = Math.min(...total);
  const room = 1e-12 * Math.max(...total.map(Math.abs));
  return curve.hull[total.findIndex((one) => one <= least + room)];
}
