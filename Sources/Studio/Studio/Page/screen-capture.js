// Paper (CA-022, CA-040): photos of worksheets become drawings, photos of pages become text.

import { DrawingsTab } from "./capture-drawings.js";
import { WordsTab } from "./capture-words.js";
import { button, count, fill, make, meter } from "./dom.js";
import { icon } from "./icons.js";
import { store } from "./store.js";
import { speak } from "./toasts.js";

/** The tabs with their photos, by name. They outlive the screen: what is read goes on. */
const opened = {};

export const captureScreen = {
  title: "Paper",

  open(host, words, signal) {
    const name = words[0] === "words" ? "words" : "drawings";
    opened[name] ??= new PhotoInput(name === "words" ? new WordsTab() : new DrawingsTab());
    const photos = opened[name];
    photos.takeFiles(host, signal);
    photos.tab.refresh();
    fill(host,
      make("div", { class: "screen-head" },
        make("h1", { class: "screen-title is-seen", text: "Paper" }),
        make("p", { class: "screen-lead", text: photos.tab.lead }),
        make("nav", { class: "paper-tabs screen-tools", "aria-label": "What is on the paper" },
          tabLink("#capture", "Drawings", name === "drawings"),
          tabLink("#capture/words", "Words", name === "words"))),
      photos.element, photos.tab.element);
  },
};

function tabLink(href, text, isOpen) {
  const look = isOpen ? "button is-ink" : "button is-quiet";
  return make("a", { class: look, href, text, "aria-current": isOpen ? "page" : null });
}

/**
 * Takes photos for a tab, and has it read one after the other. The tab has `cameraWords`,
 * `isForSeveral`, `actions`, `element`, `lead`, `refresh()` and `read(file, options)`.
 */
class PhotoInput {
  /** Photos that wait, each `{file, options}`, and those that could not be read, for another try. */
  waiting = [];
  failed = [];
  isReading = false;

  constructor(tab) {
    this.tab = tab;
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
    this.state = make("div", { class: "paper-state" });
    this.element = make("section", { class: "card paper-input", "aria-label": "A photo" },
      make("div", { class: "paper-buttons" },
        button("is-primary", [icon("camera"), tab.cameraWords], () => camera.click()),
        button("", [icon("export"), "Choose from Library"], () => library.click()),
        tab.actions),
      this.state, camera, library);
    tab.takePhoto = () => camera.click();
  }

  /** Takes photos that are dropped on the screen or pasted, until `signal` aborts. */
  takeFiles(host, signal) {
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

  /** Reads photos, after those that wait; one that fails is kept. */
  async take(files, options = {}) {
    const taken = this.tab.isForSeveral ? files : files.slice(0, 1);
    this.failed = this.failed.filter(({ file }) => !taken.includes(file));
    this.waiting.push(...taken.map((file) => ({ file, options })));
    if (this.isReading) return;
    this.isReading = true;
    for (let done = 0; this.waiting.length > 0; done += 1) {
      const each = this.waiting.shift();
      this.show(done, done + 1 + this.waiting.length);
      try {
        const most = store.limits.templateBytes;
        if (each.file.size > most) throw new Error(`It has more than ${most >> 20} MB.`);
        await this.tab.read(each.file, each.options);
      } catch (error) {
        this.failed.push({ file: each.file, error });
        speak(`${each.file.name}: ${error.message} ${error.detail ?? ""}`, { urgent: true });
      }
    }
    this.isReading = false;
    this.show();
  }

  /** Shows what failed and, if `of` photos are read, that `done` are. */
  show(done = 0, of = 0) {
    const words = of > 1 ? `Reading photo ${done + 1} of ${of} …` : "Reading the photo …";
    fill(this.state,
      of > 0 && make("p", { role: "status", text: words }),
      of > 1 && meter(done / of),
      of === 1 && make("progress", { class: "progress", "aria-label": words }),
      this.failed.map((each) => this.failure(each)),
      this.failed.length > 1 && of === 0
        && button("", `Try all ${count(this.failed.length, "photo")} again`,
          () => this.take(this.failed.map(({ file }) => file))));
  }

  failure({ file, error }) {
    const isMaybeFree = error.code === "unreadableWorksheet";
    return make("div", { class: "paper-failed" },
      make("p", {}, make("strong", { text: file.name }), ` ${error.message} ${error.detail ?? ""}`),
      make("div", { class: "paper-buttons" },
        button("", "Try again", () => this.take([file])),
        isMaybeFree && button("", "It is no worksheet", () => this.take([file], { isFree: true })),
        button("is-quiet", "Leave out", () => {
          this.failed = this.failed.filter((each) => each.file !== file);
          this.show();
        }, { "aria-label": `Leave out ${file.name}` })));
  }
}
