// Talks to the server, and turns what goes wrong into errors with a message for people.

/** What the server said no to, or that it was not there. */
export class ServerError extends Error {
  constructor(message, { status = 0, code = "unreachable", detail = "" } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }

  /** Whether the server could not be reached at all. */
  get isUnreachable() {
    return this.status === 0;
  }
}

const unreachable = "The studio’s server does not answer. Is it still running?";

async function request(method, path, { body, raw, signal } = {}) {
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
      method, headers, body: payload, signal, cache: "no-store", credentials: "same-origin",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(unreachable, { detail: String(error.message ?? error) });
  }
  if (response.status === 204) return null;
  let answer = null;
  try {
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (response.ok) throw new ServerError(unreachable, { detail: "The answer ended early." });
  }
  if (!response.ok) {
    const said = answer?.error ?? {};
    throw new ServerError(said.message ?? unreachable, {
      status: response.status, code: said.code ?? "unknown", detail: said.detail ?? "",
    });
  }
  return answer;
}

const part = encodeURIComponent;

/** Every request that the page makes, by what it asks for. */
export const api = {
  state: () => request("GET", "/state"),
  updateSettings: (changes) => request("PATCH", "/settings", { body: changes }),

  models: async () => (await request("GET", "/models")).models,
  createModel: (name) => request("POST", "/models", { body: { name } }),
  updateModel: (model, changes) => request("PATCH", `/models/${part(model)}`, { body: changes }),
  deleteModel: (model) => request("DELETE", `/models/${part(model)}`),
  train: (model) => request("POST", `/models/${part(model)}/train`, { body: {} }),

  labels: async (model) => (await request("GET", `/models/${part(model)}/labels`)).labels,
  updateLabel: (model, label, changes) =>
    request("PATCH", `/models/${part(model)}/labels/${part(label)}`, { body: changes }),
  deleteLabel: (model, label) => request("DELETE", `/models/${part(model)}/labels/${part(label)}`),

  samples: (model, { label, before, limit = 60 } = {}) => {
    const query = new URLSearchParams({ limit: String(limit) });
    if (label) query.set("label", label);
    if (before) query.set("before", before);
    return request("GET", `/models/${part(model)}/samples?${query}`);
  },
  addSample: (model, sample) => request("POST", `/models/${part(model)}/samples`, { body: sample }),
  relabelSample: (model, sample, label) =>
    request("PATCH", `/models/${part(model)}/samples/${part(sample)}`, { body: { label } }),
  deleteSample: (model, sample) => request("DELETE", `/models/${part(model)}/samples/${part(sample)}`),

  classify: (model, drawing, options = {}) =>
    request("POST", `/models/${part(model)}/classify`, { body: { ...drawing, ...options } }),
  history: async (model, limit = 40) =>
    (await request("GET", `/models/${part(model)}/history?limit=${limit}`)).predictions,
  clearHistory: (model) => request("DELETE", `/models/${part(model)}/history`),
  certainty: (model, refusalRate, signal) =>
    request("GET", `/models/${part(model)}/certainty?refusalRate=${refusalRate}`, { signal }),

  openPlayground: (body) => request("POST", "/playgrounds", { body }),
  playground: (id) => request("GET", `/playgrounds/${part(id)}`),
  deletePlayground: (id) => request("DELETE", `/playgrounds/${part(id)}`),
  act: (id, body) => request("POST", `/playgrounds/${part(id)}/actions`, { body }),

  exportAddress: (model) => (model ? `/api/export?model=${part(model)}` : "/api/export"),
  importFile: async (file) => (await request("POST", "/import", { raw: file })).models,
};
