// Paper (CA-022, CA-040): photos of worksheets become drawings, photos of pages become text.

import { api } from "./api.js";
import { WordsTab } from "./capture-words.js";
import { askText } from "./dialogs.js";
import { button, count, emoji, fill, make, meter } from "./dom.js";
import { icon } from "./icons.js";
import { inkPicture } from "./ink-picture.js";
import { askLabel } from "./picker.js";
import { change } from "./refresh.js";
import { download } from "./sheet-export.js";
import { listen, store } from "./store.js";
import { speak, toast } from "./toasts.js";

export const captureScreen = {
  title: "Paper",

  open(host, words, signal) {
    const isWords = words[0] === "words";
    const tab = isWords ? new WordsTab(signal) : new DrawingsTab(signal);
    const photos = new PhotoInput(tab, signal);
    photos.takeFiles(host);
    fill(host,
      make("div", { class: "screen-head" },
        make("h1", { class: "screen-title is-seen", text: "Paper" }),
        make("p", { class: "screen-lead", text: tab.lead }),
        make("nav", { class: "paper-tabs screen-tools", "aria-label": "What is on the paper" },
          tabLink("#capture", "Drawings", !isWords), tabLink("#capture/words", "Words", isWords))),
      photos.element, tab.element);
  },
};

function tabLink(href, text, isOpen) {
  const look = isOpen ? "button is-ink" : "button is-quiet";
  return make("a", { class: look, href, text, "aria-current": isOpen ? "page" : null });
}

/** The photo that is read, or could not be read, for another try; it outlives the screen. */
const waiting = { drawings: [], words: [] };

/**
 * Takes photos for a tab, and has it read one after the other. The tab has the words of the
 * buttons, `kind`, `isForSeveral`, `actions` and `read(file)`.
 */
class PhotoInput {
  constructor(tab, signal) {
    Object.assign(this, { tab, signal });
    const input = (settings) => make("input", {
      class: "unseen", type: "file", accept: "image/png,image/jpeg,.png,.jpg,.jpeg",
      tabindex: "-1", "aria-hidden": "true", ...settings,
      onchange: ({ currentTarget }) => {
        this.take([...currentTarget.files]);
        currentTarget.value = "";
      },
    });
    // Without a permission: the device's own camera takes the picture.
    const camera = input({ capture: "environment" });
    const library = input({ multiple: tab.isForSeveral });
    this.state = make("div", { class: "paper-state", role: "status" });
    this.element = make("section", { class: "card paper-input", "aria-label": "A photo" },
      make("div", { class: "paper-buttons" },
        button("is-primary", [icon("camera"), tab.cameraWords], () => camera.click()),
        button("", [icon("import"), "Choose from Library"], () => library.click()),
        tab.actions),
      this.state, camera, library);
    this.showFailed();
  }

  /** Takes photos that are dropped on the screen or pasted. */
  takeFiles(host) {
    const { signal } = this;
    const ondrop = (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      if (event.type === "drop") this.take([...event.dataTransfer.files]);
    };
    host.addEventListener("dragover", ondrop, { signal });
    host.addEventListener("drop", ondrop, { signal });
    document.addEventListener("paste", ({ clipboardData }) => {
      this.take([...clipboardData.files]);
    }, { signal });
  }

  /** Reads photos; those that cannot be read are kept for another try. */
  async take(files) {
    if (files.length === 0 || this.isReading) return;
    const failed = [];
    this.isReading = true;
    for (const [index, file] of files.entries()) {
      const words = files.length > 1 ? `Reading photo ${index + 1} of ${files.length} …`
        : "Reading the photo …";
      fill(this.state, make("p", { class: "paper-reading", text: words }),
        files.length > 1 ? meter(index / files.length)
          : make("progress", { class: "progress", "aria-label": words }));
      try {
        if (file.size > store.limits.templateBytes) {
          throw new Error(`${file.name} has more than ${store.limits.templateBytes >> 20} MB.`);
        }
        await this.tab.read(file);
      } catch (error) {
        failed.push({ file, error });
      }
    }
    this.isReading = false;
    waiting[this.tab.kind] = failed;
    this.showFailed();
  }

  showFailed() {
    const failed = waiting[this.tab.kind];
    fill(this.state, failed.map(({ file, error }) => make("p", { class: "paper-failed" },
      make("strong", { text: file.name }), ` ${error.message} ${error.detail ?? ""}`)),
    failed.length > 0 && make("div", { class: "paper-buttons" },
      button("", "Try again", () => this.take(failed.map(({ file }) => file))),
      button("is-quiet", "Leave out", () => {
        waiting[this.tab.kind] = [];
        this.showFailed();
      })));
    if (failed.length > 0) speak(failed[0].error.message, { urgent: true });
  }
}

/** What was found in photos and is not added yet; it outlives the screen. */
let sheets = [];

/** Photos of worksheets, or of any paper, as samples of the model in use. */
class DrawingsTab {
  kind = "drawings";
  isForSeveral = true;
  cameraWords = "Take a photo";
  lead = "Print a worksheet, let people draw, take a photo of each page: every box is a drawing.";

  constructor(signal) {
    this.actions = button("is-quiet", [icon("export"), "Print a worksheet"], askWorksheet);
    this.found = make("div", { class: "paper-sheets" });
    this.bar = make("div", { class: "paper-add" });
    this.element = make("div", {}, this.found, this.bar);
    listen("model", () => this.showBar(), signal);
    this.show();
  }

  async read(file) {
    const sheet = await api.captureDrawings(store.model.id, file);
    const { drawings } = sheet;
    if (drawings.length === 0) throw new Error("has no drawing; all of its boxes are empty.");
    sheets = sheets.filter((each) => each.drawings[0].id !== drawings[0].id);
    sheets.push({ ...sheet, name: file.name, left: new Set() });
    this.show();
    speak(`${count(drawings.length, "drawing")} found.`);
  }

  show() {
    fill(this.found, sheets.map((sheet) => this.sheet(sheet)));
    this.showBar();
  }

  showBar() {
    const all = sheets.flatMap(({ drawings, left }) => drawings.filter(({ id }) => !left.has(id)));
    const named = all.filter(({ label }) => label);
    const nameless = all.length - named.length;
    fill(this.bar, all.length > 0 && [
      nameless > 0 && make("p", {
        class: "soft",
        text: `${count(nameless, "drawing")} without a label: give labels, or leave them out.`,
      }),
      button("is-primary", [icon("add"), `Add all (${named.length})`], () => this.add(), {
        disabled: named.length === 0, data: { key: "add all" },
      }),
      make("p", { class: "soft", text: `They become samples of “${store.model.name}”.` }),
    ]);
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
        unreadable.map(({ problem }) => make("p", { class: "soft", text: `A box: ${problem}` })),
        button("is-quiet", "Leave out the photo", () => {
          sheets = sheets.filter((each) => each !== sheet);
          this.show();
        })),
      picture, tiles);
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
    const added = [];
    await change(async () => {
      for (const sheet of [...sheets]) {
        const taken = sheet.drawings.filter(({ id, label }) => label && !sheet.left.has(id));
        const rest = sheet.drawings.filter((each) => !taken.includes(each));
        const samples = taken.map(({ id, label, canvas, strokes }) =>
          ({ id, label, canvas, strokes }));
        if (samples.length > 0) added.push(...(await api.addSamples(model.id, samples)));
        sheet.drawings = rest.filter(({ label }) => !label);
        if (sheet.drawings.length === 0) sheets = sheets.filter((each) => each !== sheet);
      }
    });
    this.isAdding = false;
    this.show();
    if (added.length === 0) {
      if (sheets.length === 0) toast("These drawings were added before.");
      return;
    }
    toast(`${count(added.length, "drawing")} added to “${model.name}”.`, {
      kind: "good", action: "Undo", seconds: 20,
      onaction: () => change(async () => {
        for (const id of added) await api.deleteSample(model.id, id);
      }),
    });
    fill(this.bar, make("a", { class: "button is-primary", href: "#train", text: "Now train" }));
  }
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
function askWorksheet() {
  const labels = [...store.names.counts.keys()];
  askText({
    title: "Print a worksheet",
    fields: [
      {
        name: "labels", label: "What to draw: emojis or words, with spaces between them",
        value: labels.slice(0, 24).join(" "), most: 2000,
      },
      { name: "title", label: "A line above the boxes", required: false, most: 80 },
    ],
    extra: [make("fieldset", { class: "field" }, make("legend", { text: "Paper" }),
      make("div", { class: "choices" }, ["A4", "Letter"].map((name, index) =>
        make("label", { class: "choice" },
          make("input", {
            type: "radio", name: "paper", value: name.toLowerCase(), checked: index === 0,
          }),
          make("span", { class: "choice-face", text: name })))))],
    yes: "Save it",
    submit: async ({ labels: text, title }) => {
      const paper = document.querySelector("input[name=paper]:checked").value;
      const pages = await api.worksheet({ labels: [...new Set(text.split(/[\s,]+/))], paper, title });
      download(pages, "worksheet.pdf");
      toast("The worksheet is saved. Print it at 100 %.", { kind: "good" });
    },
  });
}

