// The report of a training: what the model says of itself, what to draw next, the drawings that
// look wrong, and the numbers for grown-ups.

import { api } from "./api.js";
import { button, decorativeEmoji, emoji, fill, isWord, make, meter, percent } from "./dom.js";
import { nameOf } from "./emojis.js";
import { inkPicture } from "./ink-picture.js";
import { advice, facts, headline, markOf, prospect, summary } from "./report-words.js";
import { go } from "./router.js";
import { givenName, store, tell } from "./store.js";

/** The maximum number of shown drawings that look wrong. */
const mostMistaken = 12;

/** The report of the active model. */
export class ReportView {
  constructor() {
    this.element = make("div", {
      class: "report", id: "report", role: "region", "aria-label": "What it learned",
    });
    this.names = [];
  }

  /** Shows a report; null for none. */
  show(report) {
    if (report === this.shown) return;
    this.shown = report;
    this.names = [];
    if (!report) {
      fill(this.element);
      return;
    }
    const mistaken = make("div", { class: "report-mistaken", hidden: true });
    fill(this.element,
      make("p", { class: "report-headline", text: headline(report, store.model.isEveryday) }),
      this.advice(report),
      mistaken,
      this.numbers(report));
    if (report.mistaken.length > 0) this.showMistaken(report, mistaken);
  }

  /** How much of each emoji is right; another training's are open where the last ones were. */
  numbers(report) {
    const isAlone = report.labels.some(({ judged }) => judged === 0);
    const hint = "A drawing counts as right when a model that learned all the others recognizes it."
      + (isAlone ? " An emoji needs two drawings before it can be tested." : "");
    const hope = prospect(report);
    const isOpen = this.details?.open ?? false;
    this.details = make("details", { class: "report-numbers", open: isOpen },
      make("summary", { text: "For grown-ups" }),
      make("p", { class: "report-summary", text: summary(report) }),
      hope ? make("p", { class: "report-prospect", text: hope }) : null,
      make("ul", { class: "report-rows" }, inOrder(report.labels).map((each) => this.row(each))),
      make("p", { class: "field-hint", text: hint }));
    return this.details;
  }

  /** Shows the labels' current names. */
  rename() {
    for (const name of this.names) name();
  }

  /** What to draw next, with the way there. */
  advice(report) {
    const given = advice(report);
    if (given.length === 0) return null;
    const names = new Map(report.labels.map(({ label, name }) => [label, name]));
    return make("div", { class: "report-advice" }, make("h3", { text: "Draw next" }),
      given.map(({ labels, text }) => {
        const words = make("p");
        const call = () => {
          words.textContent = text((label) => givenName(label) ?? names.get(label) ?? label);
        };
        call();
        this.names.push(call);
        return make("div", { class: "report-next" }, words, labels.map((label) =>
          button("is-quiet", ["Draw ", emoji(label)], () => go("train", label))));
      }));
  }

  row(row) {
    const { label, name, judged, recognizedShare } = row;
    const mark = markOf(row);
    const words = make("span", { class: "report-name" });
    const call = async () => {
      const given = () => givenName(label) ?? name;
      words.textContent = given() ?? label;
      if (given()) return;
      const found = await nameOf(label);
      words.textContent = given() ?? found;
    };
    call();
    this.names.push(call);
    return make("li", { class: `report-row${isWord(label) ? " is-word" : ""}` },
      isWord(label) ? null : decorativeEmoji(label, "report-emoji"),
      words,
      make("span", { class: "report-share", text: judged > 0 ? percent(recognizedShare) : "–" }),
      make("span", { class: `tag is-${mark.look}`, text: mark.words }),
      judged > 0 ? meter(recognizedShare) : null,
      make("span", { class: "report-words" }, facts(row).map((text) => make("span", { text }))));
  }

  /** The drawings that the model would misread or reject, to review and perhaps delete. */
  async showMistaken(report, place) {
    const first = report.mistaken.slice(0, mostMistaken);
    const wanted = new Map(first.map((each) => [each.sample, each]));
    let samples;
    try {
      samples = await api.samplesOf(store.model.id, [...wanted.keys()]);
    } catch {
      return;
    }
    // Some may have been relabeled since.
    samples = samples.filter(({ id, label }) => wanted.get(id).label === label);
    if (samples.length === 0 || this.shown !== report) return;
    place.hidden = false;
    const rest = report.mistaken.length - wanted.size;
    const hint = (text) => make("p", { class: "field-hint", text });
    fill(place,
      make("h3", { text: "Easily mistaken" }),
      hint("Look at these first. Open one to change its emoji or delete it."),
      make("ul", { class: "mistaken" },
        samples.map((sample) => this.mistake(sample, wanted.get(sample.id).takenFor))),
      rest > 0 ? hint(`And ${rest} more.`) : null);
  }

  /** A drawing, its label, and the model's label for it; null if it would be rejected. */
  mistake(sample, takenFor) {
    const open = () => tell("open-sample", sample);
    const button = make("button", { class: "thumb", type: "button", onclick: open },
      inkPicture(sample.strokes),
      make("span", { class: "thumb-note", "aria-hidden": "true" },
        emoji(sample.label), "→", takenFor ? emoji(takenFor) : "?"));
    const call = () => {
      const [is, seems] = [sample.label, takenFor].map((label) => givenName(label) ?? label);
      const words = `A ${is} that looks like ${seems ?? "nothing it knows"}`;
      button.setAttribute("aria-label", `${words}. Open it.`);
      button.title = words;
    };
    call();
    this.names.push(call);
    return make("li", {}, button);
  }
}

/** Labels that got worse first, then those with the lowest shares; untested ones last. */
function inOrder(labels) {
  const rank = ({ change, recognizedShare: share }) => (change === "worse" ? 0 : 3) + (share ?? 2);
  return labels.toSorted((a, b) => rank(a) - rank(b));
}
