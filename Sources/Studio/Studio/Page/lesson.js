// A correction is a lesson: the drawing becomes a sample, and the model learns it at once.

import { api } from "./api.js";
import { identifier } from "./dom.js";
import { nameOf } from "./emojis.js";
import { load, store } from "./store.js";
import { showError, speak, toast } from "./toasts.js";
import { learn } from "./training.js";

/** The samples that lessons made, with their labels. */
const made = new Map();

/** The newest lesson, whose toast is shown. */
let newest = null;

/** The columns of strokes with times from the drawing's start, as samples have them. */
function fromStart(strokes) {
  const start = strokes[0]?.[2]?.[0];
  if (start === undefined) return strokes;
  return strokes.map(([xs, ys, ts]) => (ts ? [xs, ys, ts.map((t) => t - start)] : [xs, ys]));
}

/** Deletes a sample, unless another tab did. */
async function remove(model, id) {
  try {
    await api.deleteSample(model, id);
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  made.delete(id);
}

/** Gives a lesson's sample another label. */
async function rename(model, id, label) {
  await api.relabelSample(model, id, label);
  made.set(id, label);
}

/** Saves a sample, or relabels the one with its id. Returns a function that undoes that. */
async function save(model, sample) {
  const { id, label } = sample;
  let before = made.get(id);
  if (!before) {
    try {
      await api.addSample(model, sample);
      made.set(id, label);
      return () => remove(model, id);
    } catch (error) {
      if (error.code !== "idTaken") throw error;
      // An earlier load of the page made it.
      before = await labelOf(model, id);
    }
  }
  await rename(model, id, label);
  return async () => before && rename(model, id, before);
}

/** The label of the sample with an id; undefined if there is none. */
async function labelOf(model, id) {
  const [sample] = await api.samplesOf(model, [id]);
  return sample?.label;
}

/** Trains a model after an undone lesson; a guest leaves that to the owner. */
async function forget(model) {
  await load();
  if (store.isGuest) return;
  learn(model, () => speak("It has forgotten that."));
}

/**
 * Undoes a lesson from an earlier load of the page, unless its sample was relabeled or deleted
 * since.
 * @param {string} id The drawing's.
 * @param {string} label The label of the lesson.
 * @param {string|null} before The label before that; null if it was not a sample.
 */
export async function unteach(model, id, label, before) {
  try {
    if (await labelOf(model, id) !== label) return;
    if (before) await rename(model, id, before);
    else await remove(model, id);
    await forget(model);
  } catch (error) {
    showError(error);
  }
}

/**
 * Saves a drawing as a sample and trains the model; a guest leaves that to the owner.
 *
 * A drawing keeps its id: corrected again, its sample gets another label instead of a second
 * sample.
 * @param {string} model The model's id.
 * @param {{id?: string, canvas: object, strokes: Array}} drawing Its strokes as columns.
 * @param {string} label What it is.
 * @param {object} [options] `onlearned()` is called when the model knows it; `onundo()` instead of
 *   the lesson's own `undo` when the person takes it back.
 * @returns {Promise<{label: string, undo: Function}|null>} `undo` takes the lesson back. Null if it
 *   could not be saved; the error was shown.
 */
export async function teach(model, drawing, label, { onlearned = () => {}, onundo } = {}) {
  const { id = identifier(), canvas, strokes } = drawing;
  const sample = { id, label, canvas, strokes: fromStart(strokes) };
  let undo;
  try {
    undo = await save(model, sample);
  } catch (error) {
    showError(error);
    return null;
  }
  let isUndone = false;
  const lesson = {
    label,
    undo: async () => {
      if (isUndone) return;
      isUndone = true;
      close();
      try {
        await undo();
        await forget(model);
      } catch (error) {
        showError(error);
      }
    },
  };
  const next = store.isGuest ? "The next training will learn it." : "Learning it …";
  const options = {
    emoji: label, action: "Undo", topic: "lesson", onaction: onundo ?? lesson.undo,
  };
  let close = toast(`That is ${label}. ${next}`, options);
  newest = lesson;
  if (!store.isGuest) {
    learn(model, async () => {
      if (isUndone) return;
      onlearned();
      if (newest === lesson) close = toast(`That is ${label}. Learned.`, options);
      speak(`Learned: ${await nameOf(label)}.`);
    });
  }
  load().catch(() => {});
  return lesson;
}
