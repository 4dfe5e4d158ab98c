// The requests to the server. Failures become errors with a message for people.

/** The server rejected a request, or could not be reached. */
class ServerError extends Error {
  constructor(message, { status = 0, code = "unreachable", detail = "" } = {}) {
    super(message);
    Object.assign(this, { status, code, detail });
  }
}

const unreachable = "The studio does not answer. Is it still running?";
const unreadable = "The studio’s answer could not be read.";

/** Whether a value has a path; "labels[].label" is a list whose items all have a label. */
function has(value, [first, ...rest]) {
  if (first === undefined) return value !== undefined;
  const name = first.replace("[]", "");
  const part = value?.[name];
  if (part === undefined) return false;
  if (name === first) return has(part, rest);
  return Array.isArray(part) && part.every((each) => has(each, rest));
}

/** Sends a request; `wants` are the paths that an answer must have to be readable. */
async function request(
  method, path, { body, raw, signal, wants = [], isFile = false, keepalive = false } = {},
) {
  const headers = {};
  let payload;
  if (raw !== undefined) {
    headers["Content-Type"] = "application/octet-stream";
    payload = raw;
  } else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    payload = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(`/api${path}`, {
      method, headers, body: payload, signal, keepalive, cache: "no-store",
      credentials: "same-origin",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(unreachable);
  }
  if (response.status === 204) return null;
  let answer = null;
  try {
    if (response.ok && isFile) return await response.blob();
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (response.ok) throw new ServerError(unreadable, { detail: "It ended early." });
  }
  if (!response.ok) {
    const said = answer?.error ?? {};
    throw new ServerError(said.message ?? unreachable, {
      status: response.status, code: said.code ?? "unknown", detail: said.detail ?? "",
    });
  }
  const missing = wants.find((want) => !has(answer, want.split(".")));
  if (missing) {
    throw new ServerError(unreadable, { code: "unreadable", detail: `${missing} is missing.` });
  }
  return answer;
}

/** Encodes a name as a path segment; URLs would drop "." and resolve "..". */
function part(name) {
  if (name === "." || name === "..") {
    throw new ServerError(`“${name}” cannot be part of a web address. Use the command drawml.`);
  }
  return encodeURIComponent(name);
}

const modelPath = (model, rest = "") => `/models/${part(model)}${rest}`;
const labelPath = (model, label, rest = "") => modelPath(model, `/labels/${part(label)}${rest}`);
const samplePath = (model, sample, rest = "") =>
  modelPath(model, `/samples/${part(sample)}${rest}`);
const artPath = (id, rest = "") => `/art/artworks/${part(id)}${rest}`;
/** The path of an imported template, whose id begins with "imported/". */
const templatePath = (template, rest = "") => `/templates/${template}${rest}`;
const drawn = (list) => [`${list}[].strokes[]`];

/** Every request that the page makes, by its purpose. */
export const api = {
  state: () => request("GET", "/state", {
    wants: ["version", "isGuest", "activeModel.id", "settings", "limits", "trainings"],
  }),
  updateSettings: (changes) => request("PATCH", "/settings", { body: changes, wants: ["theme"] }),
  invitation: () => request("GET", "/invitation", { wants: ["addresses[].code"] }),

  models: async () => (await request("GET", "/models", { wants: ["models[].id"] })).models,
  createModel: (name, { isEveryday = false } = {}) =>
    request("POST", "/models", { body: { name, isEveryday }, wants: ["id"] }),
  updateModel: (model, changes) =>
    request("PATCH", modelPath(model), { body: changes, wants: ["id"] }),
  deleteModel: (model) => request("DELETE", modelPath(model)),
  report: (model) => request("GET", modelPath(model, "/report"), {
    wants: ["labels[].change", "mistaken[].sample"],
  }),
  train: (model) => request("POST", modelPath(model, "/train"), { body: {} }),

  labels: async (model) => {
    const wants = ["labels[].label", "labels[].example"];
    return (await request("GET", modelPath(model, "/labels"), { wants })).labels;
  },
  updateLabel: (model, label, changes) =>
    request("PATCH", labelPath(model, label), { body: changes }),
  deleteLabel: (model, label) => request("DELETE", labelPath(model, label)),
  restoreLabel: (model, label) =>
    request("POST", labelPath(model, label, "/restore"), {
      body: {}, wants: ["label", "sampleCount"],
    }),

  /** A page of samples; 500 at most. */
  samples: (model, { label, before, limit = 60 } = {}) => {
    const query = new URLSearchParams({ limit: String(limit) });
    if (label) query.set("label", label);
    if (before) query.set("before", before);
    const wants = ["next", ...drawn("samples")];
    return request("GET", modelPath(model, `/samples?${query}`), { wants });
  },
  /** The samples with some ids, 20 at most, in their order; those that are gone are left out. */
  samplesOf: async (model, ids) => {
    const query = new URLSearchParams(ids.map((id) => ["id", id]));
    const wants = drawn("samples");
    return (await request("GET", modelPath(model, `/samples?${query}`), { wants })).samples;
  },
  addSample: (model, sample) =>
    request("POST", modelPath(model, "/samples"), { body: sample, wants: ["id", "label"] }),
  /** Adds all of them, or none; returns the ids of those that were not there yet. */
  addSamples: async (model, samples) =>
    (await request("POST", modelPath(model, "/sample-batch"), {
      body: { samples }, wants: ["added"],
    })).added,
  relabelSample: (model, sample, label) =>
    request("PATCH", samplePath(model, sample), { body: { label } }),
  deleteSample: (model, sample) => request("DELETE", samplePath(model, sample)),
  restoreSample: (model, sample) =>
    request("POST", samplePath(model, sample, "/restore"), { body: {}, wants: ["id"] }),

  templates: async () => {
    const wants = ["templates[].picture", ...drawn("templates")];
    return (await request("GET", "/templates", { wants })).templates;
  },
  /** Adds a picture's file as a template. */
  addTemplate: (file, name) =>
    request("POST", `/templates?name=${encodeURIComponent(name)}`, {
      raw: file, wants: ["id", "name"],
    }),
  /** Adds a picture on the web as a template; it comes within 10 seconds. */
  fetchTemplate: (address, name) => request("POST", "/templates/remote", {
    body: { address, name }, wants: ["id", "name"],
  }),
  /** Adds the lines of a template's picture as another template. */
  makeLines: (template) => request("POST", templatePath(template, "/lines"), {
    body: {}, wants: ["id", "name"],
  }),
  deleteTemplate: (template) => request("DELETE", templatePath(template)),
  pictureAddress: (template) => `/api${templatePath(template, "/picture")}`,
  /** A template of each label: its most typical drawing. */
  prototypes: async (model) => {
    const path = modelPath(model, "/templates");
    return (await request("GET", path, { wants: drawn("templates") })).templates;
  },
  tracesLeft: () => request("GET", "/traces", { wants: ["left"] }),
  countTrace: () => request("POST", "/traces", { body: {}, wants: ["left"] }),
  scoreTrace: (trace, template) => request("POST", "/traces/score", {
    body: { trace: { strokes: trace }, template: { strokes: template } }, wants: ["score"],
  }),

  classify: (model, drawing, options = {}) => request("POST", modelPath(model, "/classify"), {
    body: { ...drawing, ...options },
    wants: ["decision", "label", "confidence", "candidates[].confidence"],
  }),
  history: async (model, limit = 40) => {
    const path = modelPath(model, `/history?limit=${limit}`);
    return (await request("GET", path, { wants: drawn("predictions") })).predictions;
  },
  certainty: (model, refusalRate, signal) =>
    request("GET", modelPath(model, `/certainty?refusalRate=${refusalRate}`), {
      signal, wants: ["shaking", "of", ...drawn("drawings")],
    }),

  openPlayground: (body) => request("POST", "/playgrounds", {
    body,
    wants: [
      "id", "sequence", "canvas.width", "canvas.height", "shapes[].strokes[]",
      "shapes[].boundingBox.width",
    ],
  }),
  /** The drawing of a shape; without strokes if they are no longer kept. */
  shape: (id, shape) =>
    request("GET", `/playgrounds/${part(id)}/shapes/${shape}`, {
      wants: ["canvas.width", "strokes[]"],
    }),
  act: (id, body) =>
    request("POST", `/playgrounds/${part(id)}/actions`, { body, wants: ["sequence"] }),

  logAddress: (id) => `/api/playgrounds/${part(id)}/log`,

  capture: () => request("GET", "/capture", { wants: ["history", "instructions"] }),
  captureDrawings: (model, photo, isFree) =>
    request("POST", `/capture/drawings?model=${part(model)}&isFree=${isFree}`, {
      raw: photo, wants: ["picture", "unreadable", ...drawn("drawings")],
    }),
  captureWords: (photo) => request("POST", "/capture/words", { raw: photo, wants: ["excerpt.text"] }),
  worksheet: (body) => request("POST", "/capture/worksheet", { body, isFile: true }),
  drafts: (body) => request("POST", "/capture/drafts", { body, wants: ["variants[].text"] }),
  keepDraft: (body) => request("POST", "/capture/history", { body, wants: ["id"] }),
  forgetDraft: (item) => request("DELETE", `/capture/history/${part(item)}`),

  art: () => request("GET", "/art", { wants: ["styles[].id", "artworks[].id"] }),
  filterSketch: (body) => request("POST", "/art/filtered", { body, wants: ["id"] }),
  /** Asks an image model; `stopPainting` of the same job ends that. */
  paintSketch: (body) => request("POST", "/art/painted", { body, wants: ["id"] }),
  /** An adult's agreement, which `paintSketch` needs. */
  agreeToPainting: (passphrase) =>
    request("POST", "/art/agreement", { body: { passphrase }, wants: ["agreement"] }),
  stopPainting: (job) =>
    request("DELETE", `/art/painted/${part(job)}`, { keepalive: true }),
  artwork: (id) => request("GET", artPath(id), { wants: ["style"] }),
  changeArtwork: (id, changes) => request("POST", artPath(id), { body: changes, wants: ["style"] }),
  deleteArtwork: (id) => request("DELETE", artPath(id)),
  restoreArtwork: (id) => request("POST", artPath(id, "/restore"), { body: {}, wants: ["id"] }),
  sketchOf: (id) => request("GET", artPath(id, "/sketch"), { wants: ["canvas", "pens"] }),
  /** The picture of an artwork: "picture", "thumbnail", or "before", its sketch. */
  artAddress: (id, kind) => `/api${artPath(id, `/${kind}`)}`,

  calm: () => request("GET", "/calm", { wants: ["scene", "offered"] }),
  changeCalm: (changes) =>
    request("PATCH", "/calm", { body: changes, wants: ["scene", "offered"] }),
  /** Opens the adult's sheet of Calm with the passphrase; `changeCalm` needs the key. */
  unlockCalm: (passphrase) =>
    request("POST", "/calm/unlock", { body: { passphrase }, wants: ["key"] }),

  exportAddress: (model) => (model ? `/api/export?model=${part(model)}` : "/api/export"),
  importFile: (file) =>
    request("POST", "/import", {
      raw: file, wants: ["added[].name", "unchanged[].name", "addedArtworks"],
    }),
};
