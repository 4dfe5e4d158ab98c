// The state that all screens share: the model in use, the settings, the server's limits. Listeners
// are notified of changes.

import { api } from "./api.js";
import { countSamplesBy } from "./dom.js";
import { keep, keptText, keptValue } from "./kept.js";

const news = new EventTarget();
const chosenKey = "drawml.model";
const ownKey = "drawml.settings";

/** The state; it is changed by the functions below. */
export const store = {
  version: "",
  /** Whether this is a guest's browser: only the owner may change what is everybody's. */
  isGuest: false,
  /** Whether the page for tracing may ask for the camera. */
  hasCamera: false,
  hasWeb: false,
  /** The model in use: the one that this browser has chosen, or else the shared one. */
  model: null,
  /** The model that is active for everybody. */
  shared: null,
  /** The id of the model that this browser has chosen, or null. */
  chosen: keptText(chosenKey),
  settings: { theme: "system", onboardingSeen: true, penSize: 6, guestsMayTeach: false },
  limits: { points: 20000, strokes: 500, nameLength: 80, templateBytes: 20 << 20 },
  /** The running training of the model in use; `isAsked` until the server has answered. */
  training: null,
  /** The names of a model's labels, and how many samples of each it knows, as last loaded. */
  names: { model: null, byLabel: new Map(), counts: new Map() },
};

/** Whether this browser may add samples to a model, by default the one in use. */
export function canTeach(model = store.model?.id) {
  if (!store.isGuest) return true;
  return store.settings.guestsMayTeach && model === store.shared?.id;
}

/** Stores the names of a model's labels, and how many samples of each it knows. */
export function keepNames(model, labels) {
  const named = labels.filter(({ name }) => name);
  const byLabel = new Map(named.map(({ label, name }) => [label, name]));
  // What a model knew from the beginning it has seen often.
  const counts = new Map(labels.map(({ label, taughtCount, isEveryday }) =>
    [label, isEveryday ? Infinity : taughtCount]));
  store.names = { model, byLabel, counts };
  tell("names", store.names);
}

/** How many samples of a label the model in use knows; infinite while that is not loaded. */
export function samplesOf(label) {
  const { model, counts } = store.names;
  if (model !== store.model?.id) return Infinity;
  return counts.get(label) ?? (store.model.isEveryday ? Infinity : 0);
}

countSamplesBy(samplesOf);

/** The name of a label of the model in use, if it has one. */
export function givenName(label) {
  return store.names.model === store.model?.id ? store.names.byLabel.get(label) : undefined;
}

/** Calls `listener` at every change of a kind, until `signal` aborts. */
export function listen(kind, listener, signal) {
  news.addEventListener(kind, ({ detail }) => listener(detail), { signal });
}

/** Notifies the listeners of a kind, even if one of them fails. */
export function tell(kind, value) {
  news.dispatchEvent(new CustomEvent(kind, { detail: value }));
}

/** The newest call of `load`. */
let newest = null;

/** Loads the state from the server. Of calls at once, the newest decides. */
export function load() {
  const loading = read(() => newest === loading);
  newest = loading;
  return loading;
}

async function read(isNewest) {
  const before = store.training;
  const wasAsked = before?.isAsked;
  const sent = settingsBefore ? null : settingsSent;
  const state = await api.state();
  const model = await modelInUse(state.activeModel);
  if (!isNewest()) return newest;
  // The answer may be older than a training that was started here, or an event about one.
  const isOfActive = (store.training ?? before)?.model === model.id;
  const training = state.trainings.find((each) => each.model === model.id) ?? null;
  const isNewer = (store.training !== before || wasAsked) && isOfActive;
  // Or older than what was changed here meanwhile.
  const isChanged = settingsBefore !== null || settingsSent !== sent;
  const { isGuest, hasCamera, hasWeb } = state;
  const settings = { ...store.settings, ...state.settings, ...(isGuest && ownSettings()) };
  Object.assign(store, {
    version: state.version,
    isGuest,
    hasCamera,
    hasWeb,
    model,
    shared: state.activeModel,
    settings: isChanged ? store.settings : settings,
    limits: { ...store.limits, ...state.limits },
    training: isNewer ? store.training : training,
  });
  chooseTheme(store.settings.theme);
  tell("model", store.model);
  tell("settings", store.settings);
  return store;
}

/** The model that this browser has chosen; the shared one if there is no choice, or it is gone. */
async function modelInUse(shared) {
  const { chosen } = store;
  if (!chosen || chosen === shared.id) return shared;
  const found = (await api.models()).find(({ id }) => id === chosen);
  if (found || store.chosen !== chosen) return found ?? shared;
  keepChosen(null);
  tell("model-gone", shared);
  return shared;
}

/** What the model in use is called. */
export function modelTitle() {
  return store.chosen ? "This browser’s model" : "Active model";
}

/** Uses a model in this browser only; null for the shared one. */
export async function chooseModel(id) {
  keepChosen(id);
  await load();
}

/** Uses a new model: in this browser if it has its own choice, or else for everybody. */
export async function useModel(id) {
  if (store.chosen) keepChosen(id);
  else await api.updateModel(id, { isActive: true });
}

function keepChosen(id) {
  store.chosen = id;
  keep(chosenKey, id || null);
}

// Another tab of this browser chose.
addEventListener("storage", ({ key }) => {
  if (key !== chosenKey && key !== null) return;
  store.chosen = keptText(chosenKey);
  load().catch(() => {});
});

/** Shows a model in use as the server has it now. */
export function setModel(model) {
  store.model = model;
  tell("model", model);
}

/** The server's settings while changes are being sent; null while none is. */
let settingsBefore = null;
let settingsSent = Promise.resolve();

/** A guest's own settings, which only their browser keeps. */
function ownSettings() {
  // The tips are about what only the owner does.
  return { theme: "system", penSize: 6, onboardingSeen: true, ...keptValue(ownKey) };
}

function changeOwnSettings(changes) {
  keep(ownKey, JSON.stringify({ ...ownSettings(), ...changes }));
  showSettings({ ...store.settings, ...changes });
}

/** Changes settings at once, sends the changes in order, and reverts those that fail. */
export async function changeSettings(changes) {
  if (store.isGuest) {
    changeOwnSettings(changes);
    return;
  }
  settingsBefore ??= store.settings;
  showSettings({ ...store.settings, ...changes });
  const answer = settingsSent.then(() => api.updateSettings(changes));
  const turn = answer.catch(() => {});
  settingsSent = turn;
  try {
    settingsBefore = { ...settingsBefore, ...(await answer) };
  } finally {
    // A later change is newer than this answer.
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
