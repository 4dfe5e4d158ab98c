// The link between the sheet and the server when the page is reloaded, or the server started again.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { settle } from "./clock.mjs";
import { openSheet } from "./sheet.mjs";
import { Studio } from "./studio.mjs";
import { Tab } from "./tab.mjs";

let [studio, tab, sheet] = [];

beforeEach(async () => {
  // What the page of the test before still had to do.
  await settle();
  studio = new Studio();
  tab = new Tab(studio);
  sheet = await openSheet(tab);
});

async function reload() {
  await tab.reload();
  sheet = await openSheet(tab);
}

/** The server is killed and started again; it had saved the strokes that `isKept` says. */
async function restart(isKept) {
  studio.stop();
  await settle();
  studio.start(isKept);
  sheet.link.retry();
  await settle();
}

/** Requests with actions do not get through. */
function block() {
  studio.answerInstead = ({ path }) => {
    if (path.endsWith("/actions")) throw new TypeError("Failed to fetch");
  };
  return () => {
    studio.answerInstead = () => undefined;
  };
}

// MARK: The page is reloaded

test("what could not be sent outlives a reload, once", async () => {
  const unblock = block();
  await sheet.draw("a");
  await sheet.draw("b");
  unblock();
  await reload();
  assert.deepEqual(studio.ids, ["a", "b"]);
  await reload();
  assert.deepEqual(studio.ids, ["a", "b"]);
  assert.deepEqual([...sessionStorage.texts], []);
});

test("it is sent whichever screen the reload opens", async () => {
  const unblock = block();
  await sheet.draw("a");
  unblock();
  await tab.reload();
  await (await tab.load("store.js")).load();
  const { PlaygroundLink } = await tab.load("playground-link.js");
  PlaygroundLink.wakeAll();
  await settle();
  assert.deepEqual(studio.ids, ["a"]);
});

test("its times are those of the new page's clock", async () => {
  await tab.clock.pass(5000);
  block();
  await sheet.draw("a");
  const drawn = tab.clock.now - 50;
  await tab.clock.pass(700);
  await tab.reload();
  sheet = await openSheet(tab);
  const [{ columns: [, , [t]] }] = sheet.link.waiting;
  assert.equal(t, drawn - tab.clock.opened);
  assert.ok(t < 0);
});

test("a lost answer before a reload draws nothing twice", async () => {
  studio.loses = "stroke";
  await sheet.draw("a");
  await reload();
  assert.deepEqual(studio.ids, ["a"]);
});

test("what was asked for more than a minute ago takes nothing off", async () => {
  await sheet.draw("a");
  const unblock = block();
  await sheet.draw("b");
  await sheet.do("clear");
  await sheet.do("undo");
  tab.happens("pagehide");
  tab.clock.now += 60_000;
  unblock();
  tab.open();
  sheet = await openSheet(tab);
  assert.deepEqual(studio.ids, ["a", "b"]);
});

test("a pen that is down as the page is left is not waited for", async () => {
  const unblock = block();
  await sheet.draw("a");
  await sheet.draw("b", { isDown: true });
  unblock();
  await reload();
  assert.deepEqual(studio.happened, ["begin", "stroke"]);
});

test("what was kept but cannot be read is no waiting ink", async () => {
  sessionStorage.setItem(`drawml.waiting.${sheet.link.id}`, "{spoiled");
  tab.open();
  sheet = await openSheet(tab);
  assert.deepEqual(sheet.link.waiting, []);
  await sheet.draw("a");
  assert.deepEqual(studio.ids, ["a"]);
});

test("a page that comes back from the browser's cache sends what no other load has sent", async () => {
  for (const isTaken of [false, true]) {
    const unblock = block();
    await sheet.draw(isTaken ? "b" : "a");
    tab.happens("pagehide", { persisted: true });
    unblock();
    // Another load of the page.
    if (isTaken) sessionStorage.removeItem(`drawml.waiting.${sheet.link.id}`);
    tab.happens("pageshow", { persisted: true });
    await settle();
    assert.deepEqual([studio.ids, sheet.link.queue], [["a"], []]);
  }
  await sheet.draw("c");
  assert.deepEqual(studio.ids, ["a", "c"]);
});

// MARK: The server is started again

test("a stroke that the killed server had not saved is sent again, others are not", async () => {
  await sheet.draw("a");
  // The page is told of the stroke, but not that it is saved.
  studio.loses = "stroke";
  await sheet.draw("b");
  assert.deepEqual(sheet.link.waiting, []);
  await restart(({ id }) => id === "a");
  assert.deepEqual(studio.ids, ["a", "b"]);
  assert.equal(studio.happened.filter((each) => each === "stroke").length, 3);
});

test("a stroke whose answer was lost is there once after a restart", async () => {
  studio.loses = "stroke";
  await sheet.draw("a");
  await restart(() => true);
  assert.deepEqual(studio.ids, ["a"]);
  // Its pen is not down.
  assert.deepEqual(studio.happened, ["begin", "stroke"]);
});

test("a decided stroke whose answer and events were lost is there once, too", async () => {
  const tell = studio.tell;
  studio.tell = () => {};
  studio.loses = "stroke";
  await sheet.draw("a");
  studio.decide();
  studio.tell = tell;
  await restart(() => true);
  assert.deepEqual(studio.ids, ["a"]);
  assert.deepEqual(studio.happened, ["begin", "stroke"]);
  assert.deepEqual(sheet.link.waiting, []);
});

test("an undo whose answer was lost is not done twice after a restart", async () => {
  await sheet.draw("a");
  await sheet.draw("b");
  studio.loses = "undo";
  await sheet.do("undo");
  await restart(() => true);
  assert.deepEqual(studio.ids, ["a"]);
});

test("an undo that was never sent is done after a restart", async () => {
  await sheet.draw("a");
  await sheet.draw("b");
  studio.stop();
  // Of the first one nobody knows whether it arrived; the second one waits behind it.
  await sheet.do("undo");
  await sheet.do("undo");
  studio.start();
  sheet.link.retry();
  await settle();
  assert.deepEqual(studio.ids, ["a"]);
});

for (const had of ["both or neither", "the stroke alone"]) {
  test(`an undo goes with its stroke after a restart of a server that had ${had}`, async () => {
    await sheet.draw("a");
    const unblock = block();
    await sheet.draw("b");
    await sheet.do("undo");
    sheet.link.retry();
    await settle();
    unblock();
    const [{ stroke }] = sheet.link.queue.filter((each) => each.stroke);
    if (had === "the stroke alone") studio.strokes.push({ ...stroke, number: 2 });
    await restart(() => true);
    assert.deepEqual(studio.ids, ["a"]);
    assert.equal(sheet.link.queue.length, 0);
  });
}

test("a stroke that reaches the new server before its first event is drawn there", async () => {
  await sheet.draw("a");
  studio.start(() => true);
  // The stream is open still, and the next stroke's request tells the run that it knows of.
  await sheet.draw("b");
  assert.deepEqual(studio.ids, ["a", "b"]);
  assert.equal(sheet.told.includes("anew"), true);
});

test("ink of a screen that was left outlives a kill", async () => {
  studio.loses = "stroke";
  await sheet.draw("a");
  sheet.link.detach();
  studio.stop();
  studio.start(() => false);
  await tab.clock.pass(1000);
  tab.happens("keydown");
  await settle();
  assert.deepEqual(studio.ids, ["a"]);
});

test("a reload after a kill sends what the server had not saved", async () => {
  studio.loses = "stroke";
  await sheet.draw("a");
  studio.stop();
  await tab.reload();
  studio.start(() => false);
  sheet = await openSheet(tab);
  assert.deepEqual(studio.ids, ["a"]);
});

test("a tab that was hidden brings nothing back that was cleared meanwhile", async () => {
  await sheet.draw("a");
  await tab.show(false);
  // As another tab does.
  studio.strokes = [];
  studio.start();
  await tab.show(true);
  assert.deepEqual(studio.ids, []);
});

test("the pen of a stroke that the new server has is not put down again", async () => {
  studio.loses = "stroke";
  await sheet.draw("a");
  await sheet.draw("b");
  await restart(() => true);
  assert.deepEqual(studio.ids, ["a", "b"]);
  assert.deepEqual(studio.happened, ["begin", "stroke", "begin", "stroke"]);
});
