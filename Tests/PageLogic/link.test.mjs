// The link between the sheet and the server: what is drawn arrives once and in order.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { settle } from "./clock.mjs";
import { openSheet } from "./sheet.mjs";
import { Studio, refusal } from "./studio.mjs";
import { Tab } from "./tab.mjs";

let [studio, tab, sheet] = [];

beforeEach(async () => {
  // What the page of the test before still had to do.
  await settle();
  studio = new Studio();
  tab = new Tab(studio);
  sheet = await openSheet(tab);
});

const actions = () => studio.requests.filter(({ path }) => path.endsWith("/actions"));

test("strokes arrive in order, one request at a time", async () => {
  const release = hold();
  await sheet.draw("a");
  await sheet.draw("b");
  await sheet.draw("c");
  assert.equal(actions().length, 1);
  release();
  await settle();
  assert.deepEqual(studio.ids, ["a", "b", "c"]);
  assert.equal(actions().length, 2);
  // Each says when it was sent, by the clock of the strokes' times.
  assert.deepEqual(actions().map(({ body }) => body.now), [0, 150]);
  assert.deepEqual(studio.happened, Array(3).fill(["begin", "stroke"]).flat());
  assert.deepEqual(sheet.told.slice(-3), ["pending", "pending", "pending"]);
});

test("a request has 50 actions at most", async () => {
  const release = hold();
  for (let index = 0; index < 70; index += 1) await sheet.draw(`s${index}`);
  release();
  await settle();
  assert.equal(studio.ids.length, 70);
  assert.ok(actions().every(({ body }) => body.actions.length <= 50));
  const sent = actions().flatMap(({ body }) => body.actions.map(({ id }) => id));
  assert.deepEqual([sent.length, new Set(sent).size], [140, 140]);
});

test("a lost answer draws nothing twice", async () => {
  studio.loses = "stroke";
  await sheet.draw("a");
  assert.equal(sheet.isPaused, true);
  sheet.link.retry();
  await settle();
  await sheet.do("undo");
  assert.deepEqual(studio.ids, []);
  assert.deepEqual(studio.happened, ["begin", "stroke", "undo"]);
  assert.equal(sheet.isPaused, false);
});

test("what waits behind a slow request is sent after the screen has closed", async () => {
  const release = hold();
  await sheet.draw("a");
  await sheet.draw("b");
  sheet.link.detach();
  release();
  await settle();
  assert.deepEqual(studio.ids, ["a", "b"]);
});

test("requests that fail are tried again by themselves: after 1, 3, 8 and 20 s", async () => {
  studio.answerInstead = ({ path }) => {
    if (path.endsWith("/actions")) throw new TypeError("Failed to fetch");
  };
  await sheet.draw("a");
  const begun = tab.clock.now;
  const tried = [];
  const count = () => actions().length;
  for (let seconds = 0, before = count(); seconds < 120; seconds += 1, before = count()) {
    await tab.clock.pass(1000);
    if (count() > before) tried.push((tab.clock.now - begun) / 1000);
  }
  assert.deepEqual(tried, [1, 4, 12, 32]);
  assert.equal(sheet.isPaused, true);
  // Then only a new action does.
  studio.answerInstead = () => undefined;
  await sheet.draw("b");
  assert.deepEqual(studio.ids, ["a", "b"]);
  assert.equal(sheet.isPaused, false);
});

test("one stroke that is refused costs no other", async () => {
  refuseStrokes(400);
  const release = hold();
  await sheet.draw("a");
  await sheet.draw("bad", { x: 100 });
  await sheet.draw("c");
  release();
  await settle();
  assert.deepEqual(studio.ids, ["a", "c"]);
  assert.deepEqual(sheet.refused, ["bad"]);
});

for (const status of [413, 422]) {
  test(`a stroke that is refused with ${status} leaves no pen down`, async () => {
    refuseStrokes(status);
    await sheet.draw("a");
    await sheet.draw("bad", { x: 100 });
    assert.deepEqual(studio.happened, ["begin", "stroke", "begin", "cancel"]);
    assert.deepEqual(sheet.refused, ["bad"]);
  });
}

test("a server that wants another token refuses no ink", async () => {
  studio.answerInstead = ({ path }) => (path.endsWith("/actions") ? refusal(401) : undefined);
  await sheet.draw("a");
  assert.deepEqual(sheet.refused, []);
  assert.equal(sheet.isPaused, true);
  studio.answerInstead = () => undefined;
  sheet.link.retry();
  await settle();
  assert.deepEqual(studio.ids, ["a"]);
});

test("an event that was missed brings a snapshot", async () => {
  await sheet.draw("a");
  studio.sequence += 3;
  const streams = tab.tries;
  studio.tell({ event: "removed", shape: 1 });
  await settle();
  assert.equal(tab.tries, streams + 1);
  assert.equal(sheet.told.at(-1), "snapshot");
  // One that is known already has no effect.
  const { length } = sheet.told;
  studio.sequence -= 2;
  studio.tell({ event: "removed", shape: 1 });
  assert.equal(sheet.told.length, length);
});

test("another tab's events are told as such", async () => {
  studio.do({ action: "stroke", id: "x", strokes: [[[1], [1], [1]]] }, "another client");
  await settle();
  assert.equal(sheet.told.at(-1), "pending elsewhere");
});

test("a model that is deleted elsewhere is no lost server", async () => {
  studio.models = [{ id: "n", name: "Other" }];
  studio.active = "n";
  studio.answerInstead = ({ path }) => (path.endsWith("/actions") ? refusal(404) : undefined);
  await sheet.draw("a");
  assert.equal(sheet.pauses, 0);
  assert.deepEqual(sheet.link.waiting, []);
});

test("a playground that could not be opened opens when the server is back", async () => {
  studio.stop();
  tab.open();
  sheet = await openSheet(tab);
  assert.equal(sheet.isPaused, true);
  await sheet.draw("a");
  studio.isAway = false;
  sheet.link.retry();
  await settle();
  assert.deepEqual(studio.ids, ["a"]);
  assert.equal(sheet.isPaused, false);
});

test("each model has a sheet, and guests one of their own", async () => {
  const { PlaygroundLink } = await tab.load("playground-link.js");
  assert.equal(PlaygroundLink.of("m"), sheet.link);
  assert.notEqual(PlaygroundLink.of("n").id, sheet.link.id);
  const { id } = sheet.link;
  await tab.reload();
  assert.equal((await openSheet(tab)).link.id, id);
  studio.isGuest = true;
  await tab.reload();
  const guests = (await openSheet(tab)).link.id;
  assert.match(guests, /^guest-[0-9a-f-]{36}$/);
  await tab.reload();
  assert.equal((await openSheet(tab)).link.id, guests);
});

test("a browser that keeps nothing draws all the same", async () => {
  localStorage.isForbidden = true;
  sessionStorage.isForbidden = true;
  tab.open();
  sheet = await openSheet(tab);
  await sheet.draw("a");
  assert.deepEqual(studio.ids, ["a"]);
});

/** Holds the answers to actions until the returned function is called. */
function hold() {
  let release;
  const held = new Promise((done) => {
    release = done;
  });
  const { answerInstead } = studio;
  studio.answerInstead = async (request) => {
    if (request.path.endsWith("/actions")) await held;
    return answerInstead(request);
  };
  return () => release();
}

/** Refuses requests with strokes that begin in the sheet's left part. */
function refuseStrokes(status) {
  studio.answerInstead = (request) => {
    const strokes = (request.body?.actions ?? []).filter(({ action }) => action === "stroke");
    return strokes.some(({ strokes: [[[x]]] }) => x < 300) ? refusal(status) : undefined;
  };
}
