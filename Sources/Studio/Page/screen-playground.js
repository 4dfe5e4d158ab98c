// Playground (S-003): what is drawn becomes emojis while one draws (F-012 … F-015).

import { api } from "./api.js";
import { emoji, fill, make, setStyle, sure } from "./dom.js";
import { icon } from "./icons.js";
import { InkSurface } from "./ink-surface.js";
import { messages } from "./messages.js";
import { nameOf } from "./picker.js";
import { PlaygroundCanvas } from "./playground-canvas.js";
import { PlaygroundLink, playgrounds } from "./playground-link.js";
import { listen, store } from "./store.js";
import { complain, speak, toast } from "./toasts.js";

const bubbleSeconds = 3.5;
const mostPlaced = 40;
const panelKey = "drawml.panel";

export const playgroundScreen = {
  title: "Playground",

  open(host) {
    const screen = new PlaygroundScreen(host);
    return { close: () => screen.close() };
  },
};

class PlaygroundScreen {
  constructor(host) {
    this.isOpen = true;
    this.model = store.model.id;
    // What was drawn before the server's sheet is there.
    this.early = [];
    this.canvas = new PlaygroundCanvas({
      pathOf: (columns) => this.surface.pathOf(columns),
      onbubble: (shape) => this.bubble(shape),
    });
    this.surface = new InkSurface({
      label: "Playground. Draw with a mouse, a finger or a pen: shapes become emojis.",
      role: "group",
      penSize: () => store.settings.penSize ?? 6,
      mostPoints: () => store.limits.points,
      onbegin: (begun) => this.begin(begun),
      onstroke: (stroke) => this.addStroke(stroke),
      oncancel: (reason, stroke) => this.cancelled(reason, stroke),
      onfit: () => this.canvas.setSize(this.surface.size),
      onsize: (size) => this.resized(size),
    });
    this.surface.isEmpty = () => this.canvas.isEmpty && !this.isRestoring;
    this.surface.world.append(this.canvas.emojis, this.canvas.svg);
    this.bubbles = make("div", { class: "bubbles", "aria-hidden": "true" });
    this.hint = make("p", { class: "sheet-hint", "aria-hidden": "true", text: "Draw anything you taught it" });
    this.surface.element.append(this.hint, this.bubbles);

    const tool = (name, words, action) => make("button", { class: "tool", type: "button", onclick: action }, icon(name), make("span", { text: words }));
    this.pauseNote = make("div", { class: "pause-note", hidden: true },
      make("p", { text: messages.paused }),
      make("button", { class: "button is-quiet", type: "button", text: "Try again", onclick: () => this.retry() }));
    this.panelButton = make("button", { class: "tool is-panel-tool", type: "button", "aria-controls": "placed-panel", onclick: () => this.togglePanel() }, icon("panel"), make("span", { text: "Emojis" }));
    this.list = make("ul", { class: "placed-list" });
    this.panel = make("aside", { class: "card placed-panel", id: "placed-panel", "aria-labelledby": "placed-title" },
      make("h2", { id: "placed-title", text: "Just placed" }), this.list,
      make("a", { class: "button is-quiet panel-why", href: "#help/why" }, icon("why"), "Why these?"));
    this.layout = make("div", { class: "play" },
      make("div", { class: "sheet-frame is-big" }, this.surface.element,
        make("div", { class: "sheet-tools", role: "group", "aria-label": "The sheet" },
          tool("undo", "Undo", () => this.undo()), tool("clear", "Clear", () => this.clear()), this.panelButton, this.pauseNote)),
      this.panel);
    fill(host, make("h1", { class: "screen-title", text: "Playground" }), this.layout);
    this.showPanel(readPanel());
    this.placed = [];
    this.showPlaced();

    this.keys = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey && !event.target.closest?.("input, dialog")) {
        event.preventDefault();
        this.undo();
      }
    };
    addEventListener("keydown", this.keys);
    this.ends = [
      listen("model", (model) => {
        if (model && model.id !== this.model) this.restart(model.id);
        else this.showHint();
      }),
      listen("settings", () => this.surface.fit()),
    ];
    this.showHint();
    this.start();
  }

  close() {
    this.isOpen = false;
    clearTimeout(this.bubbleTimer);
    removeEventListener("keydown", this.keys);
    for (const end of this.ends) end();
    this.link?.close();
    this.surface.close();
  }

  // MARK: The playground on the server

  async start() {
    this.isRestoring = true;
    this.surface.fit();
    const id = playgrounds.idOf(this.model);
    let snapshot;
    try {
      snapshot = await api.openPlayground({ id, model: this.model, canvas: this.surface.size });
      const isOther = snapshot.canvas && (snapshot.canvas.width !== this.surface.size.width || snapshot.canvas.height !== this.surface.size.height);
      if (isOther && (snapshot.shapes ?? []).length === 0) {
        // An empty sheet takes the window's size.
        api.deletePlayground(id).catch(() => {});
        snapshot = await api.openPlayground({ id: playgrounds.renew(this.model), model: this.model, canvas: this.surface.size });
      }
    } catch (error) {
      if (!this.isOpen) return;
      this.isRestoring = false;
      this.pause(error);
      return;
    }
    if (!this.isOpen) return;
    if ((snapshot.shapes ?? []).length > 0) this.surface.setCanvas(snapshot.canvas);
    this.link = new PlaygroundLink(snapshot.id, {
      onsnapshot: (fresh, waiting) => this.takeSnapshot(fresh, waiting),
      onevent: (event) => this.take(event),
      onnumbers: (pairs) => pairs.forEach(([stroke, number]) => this.canvas.number(stroke, number)),
      onpause: (error) => this.pause(error),
      onresume: () => this.resume(),
      onrefused: (error, strokes) => this.refused(error, strokes),
      ongone: () => this.restart(this.model),
    });
    const early = this.early;
    this.early = [];
    this.takeSnapshot(snapshot, early.map(([, stroke]) => stroke).filter(Boolean));
    this.isRestoring = false;
    for (const [action, stroke] of early) this.link.act(action, stroke);
    this.resume();
  }

  /** Another model, or the server has lost the sheet: begin again, with the strokes that were never sent. */
  restart(model) {
    this.model = model;
    const unsent = this.link?.queue.filter(({ stroke }) => stroke) ?? [];
    this.link?.close();
    this.link = null;
    this.early = unsent.map(({ action, stroke }) => [action, stroke]);
    this.canvas.clear();
    this.placed = [];
    this.showPlaced();
    this.start();
  }

  /** A new size of an empty sheet is a new playground, as emojis are kept inside its edges. */
  resized(size) {
    const isNew = this.link && this.size && (this.size.width !== size.width || this.size.height !== size.height);
    this.size = size;
    if (!isNew || !this.link.isSettled) return;
    api.deletePlayground(this.link.id).catch(() => {});
    playgrounds.renew(this.model);
    this.link.close();
    this.link = null;
    queueMicrotask(() => this.isOpen && this.start());
  }

  act(action, stroke = null) {
    if (this.link) this.link.act(action, stroke);
    else this.early.push([action, stroke]);
  }

  retry() {
    if (this.link) this.link.retry();
    else this.start();
  }

  pause(error) {
    if (this.pauseNote.hidden) {
      toast(messages.paused, { kind: "bad", detail: error?.message ?? "", action: "Try again", onaction: () => this.retry() });
    }
    this.pauseNote.hidden = false;
  }

  resume() {
    this.pauseNote.hidden = true;
  }

  // MARK: Drawing

  begin({ milliseconds, pen }) {
    this.surface.element.classList.add("is-drawing");
    this.hint.hidden = true;
    this.hush();
    this.act({ action: "begin", milliseconds, pen });
  }

  addStroke(stroke) {
    this.surface.element.classList.remove("is-drawing");
    this.canvas.addLoose(stroke);
    this.act({ action: "stroke", milliseconds: stroke.milliseconds, pen: stroke.pen, strokes: [stroke.columns] }, stroke);
  }

  /** The pen that went down must come up for the server too: its stroke is given and taken back. */
  cancelled(reason, { columns, pen, milliseconds }) {
    this.surface.element.classList.remove("is-drawing");
    this.act({ action: "stroke", milliseconds, pen, strokes: [columns] });
    this.act({ action: "undo", milliseconds });
    if (reason === "lost") toast(messages.unreadable, { kind: "bad" });
  }

  refused(error, strokes) {
    for (const stroke of strokes) this.canvas.dropLoose(stroke);
    complain(error);
  }

  undo() {
    this.act({ action: "undo", milliseconds: performance.now() });
  }

  clear() {
    this.hush();
    this.act({ action: "clear", milliseconds: performance.now() });
  }

  // MARK: What the server says

  takeSnapshot(snapshot, waiting) {
    this.canvas.show(snapshot, waiting);
    this.placed = (snapshot.shapes ?? []).filter(({ state }) => state === "recognized").slice(-mostPlaced).reverse();
    this.showPlaced();
    this.showHint();
  }

  take(event) {
    switch (event.event) {
      case "pending":
      case "revised":
      case "recognized":
      case "unrecognized":
      case "confused":
        if (this.canvas.lacksInk(event)) return this.askAgain();
        for (const other of event.absorbed ?? []) this.drop(other);
        this.canvas.put(event);
        if (event.event === "recognized") this.welcome(event);
        else this.forget(event.shape);
        break;
      case "undone":
        if (typeof event.stroke === "number") this.canvas.removeStroke(event.stroke);
        for (const other of event.removed ?? []) this.drop(other);
        if ((event.restored ?? []).some((shape) => this.canvas.lacksInk(shape))) return this.askAgain();
        for (const shape of event.restored ?? []) {
          this.canvas.put(shape, { isQuiet: true });
          if (shape.state === "recognized") this.remember(shape);
          else this.forget(shape.shape);
        }
        speak("Undone.");
        break;
      case "cleared":
        this.canvas.clear();
        this.placed = [];
        speak("The sheet is clear. Undo brings it back.");
        break;
      case "nothingToUndo":
        toast(event.message ?? messages.nothingToUndo);
        break;
      default:
    }
    this.showPlaced();
    this.showHint();
  }

  /** Another tab drew here: the page lacks its ink. */
  async askAgain() {
    try {
      const snapshot = await api.playground(this.link.id);
      if (this.isOpen) this.takeSnapshot(snapshot, this.link.queue.map(({ stroke }) => stroke).filter(Boolean));
    } catch (error) {
      this.pause(error);
    }
  }

  drop(number) {
    this.canvas.remove(number);
    this.forget(number);
  }

  welcome(shape) {
    this.remember(shape);
    nameOf(shape.label).then((name) => speak(`${name}, ${sure(shape.confidence ?? 0)}.`));
  }

  remember(shape) {
    this.forget(shape.shape);
    this.placed = [shape, ...this.placed].slice(0, mostPlaced);
  }

  forget(number) {
    this.placed = this.placed.filter(({ shape }) => shape !== number);
  }

  // MARK: Words

  /** A message where the shape is (F-013), and for screen readers. */
  bubble(shape) {
    const words = shape.message ?? (shape.state === "confused" ? messages.confused : messages.notRecognized);
    const { scale, x, y, width, height } = this.surface.view;
    const box = shape.boundingBox;
    const below = y + (box.y + box.height) * scale + 12;
    const isBelow = below < height - 64;
    const element = make("p", { class: `bubble${isBelow ? "" : " is-above"}`, text: words });
    fill(this.bubbles, element);
    // Beside the shape, and on the paper.
    const half = element.offsetWidth / 2 + 8;
    const middle = x + (box.x + box.width / 2) * scale;
    const left = Math.max(half, Math.min(width - half, middle));
    setStyle(element, { left: `${left}px`, top: `${isBelow ? below : y + box.y * scale - 12}px`, "--point": `${middle - left}px` });
    speak(words, { urgent: true });
    clearTimeout(this.bubbleTimer);
    this.bubbleTimer = setTimeout(() => this.hush(), bubbleSeconds * 1000);
  }

  hush() {
    clearTimeout(this.bubbleTimer);
    fill(this.bubbles);
  }

  showHint() {
    const knows = (store.model?.labelCount ?? 0) > 0 && store.model?.lastTrained;
    this.hint.textContent = knows ? "Draw anything you taught it" : "It knows nothing yet: teach it in Train first";
    this.hint.hidden = !this.canvas.isEmpty || this.surface.isDrawing;
  }

  // MARK: The panel

  showPlaced() {
    if (this.placed.length === 0) {
      fill(this.list, make("li", { class: "soft", text: "Emojis that you draw stand here." }));
      return;
    }
    fill(this.list, this.placed.map((shape) => {
      const name = make("span", { class: "placed-name", text: "" });
      nameOf(shape.label).then((words) => {
        name.textContent = words;
      });
      return make("li", { class: "placed-item", data: { shape: String(shape.shape) } },
        emoji(shape.label, { class: "placed-emoji", "aria-hidden": "true" }),
        make("span", { class: "placed-words" }, name, make("span", { class: "soft", text: typeof shape.confidence === "number" ? sure(shape.confidence) : "" })));
    }));
  }

  togglePanel() {
    const isShown = this.layout.classList.contains("has-panel");
    this.showPanel(!isShown);
    try {
      localStorage.setItem(panelKey, isShown ? "closed" : "open");
    } catch {
      // The panel is open again next time.
    }
  }

  showPanel(isShown) {
    this.layout.classList.toggle("has-panel", isShown);
    this.panel.hidden = !isShown;
    this.panelButton.setAttribute("aria-expanded", String(isShown));
  }
}

function readPanel() {
  try {
    const kept = localStorage.getItem(panelKey);
    if (kept) return kept === "open";
  } catch {
    // As below.
  }
  return matchMedia("(min-width: 760px)").matches;
}
