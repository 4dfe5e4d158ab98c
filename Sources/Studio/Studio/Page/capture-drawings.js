// Photos of worksheets, or of any paper, as samples of the model in use (CA-020 to CA-022).

import { api } from "./api.js";
import { askText } from "./dialogs.js";
import { button, count, emoji, fill, make } from "./dom.js";
import { icon } from "./icons.js";
import { inkPicture } from "./ink-picture.js";
import { askLabel } from "./picker.js";
import { change } from "./refresh.js";
import { download } from "./sheet-export.js";
import { listen, store } from "./store.js";
import { showError, speak, toast } from "./toasts.js";

/** The labels that a worksheet begins with. */
const mostLabels = 24;

export class DrawingsTab {
  isForSeveral = true;
  cameraWords = "Take a photo";
  lead = "Print a worksheet, let people draw, take a photo of each page: every box is a drawing.";
  /** What was found in photos and is not added yet. */
  sheets = [];
  hasAdded = false;
  isAdding = false;

  constructor() {
    this.actions = button("is-quiet", [icon("import"), "Print a worksheet"], askWorksheet);
    this.found = make("div", { class: "paper-sheets" });
    this.bar = make("div", { class: "paper-add" });
    this.element = make("div", {}, this.found, this.bar);
    listen("model", () => this.showBar());
    // What was looked through is not lost without a question.
    addEventListener("beforeunload", (event) => {
      if (this.sheets.length > 0) event.preventDefault();
    });
  }

  refresh() {
    this.show();
  }

  async read(file, { isFree = false } = {}) {
    const sheet = await api.captureDrawings(store.model.id, file, isFree);
    const { drawings, unreadable, isWorksheet } = sheet;
    if (drawings.length === 0 && unreadable.length === 0) {
      throw new Error(isWorksheet ? "All of its boxes are empty." : "It has no drawing.");
    }
    const isSame = (each) => each.drawings.length > 0 && each.drawings[0].id === drawings[0]?.id;
    this.sheets = this.sheets.filter((each) => !isSame(each));
    this.sheets.push({ ...sheet, name: file.name, left: new Set() });
    this.show();
    speak(`${count(drawings.length, "drawing")} found.`);
  }

  show() {
    fill(this.found, this.sheets.map((sheet) => this.sheet(sheet)));
    this.showBar();
  }

  /** What will be added: the drawings with a label that are not left out. */
  taken({ drawings, left }) {
    return drawings.filter(({ id, label }) => label && !left.has(id));
  }

  showBar() {
    const all = this.sheets.flatMap(({ drawings, left }) =>
      drawings.filter(({ id }) => !left.has(id)));
    const number = all.filter(({ label }) => label).length;
    const nameless = all.length - number;
    const isTrainable = this.hasAdded && this.sheets.length === 0;
    fill(this.bar, all.length > 0 && [
      nameless > 0 && make("p", {
        class: "soft",
        text: `${count(nameless, "drawing")} without a label: give labels, or leave them out.`,
      }),
      button("is-primary", [icon("add"), `Add all (${number})`], () => this.add(), {
        disabled: number === 0, data: { key: "add all" },
      }),
      make("p", { class: "soft", text: `They become samples of “${store.model.name}”.` }),
    ], isTrainable && make("a", { class: "button is-primary", href: "#train", text: "Now train" }));
  }

  sheet(sheet) {
    const { isWorksheet, page, pages, drawings, unreadable, empty } = sheet;
    const facts = [
      isWorksheet ? `worksheet, page ${page} of ${pages}` : "no worksheet: found one by one",
      count(drawings.length, "drawing"),
      isWorksheet && count(empty, "empty box", "empty boxes"),
      unreadable.length > 0 && `${unreadable.length} unreadable`,
    ].filter(Boolean);
    const tiles = make("ul", { class: "thumbs paper-tiles" });
    const picture = make("div", { class: "paper-page" });
    const show = () => {
      fill(tiles, drawings.map((drawing) => this.tile(sheet, drawing, show)));
      fill(picture, pagePicture(sheet));
      this.showBar();
    };
    show();
    return make("section", { class: "card paper-sheet", "aria-label": sheet.name },
      make("div", { class: "paper-sheet-words" },
        make("h2", { text: sheet.name }), make("p", { class: "soft", text: facts.join(" · ") }),
        unreadable.map(({ problem }) => make("p", { class: "soft", text: `A box: ${problem}.` })),
        button("is-quiet", "Leave out the photo", () => this.leaveOut(sheet))),
      picture, tiles);
  }

  leaveOut(sheet) {
    this.sheets = this.sheets.filter((each) => each !== sheet);
    this.show();
    toast(`“${sheet.name}” is left out.`, {
      action: "Undo",
      onaction: () => {
        this.sheets.push(sheet);
        this.show();
      },
    });
  }

  /** A drawing: pressed, it is left out or taken again; below it is its label. */
  tile(sheet, drawing, show) {
    const { id, label, strokes } = drawing;
    const isLeft = sheet.left.has(id);
    const name = label || "no label";
    return make("li", { class: "paper-tile" },
      make("button", {
        class: "thumb", type: "button", "aria-pressed": String(!isLeft), data: { key: id },
        "aria-label": `${name}: ${isLeft ? "left out" : "will be added"}`,
        onclick: () => {
          if (!sheet.left.delete(id)) sheet.left.add(id);
          show();
        },
      }, inkPicture(strokes)),
      button("is-quiet paper-label", label ? emoji(label) : "Label", async () => {
        const chosen = await askLabel("It is a …", label ?? "");
        if (!chosen) return;
        drawing.label = chosen;
        show();
      }, { "aria-label": `Change the label: ${name}`, data: { key: `label ${id}` } }));
  }

  /** Adds what is not left out and has a label: all of a photo, or nothing of it. */
  async add() {
    if (this.isAdding) return;
    this.isAdding = true;
    const model = store.model;
    const before = this.sheets;
    const added = [];
    await change(async () => {
      for (const sheet of before) {
        const samples = this.taken(sheet).map(({ id, label, canvas, strokes }) =>
          ({ id: sampleID(id, label), label, canvas, strokes }));
        if (samples.length > 0) added.push(...(await api.addSamples(model.id, samples)));
        // Those without a label wait for one.
        const rest = sheet.drawings.filter(({ id, label }) => !label && !sheet.left.has(id));
        this.sheets = this.sheets.flatMap((each) => {
          if (each !== sheet) return [each];
          return rest.length > 0 ? [{ ...sheet, drawings: rest }] : [];
        });
      }
      this.hasAdded = true;
    });
    this.isAdding = false;
    this.show();
    if (added.length === 0) {
      if (this.sheets.length === 0) toast("These drawings were added before.");
      return;
    }
    toast(`${count(added.length, "drawing")} added to “${model.name}”.`, {
      kind: "good", action: "Undo", seconds: 20, onaction: () => this.undo(model, added, before),
    });
  }

  /** Deletes what was added, and shows it again. */
  async undo(model, added, before) {
    await change(async () => {
      for (const id of added) {
        try {
          await api.deleteSample(model.id, id);
        } catch (error) {
          // Somebody else has deleted it.
          if (error.status !== 404) throw error;
        }
      }
      this.sheets = [...before, ...this.sheets.filter((each) => !before.includes(each)
        && !before.some(({ picture }) => picture === each.picture))];
      this.hasAdded = false;
    });
    this.show();
  }
}

/** The same box of the same photo under the same label is one sample. */
function sampleID(id, label) {
  const letters = [...label].map((each) => each.codePointAt(0).toString(16)).join("-");
  return `${id}-${letters}`.slice(0, 128);
}

/** The straightened page, with what was found on it. */
function pagePicture({ picture, width, height, drawings, unreadable, left }) {
  const box = ({ place }, look) => make("svg:rect", {
    class: `paper-box ${look}`, x: place.x, y: place.y, width: place.width, height: place.height,
  });
  const ink = ({ place, strokes }) => make("svg:path", {
    class: "paper-ink", transform: `translate(${place.x} ${place.y})`,
    d: strokes.map(([xs, ys]) => `M${xs.map((x, index) => `${x} ${ys[index]}`).join("L")}`).join(""),
  });
  const words = { role: "img", "aria-label": "The page with the drawings that were found" };
  return make("svg:svg", { viewBox: `0 0 ${width} ${height}`, ...words },
    make("svg:image", { href: picture, width, height }),
    drawings.map((each) => box(each, left.has(each.id) ? "is-left" : "")),
    unreadable.map((each) => box(each, "is-unreadable")),
    drawings.filter(({ id }) => !left.has(id)).map(ink));
}

/** Asks what to draw, and saves the pages to print. */
async function askWorksheet() {
  let labels = [];
  try {
    labels = (await api.labels(store.model.id)).map(({ label }) => label);
  } catch (error) {
    showError(error);
    return;
  }
  const paper = (name, index) => make("label", { class: "choice" },
    make("input", {
      type: "radio", name: "paper", value: name.toLowerCase(), checked: index === 0,
    }),
    make("span", { class: "choice-face", text: name }));
  askText({
    title: "Print a worksheet",
    fields: [
      {
        name: "labels", label: "What to draw: emojis or words, with commas between them",
        value: labels.slice(0, mostLabels).join(", "), placeholder: "⭐, 🏠, ice cream", most: 2000,
      },
      { name: "title", label: "A line above the boxes", required: false, most: 80 },
    ],
    extra: [make("fieldset", { class: "field" }, make("legend", { text: "Paper" }),
      make("div", { class: "choices" }, ["A4", "Letter"].map(paper)))],
    yes: "Save it",
    submit: async ({ labels: text, title }) => {
      const named = text.split(",").map((each) => each.trim()).filter(Boolean);
      const size = document.querySelector("input[name=paper]:checked").value;
      const pages = await api.worksheet({ labels: [...new Set(named)], paper: size, title });
      download(pages, "worksheet.pdf");
      toast("The worksheet is saved. Print it at 100 %.", { kind: "good" });
    },
  });
}
