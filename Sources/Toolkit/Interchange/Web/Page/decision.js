// Head and acceptance: what `Recognizer.classify` does with a drawing's vector. `terms` are its
// `DecisionTerms`, whose tables are places among the numbers. Values that are compared with
// thresholds are 32-bit numbers.

import { products, sum } from "./network.js";

const { abs, exp, fround, max, min, sqrt } = Math;

/** Whether there is enough ink to classify: see `Drawing.hasEnoughInk`. */
export function hasEnoughInk(strokes, canvas, leastExtent) {
  const [xs, ys] = [0, 1].map((axis) => strokes.flatMap((stroke) => [...stroke[axis]]));
  if (xs.length === 0 || ![...xs, ...ys].every(Number.isFinite)) return false;
  const low = (list) => list.reduce((a, b) => min(a, b));
  const high = (list) => list.reduce((a, b) => max(a, b));
  const edges = [low(xs), high(xs), low(ys), high(ys)];
  const extent = max(edges[1] - edges[0], edges[3] - edges[2]);
  if (!(extent > high(edges.map(abs)) * 1e-9) || !Number.isFinite(extent)) return false;
  const side = canvas ? min(canvas.width, canvas.height) : 0;
  return !(side > 0) || extent >= leastExtent * side;
}

/** The answer to the drawing with a unit vector. */
export function answer(vector, terms, numbers) {
  const take = ({ start, count }) => numbers.subarray(start, start + count);
  const scores = scoresOf(vector, terms, take);
  const confidences = confidencesOf(vector, scores, terms, take);
  const order = [...confidences.keys()].sort((a, b) => confidences[b] - confidences[a] || a - b);
  const candidates = order.map((k) => ({ label: terms.labels[k], confidence: confidences[k] }));
  const [first, second] = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
  const margin = second === undefined ? Infinity : scores[first] - scores[second];
  const typicality = typicalityOf(scores[first], margin, terms, take);
  return { ...decide(), ...candidates[0], candidates, typicality };

  function decide() {
    const between = (...labels) =>
      ({ decision: "unrecognized", reason: "betweenLabels", between: labels });
    if (typicality < terms.refusalRate) {
      return scores[first] > 0 && margin < terms.clearMargin
        ? between(terms.labels[first], terms.labels[second])
        : { decision: "unrecognized", reason: "likeNothingTaught" };
    }
    return candidates[0].confidence < terms.leastConfidence && candidates.length > 1
      ? between(candidates[0].label, candidates[1].label)
      : { decision: "recognized", reason: null };
  }
}

/** Each label's log-likelihood ratio against an untaught one. */
function scoresOf(vector, terms, take) {
  const count = terms.labels.length;
  const mean = take(terms.projectedMean);
  const x = products(vector, take(terms.projection), 1, mean.length).map((value, k) =>
    value - mean[k]);
  const straight = products(x, take(terms.gains), 1, count);
  const bends = products(x.map((value) => value * value), take(terms.curvatures), 1, count);
  return take(terms.offsets).map((offset, k) => straight[k] + offset - bends[k]);
}

function confidencesOf(vector, scores, terms, take) {
  const { head } = terms;
  const count = terms.labels.length;
  switch (head.kind) {
    case "twoCovariance": return softmax(scores.map((score) => score / head.temperature));
    case "classMeans":
      return softmax(products(vector, take(head.means), 1, count).map((x) => x * head.scale));
    case "linear": {
      const biases = take(head.biases);
      return softmax(products(vector, take(head.weights), 1, count).map((x, k) => x + biases[k]));
    }
    case "nearestNeighbors": return votes(vector, head, count, take);
    default: throw new Error(`no head is called ${head.kind}`);
  }
}

function softmax(logits) {
  const top = logits.reduce((a, b) => max(a, b));
  const shares = logits.map((x) => exp(x - top));
  const total = sum(shares, (x) => x);
  return shares.map((x) => x / total);
}

/** The share of the nearest samples' votes of each label; see `NearestNeighbors`. */
function votes(vector, { neighbors, votes: kind, vectors, labelOf }, count, take) {
  const samples = labelOf.length;
  const cosines = products(vector, take(vectors), 1, samples);
  const nearest = [...cosines.keys()].sort((a, b) => cosines[b] - cosines[a] || a - b)
    .slice(0, neighbors);
  const all = nearest.map((row, rank) => kind === "uniform"
    ? 1 - (1e-4 * rank) / nearest.length
    : 1 / (sqrt(max(0, 2 - 2 * cosines[row])) + 1e-6));
  const total = sum(all, (x) => x);
  const confidences = new Float32Array(count);
  nearest.forEach((row, rank) => {
    const label = labelOf[row];
    confidences[label] = min(1, confidences[label] + all[rank] / total);
  });
  return confidences;
}

/** The share of drawings of taught labels that fit worse; see `Acceptance`. */
function typicalityOf(score, margin, { expected, own, priorWeight, fewestAlone }, take) {
  const samples = take(own);
  if (!expected) {
    const low = rank(score, samples);
    if (samples.length < fewestAlone) return score > 0 ? 1 : 0;
    return low === 0 && score <= 0 ? 0 : fround((low + 1) / (samples.length + 1));
  }
  const lead = margin < Infinity ? fround(fround(expected.marginWeight) * fround(margin)) : 0;
  const statistic = shareBelow(fround(score + lead), take(expected.quantiles));
  const known = fround(fround(priorWeight * statistic) + rank(statistic, samples));
  return fround(known / (priorWeight + samples.length));
}

/** The share of a distribution below a value, by its quantiles. */
function shareBelow(value, quantiles) {
  const next = rank(value, quantiles);
  if (next === 0 || next === quantiles.length) return next === 0 ? 0 : 1;
  const [below, above] = [quantiles[next - 1], quantiles[next]];
  const part = fround(fround(value - below) / fround(above - below));
  return fround(fround(next - 1 + part) / (quantiles.length - 1));
}

/** How many of the ascending values are at most x. */
function rank(x, values) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}
