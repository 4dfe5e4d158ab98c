// The server's event stream: few attempts when it is lost, none while the page is hidden.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { settle } from "./clock.mjs";
import { Studio } from "./studio.mjs";
import { Tab } from "./tab.mjs";

let [studio, tab, heard, events] = [];

beforeEach(async () => {
  await settle();
  studio = new Studio();
  tab = new Tab(studio);
  heard = [];
  const { listen } = await tab.load("store.js");
  listen("connection", ({ isOpen, wasLost }) => heard.push([isOpen, wasLost]));
  events = await tab.load("events.js");
  events.listenToServer("a sheet");
  await settle();
});

test("a stream is open for the page's sheet, and no second one", async () => {
  assert.deepEqual(studio.streams.map(({ playground }) => playground), ["a sheet"]);
  assert.deepEqual(heard, [[true, false]]);
  events.listenToServer("a sheet");
  await settle();
  assert.equal(tab.tries, 1);
  // Without a sheet the events are those of everybody.
  events.listenToServer(null);
  await settle();
  assert.deepEqual(tab.streams.map(({ playground }) => playground), [null]);
});

test("an idle page wakes for nothing", async () => {
  await tab.clock.pass(3_600_000);
  assert.equal(tab.tries, 1);
  assert.equal(tab.clock.timers.size, 0);
  assert.deepEqual(studio.requests, []);
});

test("a lost server is looked for five times, ever more seldom, and then no more", async () => {
  studio.stop();
  assert.deepEqual(heard.at(-1), [false, true]);
  const tried = [];
  for (let before = tab.tries, passed = 0; passed < 120_000; before = tab.tries) {
    await tab.clock.pass(100);
    passed += 100;
    if (tab.tries > before) tried.push(passed);
  }
  assert.deepEqual(tried, [400, 1600, 4600, 12_600, 32_600]);
  assert.equal(tab.clock.timers.size, 0);
});

for (const sign of ["keydown", "pointerdown", "online"]) {
  test(`${sign} wakes a page that has given up`, async () => {
    studio.stop();
    await tab.clock.pass(120_000);
    studio.start();
    const { tries } = tab;
    tab.happens(sign);
    await settle();
    assert.equal(tab.tries, tries + 1);
    assert.deepEqual(heard.at(-1), [true, true]);
    // Once it is open, nothing is tried.
    tab.happens(sign);
    await settle();
    assert.equal(tab.tries, tries + 1);
  });
}

test("a hidden page closes its stream, and a seen one opens it", async () => {
  await tab.show(false);
  assert.deepEqual(tab.streams, []);
  await tab.clock.pass(60_000);
  assert.equal(tab.tries, 1);
  tab.happens("keydown");
  assert.equal(tab.tries, 1);
  await tab.show(true);
  assert.equal(tab.streams.length, 1);
});

test("a hidden page does not look for a lost server", async () => {
  studio.stop();
  await tab.show(false);
  await tab.clock.pass(60_000);
  assert.equal(tab.tries, 1);
});

test("events are told once, and what cannot be read is left out", async () => {
  const { listen } = await tab.load("store.js");
  const told = [];
  listen("trained", (event) => told.push(event));
  const [stream] = tab.streams;
  stream.dispatchEvent(Object.assign(new Event("trained"), { data: "{spoiled" }));
  stream.dispatchEvent(Object.assign(new Event("trained"), { data: '{"model":"m"}' }));
  // A stream that was replaced tells nothing any more.
  events.reconnect();
  stream.dispatchEvent(Object.assign(new Event("trained"), { data: '{"model":"n"}' }));
  assert.deepEqual(told, [{ model: "m" }]);
});

test("a page that comes back from the browser's cache opens its stream", async () => {
  for (const stream of [...tab.streams]) stream.close();
  const { tries } = tab;
  tab.happens("pageshow", { persisted: true });
  await settle();
  assert.equal(tab.tries, tries + 1);
});
