// What all screens share: the active model, the settings, the server's limits. One copy, and listeners that hear of changes.

import { api } from "./api.js";

const listeners = new Map();

/** The state; read it, change it through the functions below. */
export const store = {
  version: "",
  model: null,
  settings: { theme: "system", onboardingSeen: true, penSize: 6 },
  limits: { points: 10000, strokes: 500, nameLength: 80 },
  /** The training that runs, of whichever model; `isAsked` while the server has not answered the request for it. */
  training: null,
  /** What the labels of a model were called, as they were last asked for. */
  names: { model: null, byLabel: new Map() },
};

/** Keeps what a model's labels are called now. */
export function keepNames(model, labels) {
  store.names = { model, byLabel: new Map(labels.filter(({ name }) => name).map(({ label, name }) => [label, name])) };
  tell("names", store.names);
}

/** What a label of the active model is called now, where it was given a name. */
export function givenName(label) {
  return store.names.model === store.model?.id ? store.names.byLabel.get(label) : undefined;
}

/** Calls `listener` at every change of the given kind; returns what ends that. */
export function listen(kind, listener) {
  if (!listeners.has(kind)) listeners.set(kind, new Set());
  listeners.get(kind).add(listener);
  return () => listeners.get(kind).delete(listener);
}

/** Tells the listeners of a kind; where one of them fails, the others hear of it all the same. */
export function tell(kind, value) {
  for (const listener of [...(listeners.get(kind) ?? [])]) {
    try {
      listener(value);
    } catch (error) {
      console.error(error);
    }
  }
}

/** Asks the server for the state anew. */
export async function load() {
  const before = store.training;
  const wasAsked = before?.isAsked;
  const state = await api.state();
  // What was begun here, or was heard of meanwhile, the answer may not know yet.
  const isNewer = (store.training !== before || wasAsked) && (store.training ?? before)?.model === state.activeModel.id;
  Object.assign(store, {
    version: state.version,
    model: state.activeModel,
    settings: settingsBefore ? store.settings : { ...store.settings, ...state.settings },
    limits: { ...store.limits, ...state.limits },
    training: isNewer ? store.training : state.training,
  });
  chooseTheme(store.settings.theme);
  tell("model", store.model);
  tell("settings", store.settings);
  return store;
}

/** Takes a model that the server told of for the active one. */
export function setModel(model) {
  store.model = model;
  tell("model", model);
}

/** What the server keeps while changes are on their way; null while none is. */
let settingsBefore = null;
let settingsSent = Promise.resolve();

/** Changes settings: shown at once, sent one after another, and taken back if the server did not keep them. */
export async function changeSettings(changes) {
  settingsBefore ??= store.settings;
  showSettings({ ...store.settings, ...changes });
  const answer = settingsSent.then(() => api.updateSettings(changes));
  const turn = answer.catch(() => {});
  settingsSent = turn;
  try {
    settingsBefore = { ...settingsBefore, ...(await answer) };
  } finally {
    // What was changed since is newer than this answer.
    if (settingsSent === turn) {
      showSettings(settingsBefore);
      settingsBefore = null;
    }
  }
}

function showSettings(settings) {
  store.settings = settings;
  chooseTheme(settings.theme);
  tell("settings", settings);
}
