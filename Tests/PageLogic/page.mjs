// The page's modules in Node. Each load has its own, as a page that was opened anew has.

import { webcrypto } from "node:crypto";
import { register } from "node:module";

export const folder = new URL("../../Sources/Studio/Studio/Page/", import.meta.url);
/** The files of the page that `drawml export web` writes. */
export const exported = new URL("../../Sources/Toolkit/Interchange/Web/Page/", import.meta.url);

// No package.json says that the page's files are modules, and imports stay in their load.
const hooks = `
const mark = /\\?load=\\d+$/;
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const [load = ""] = context.parentURL?.match(mark) ?? [];
  return { ...found, url: found.url.replace(mark, "") + (found.url.match(mark)?.[0] ?? load) };
}
export async function load(url, context, next) {
  return next(url, mark.test(url) ? { ...context, format: "module" } : context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

// What browsers have, and Node 18 lacks.
globalThis.crypto ??= webcrypto;
globalThis.CustomEvent ??= class extends Event {
  constructor(kind, { detail }) {
    super(kind);
    this.detail = detail;
  }
};

let loads = 0;

/** Loads the page: `load("dom.js")` resolves to a module's exports. */
export function openPage(from = folder) {
  loads += 1;
  const query = `?load=${loads}`;
  return (name) => import(new URL(name + query, from));
}
