// The templates to draw over: the program's, the user's own, and one of each label.

import { api } from "./api.js";
import { decorativeEmoji, isWord, make } from "./dom.js";
import { nameOf } from "./emojis.js";
import { boxOf } from "./ink-picture.js";
import { keep, keptValue } from "./kept.js";

const recentKey = "drawml.templates";
/** How many are remembered. */
const most = 8;

/** The emoji of a template's label, with a space; a label of words is the template's name. */
export function emojiBefore({ label }) {
  return label && !isWord(label) ? [decorativeEmoji(label), " "] : [];
}

/** All templates for a model; those of labels first. */
export async function loadTemplates(model) {
  const [bundled, labels] = await Promise.all([api.templates(), api.prototypes(model)]);
  const named = await Promise.all(labels.map(async (template) =>
    (template.name === template.label
      ? { ...template, name: await nameOf(template.label) } : template)));
  return [...named, ...bundled];
}

/** Columns as SVG path data: straight from point to point, as corners are meant. */
export function straightPath([xs, ys]) {
  // A dot is a line without length, whose round ends are seen.
  return `M${xs.map((x, index) => `${x} ${ys[index]}`).join("L")}${xs.length === 1 ? "h0" : ""}`;
}

/** A picture of a template; without a name it is decoration. */
export function templatePicture(template, name = "") {
  if (template.picture) {
    return make("img", {
      class: "template-picture", src: api.pictureAddress(template.id), alt: name,
      loading: "lazy", decoding: "async",
    });
  }
  const { x, y, width, height } = boxOf(template.strokes);
  const side = Math.max(width, height, 1e-9) * 1.2;
  const viewBox = [x + (width - side) / 2, y + (height - side) / 2, side, side].join(" ");
  const words = name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return make("svg:svg", { class: "template-picture", viewBox, ...words },
    template.strokes.map((columns) => make("svg:path", { d: straightPath(columns) })));
}

/** Where a template is drawn over: `mode` is "under", "above", or "choose" for which of them. */
export function traceAddress(id, mode = "under") {
  return `/trace#${mode}/${encodeURIComponent(id)}`;
}

/** The ids of the templates that were last drawn over, the newest first. */
export function recentTemplates() {
  const known = keptValue(recentKey);
  return Array.isArray(known) ? known : [];
}

/** Remembers that a template was drawn over. */
export function rememberTemplate(id) {
  const all = [id, ...recentTemplates().filter((each) => each !== id)].slice(0, most);
  keep(recentKey, JSON.stringify(all));
}
