// The templates to draw over: the program's, and one of each label.

import { api } from "./api.js";

const recentKey = "drawml.templates";
/** How many are remembered. */
const most = 8;

/** All templates for a model; those of labels first. */
export async function loadTemplates(model) {
  const [bundled, labels] = await Promise.all([api.templates(), api.prototypes(model)]);
  return [...labels, ...bundled];
}

/** Where a template is drawn over: `mode` is "choose", "under" or "above". */
export function traceAddress(id, mode = "choose") {
  return `/trace#${mode}/${encodeURIComponent(id)}`;
}

/** The ids of the templates that were last drawn over, the newest first. */
export function recentTemplates() {
  try {
    const known = JSON.parse(localStorage.getItem(recentKey) ?? "[]");
    return Array.isArray(known) ? known : [];
  } catch {
    return [];
  }
}

/** Remembers that a template was drawn over. */
export function rememberTemplate(id) {
  try {
    const all = [id, ...recentTemplates().filter((each) => each !== id)].slice(0, most);
    localStorage.setItem(recentKey, JSON.stringify(all));
  } catch {
    // Without storage none is remembered.
  }
}
