// Requests: what fails is an error with a sentence for people.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage } from "./page.mjs";

const { api } = await openPage()("api.js");

let [asked, answer] = [];

beforeEach(() => {
  asked = [];
  globalThis.fetch = async (path, options) => {
    asked.push([options.method, path, options.body && JSON.parse(options.body)]);
    return answer();
  };
});

/** Answers with a status and a text. */
function answers(text, status = 200) {
  answer = () => new Response(text, { status });
}

const unreachable = "The studio does not answer. Is it still running?";
const unreadable = "The studio’s answer could not be read.";

test("a server that is away is no answer", async () => {
  answer = () => {
    throw new TypeError("Failed to fetch");
  };
  await assert.rejects(api.state(), { message: unreachable, status: 0, code: "unreachable" });
});

test("a request that was given up is that, and no error of the server", async () => {
  answer = () => {
    throw new DOMException("", "AbortError");
  };
  await assert.rejects(api.certainty("m", 0.1), { name: "AbortError" });
});

test("what the server refuses is said in its words", async () => {
  const error = { code: "nameTaken", message: "That name is taken.", detail: "Pick another." };
  answers(JSON.stringify({ error }), 409);
  await assert.rejects(api.createModel("A"), { ...error, status: 409 });
  answers("<html>", 502);
  await assert.rejects(api.createModel("A"), { message: unreachable, status: 502 });
});

for (const text of ["null", '{"decision":', '{"decision":"recognized","label":"⭐"}', "[]"]) {
  test(`an answer that is none cannot be read: ${text}`, async () => {
    answers(text);
    await assert.rejects(api.classify("m", { strokes: [] }), { message: unreadable });
    await assert.rejects(api.addSample("m", {}), { message: unreadable });
    await assert.rejects(api.openPlayground({}), { message: unreadable });
    await assert.rejects(api.act("p", {}), { message: unreadable });
  });
}

test("every item of a list must have what is wanted", async () => {
  answers('{"models":[{"id":"a"},{"id":"b"}]}');
  assert.deepEqual(await api.models(), [{ id: "a" }, { id: "b" }]);
  answers('{"models":[{"id":"a"},{"name":"b"}]}');
  await assert.rejects(api.models(), { detail: "models[].id is missing." });
  answers('{"models":[]}');
  assert.deepEqual(await api.models(), []);
});

test("an answer without a body is nothing", async () => {
  answers(null, 204);
  assert.equal(await api.deleteModel("m"), null);
});

test("names are parts of addresses, whatever is in them", async () => {
  answers('{"label":"x","sampleCount":1}');
  await api.restoreLabel("a/b", "? & ⭐");
  const path = "/api/models/a%2Fb/labels/%3F%20%26%20%E2%AD%90/restore";
  assert.deepEqual(asked, [["POST", path, {}]]);
  for (const dots of [".", ".."]) {
    assert.throws(() => api.restoreLabel("m", dots), /cannot be part of a web address/);
  }
});

test("samples are asked for by label and from where one is", async () => {
  answers('{"samples":[],"next":null}');
  await api.samples("m", { label: "⭐", before: "x y", limit: 500 });
  assert.equal(asked[0][1], "/api/models/m/samples?limit=500&label=%E2%AD%90&before=x+y");
});
