// Prints the answers of an exported page's model: page_answers.mjs PAGE JSON-OF-VECTORS

import { readFileSync } from "node:fs";

import { exported, openPage } from "../PageLogic/page.mjs";

const load = openPage(exported);
const { answer } = await load("decision.js");
const { unpack } = await load("numbers.js");

const [page, vectors] = process.argv.slice(2);
const html = readFileSync(page, "utf8");
const content = (id) => html.match(new RegExp(`id="${id}"[^>]*>([^<]*)<`))[1];
const { terms } = JSON.parse(content("model"));
const numbers = await unpack(content("numbers"));
const answers = JSON.parse(vectors).map((vector) =>
  answer(Float32Array.from(vector), terms, numbers));
process.stdout.write(JSON.stringify(answers));
