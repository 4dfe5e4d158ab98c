// Playground (S-003): drawings become emojis while one draws (F-012 … F-015).

import { api } from "./api.js";
import {
  animate, button, decorativeEmoji, emoji, few, fill, focusHeading, identifier, isWord, make,
  onUndoKey, said, setStyle, sure, tool,
} from "./dom.js";
import { nameOf } from "./emojis.js";
import { faces, offer, tryEveryday } from "./everyday.js";
import { icon } from "./icons.js";
import { InkSurface } from "./ink-surface.js";
import { keep, keptText } from "./kept.js";
import { teach, unteach } from "./lesson.js";
import { LiveGuesses } from "./live-guesses.js";
import { messages } from "./messages.js";
import { askLabel } from "./picker.js";
import { messagePlace } from "./placement.js";
import { PlaygroundCanvas } from "./playground-canvas.js";
import { PlaygroundLink } from "./playground-link.js";
import { Projector } from "./projector.js";
import { ShapeMenu, drawingOf, sampleIDOf } from "./shape-menu.js";
import { openExport, printSheet } from "./sheet-export.js";
import { filledShare } from "./sheet-view.js";
import { askOtherThing } from "./split-dialog.js";
import { go } from "./router.js";
import { canTeach, keepNames, listen, samplesOf, store } from "./store.js";
import { showError, speak, toast } from "./toasts.js";

const bubbleSeconds = 8;
const mostGuesses = 3;
const mostPlaced = 40;
const mostFaces = 12;
/**
 * An empty sheet keeps its size if it fills at least this share of its window; the panel of emojis
 * takes up to a third.
 */
const wellFilled = 0.65;
const panelKey = "drawml.panel";

export const playgroundScreen = {
  title: "Playground",

  open(host, words, signal) {
    new PlaygroundScreen(host, signal);
  },
};

class PlaygroundScreen {
  constructor(host, signal) {
    this.canvas = new PlaygroundCanvas({
      pathOf: (columns) => this.surface.pathOf(columns),
      onbubble: (shape, guesses) => this.bubble(shape, guesses),
      canJudge: () => this.canJudge,
      onuntaught: () => this.askToTrain(),
      onopen: (shape, isByKey) => this.openMenu(shape, { focus: isByKey }),
    });
    /** The corrections that were made here, by shape: what the model learned from each. */
    this.lessons = new Map();
    /** The corrections that were undone through their messages, by shape. */
    this.takenBack = new Map();
    /** The shape that the next tapped shape joins. */
    this.joining = null;
    this.menu = new ShapeMenu({
      playground: () => this.link.id,
      view: () => {
        const { view, element, size } = this.surface;
        return { ...view, element, size };
      },
      onlabel: (shape, label, drawing) => this.label(shape, label, drawing),
      onask: (shape, drawing) => this.ask(shape, drawing),
      onreject: ({ shape }) => this.correct("reject", shape),
      onremove: ({ shape }) => this.correct("remove", shape),
      onjoin: (shape) => this.askForOther(shape),
      canJoin: ({ shape }) => this.canvas.hasOther(shape),
      onsplit: (...about) => this.split(...about),
      onplace: ({ shape }, placement) =>
        this.correct("place", shape, { placement: placement ?? undefined }),
      onpreview: ({ shape }, placement) => this.canvas.preview(shape, placement),
      onclose: ({ shape }, isLost) => {
        if (isLost && !this.canvas.focus(shape)) focusHeading();
      },
    });
    this.surface = new InkSurface({
      label: "Playground. Draw with a mouse, a finger or a pen: shapes become emojis.",
      role: "group",
      penSize: () => store.settings.penSize ?? 6,
      mostPoints: () => store.limits.points,
      onbegin: (begun) => this.begin(begun),
      onstroke: (stroke) => this.addStroke(stroke),
      oncancel: (reason, stroke) => this.canceled(reason, stroke),
      onfit: () => this.fitted(),
      ontap: (place) => this.tap(place),
      onrest: (place) => this.rest(place),
      onhold: (place) => this.hold(place),
      ondraw: () => this.menu.close(),
      onmargin: () => this.fillsWindow(),
      onmiss: () => this.drawnBeside(),
    });
    this.surface.isEmpty = () => this.canvas.isEmpty && !this.keepsSize;
    this.surface.world.append(this.canvas.emojis, this.canvas.svg, this.canvas.handle);
    this.bubbles = make("div", { class: "bubbles" });
    this.hintWords = make("p");
    this.hintFaces = make("p", { class: "hint-faces" });
    this.hint = make("div", { class: "sheet-hint", "aria-hidden": "true" },
      this.hintWords, this.hintFaces);
    this.guesses = new LiveGuesses();
    this.surface.element.append(
      this.hint, this.bubbles, this.guesses.element, this.menu.frame);

    this.pauseReason = make("span", { class: "pause-reason" });
    this.pauseNote = make("div", { class: "pause-note", hidden: true },
      make("p", {}, messages.paused, " ", this.pauseReason),
      button("is-quiet", "Try again", () => this.link.retry()));
    this.trainNote = make("div", { class: "train-note", hidden: true }, store.isGuest
      ? make("p", { text: "The owner of this studio has to train the model first." })
      : [
        make("p", { text: messages.trainFirst }),
        make("a", { class: "button is-primary", href: "#train", text: "Train" }),
        button("is-quiet", offer, tryEveryday),
      ]);
    this.fewNote = make("div", { class: "few-note", role: "status", hidden: true });
    this.projector = new Projector(signal);
    this.panelButton = tool(icon("panel"), "Emojis", () => this.togglePanel(), {
      class: "tool is-panel-tool", "aria-controls": "placed-panel",
    });
    this.list = make("ul", { class: "placed-list" });
    this.panel = make("aside", {
      class: "card placed-panel", id: "placed-panel", "aria-labelledby": "placed-title",
    },
    make("h2", { id: "placed-title", text: "Just placed" }), this.list,
    make("a", { class: "button is-quiet panel-why", href: "#help/why" },
      icon("why"), "Why these?"));
    this.layout = make("div", { class: "play" },
      make("div", { class: "sheet-frame" }, this.surface.element,
        make("div", { class: "sheet-tools", role: "group", "aria-label": "The sheet" },
          tool(icon("undo"), "Undo", () => this.undo()),
          tool(icon("clear"), "Clear", () => this.clear()),
          tool(icon("export"), "Save", () => openExport(this.canvas, this.link.id), {
            "aria-haspopup": "dialog",
          }),
          this.projector.button,
          this.panelButton,
          this.pauseNote,
          make("div", { class: "sheet-notes" }, this.fewNote, this.trainNote))),
      this.panel, this.menu.element, this.projector.element);
    fill(host, make("h1", { class: "screen-title", text: "Playground" }), this.layout);
    this.showPanel(readPanel());

    onUndoKey(() => this.undo(), signal);
    printSheet(this.canvas, signal);
    listen("connection", ({ isOpen }) => {
      // Pending shapes are not judged now.
      if (!isOpen && this.canvas.isOpen) this.pause();
    }, signal);
    listen("model", (model) => {
      if (model.id !== this.link.model) {
        this.start(model.id);
        return;
      }
      this.showHint();
      // It may have learned since.
      if (model.lastTrained !== this.counted) this.showFaces(model.id);
    }, signal);
    signal.addEventListener("abort", () => this.close());
    this.start(store.model.id);
  }

  close() {
    clearTimeout(this.bubbleTimer);
    this.pauseToast?.();
    this.menu.close();
    this.surface.close();
    this.link.detach();
  }

  // MARK: The playground on the server

  /** Shows the playground of a model. */
  start(model) {
    this.link?.detach();
    this.menu.close();
    this.joining = null;
    this.lessons.clear();
    this.takenBack.clear();
    this.link = PlaygroundLink.of(model);
    this.couldUndo = false;
    const { canvas, waiting } = this.link;
    if (canvas && waiting.length > 0) this.surface.setCanvas(canvas);
    fill(this.hintFaces);
    this.fewNote.hidden = true;
    this.canvas.show({ shapes: [] }, this.waiting);
    if (this.canvas.isEmpty) this.surface.fit();
    this.placed = [];
    this.showPlaced();
    this.showHint();
    this.showFaces(model);
    this.resume();
    this.link.attach({
      onsnapshot: (...news) => this.takeSnapshot(...news),
      onevent: (event, isOwn) => this.take(event, isOwn),
      onpause: (error) => this.pause(error),
      onresume: () => this.resume(),
      onrefused: (error, stroke) => this.refused(error, stroke),
    }, this.paper);
  }

  /** The strokes that the server does not have yet, with outlines. */
  get waiting() {
    const { waiting } = this.link;
    for (const stroke of waiting) stroke.path ??= this.surface.pathOf(stroke.columns);
    return waiting;
  }

  /** The size of an empty sheet. */
  get paper() {
    const { width, height } = this.surface.view;
    return { width, height };
  }

  /** Follows a new size of the sheet's element; the server's sheet may fill it well again. */
  fitted() {
    if (this.canvas.isEmpty && !this.surface.isDrawing && this.keepsSize) {
      const { size } = this.surface;
      const { sheet } = this.link;
      if (size.width !== sheet.width || size.height !== sheet.height) {
        this.surface.setCanvas(sheet);
        return;
      }
    }
    this.canvas.setSize(this.surface.size, this.surface.view.scale);
    this.placeBubble();
    this.menu.place();
  }

  /** An empty sheet takes the window's size, so that a pen beside it draws; returns whether. */
  fillsWindow() {
    if (!this.canvas.isEmpty) return false;
    this.couldUndo = false;
    this.emptied();
    return true;
  }

  /** A stroke beside the sheet is not drawn. */
  drawnBeside() {
    toast("That was outside the sheet.", {
      detail: "The sheet was made in a window of another shape. Clear it to use the whole window.",
    });
  }

  /**
   * Whether an empty sheet keeps its size. With a new size the first stroke discards the undo
   * history, which is not worth it if the sheet fills the window well.
   */
  get keepsSize() {
    const { sheet } = this.link ?? {};
    if (!this.couldUndo || !sheet) return false;
    const { clientWidth: width, clientHeight: height } = this.surface.element;
    return filledShare(sheet, { width, height }) > wellFilled;
  }

  /** Gives an empty sheet its size. */
  emptied() {
    if (!this.canvas.isEmpty || this.surface.isDrawing) return;
    if (this.keepsSize) this.surface.setCanvas(this.link.sheet);
    else this.surface.fit();
  }

  /** Gives the sheet the server's size; waiting strokes stay where they were drawn. */
  takeSize({ width, height }) {
    const { size, view } = this.surface;
    if (size.width === width && size.height === height) return;
    this.surface.setCanvas({ width, height });
    this.link.forgetPlaces();
    for (const stroke of this.link.waiting) {
      stroke.columns = this.surface.carry(stroke.columns, view);
      stroke.path = this.surface.pathOf(stroke.columns);
      stroke.element?.setAttribute("d", stroke.path);
    }
    this.link.canvas = { width, height };
  }

  /** Shows the note for as long as the pause lasts; the toast of the same message is read out. */
  pause(error) {
    const detail = error?.message ?? "";
    if (this.pauseNote.hidden) {
      this.pauseToast = toast(messages.paused, {
        kind: "bad", detail, action: "Try again", topic: "paused",
        onaction: () => this.link.retry(),
      });
      this.pauseReason.textContent = detail;
    }
    this.pauseNote.hidden = false;
  }

  /** Hides the note and the toast. */
  resume() {
    this.pauseNote.hidden = true;
    this.pauseToast?.();
    this.pauseToast = null;
  }

  // MARK: Drawing

  begin({ milliseconds, pen, x, y }) {
    this.hint.hidden = true;
    this.fewNote.hidden = true;
    this.hush();
    this.link.canvas = this.surface.size;
    this.link.act({ action: "begin", milliseconds, pen, x, y });
  }

  addStroke(stroke) {
    this.menu.close();
    this.endJoining();
    this.link.canvas = this.surface.size;
    this.couldUndo = true;
    stroke.id = identifier();
    this.canvas.addLoose(stroke);
    const { milliseconds, pen } = stroke;
    this.link.act({ action: "stroke", milliseconds, pen }, stroke);
  }

  /** Cancels the begin of a stroke that was lost or is a palm's. */
  canceled(reason, { pen, milliseconds }) {
    if (reason !== "tap") this.endJoining();
    this.link.act({ action: "cancel", milliseconds, pen });
    this.showHint();
    if (reason === "lost") toast(messages.unreadable, { kind: "bad" });
  }

  refused(error, stroke) {
    if (stroke) this.canvas.dropLoose(stroke);
    this.emptied();
    this.showHint();
    showError(error);
  }

  // MARK: Corrections

  /**
   * A tap on an emoji or a refused drawing opens its menu, and one with an open menu closes it.
   * Where ink may go on, it is a dot: while a shape is drawn, and for a while after its decision.
   */
  tap(place) {
    const shape = this.shapeAt(place);
    if (this.joining !== null) return this.join(shape);
    if (!shape) return false;
    if (this.menu.shape?.shape === shape.shape) {
      this.menu.close();
      return true;
    }
    if (this.canvas.isOpen) return false;
    if (this.canvas.isFresh(shape.shape)) {
      this.canvas.setFresh(shape.shape, true);
      return false;
    }
    this.openMenu(shape);
    return true;
  }

  /** A pen that held a decided shape has come up: its menu opens. */
  hold(place) {
    const shape = this.shapeAt(place);
    if (shape) this.openMenu(shape);
  }

  /** A pen that rests on a decided shape opens its menu when it comes up. */
  rest(place) {
    const shape = this.shapeAt(place);
    if (shape) this.canvas.nudge(shape.shape);
    return shape !== null;
  }

  shapeAt({ left, top }) {
    const { x, y, scale } = this.surface.view;
    return this.canvas.shapeAt((left - x) / scale, (top - y) / scale);
  }

  openMenu(shape, options) {
    if (this.joining !== null) {
      this.join(shape);
      return;
    }
    this.hush();
    this.menu.close();
    this.menu.open(shape, options);
  }

  correct(action, shape, more = {}, link = this.link) {
    link.act({ action, shape, ...more, milliseconds: performance.now() });
    this.sayLater();
  }

  /** Asks which other shape joins this one. */
  askForOther({ shape, boundingBox, placement }) {
    this.joining = shape;
    this.canvas.choose(shape);
    const words = "Tap what belongs to it.";
    const box = placement ? { ...placement, width: placement.side, height: placement.side } : null;
    this.showBubble(box ?? boundingBox, make("p", { text: words }),
      make("div", { class: "bubble-guesses" },
        button("is-quiet", "Cancel", () => this.endJoining())));
    speak(words);
  }

  /** Joins the tapped shape to the waiting one; returns whether the tap was meant for that. */
  join(shape) {
    const { joining } = this;
    this.endJoining();
    if (shape && shape.shape !== joining) {
      this.link.act({
        action: "join", shapes: [joining, shape.shape], milliseconds: performance.now(),
      });
      this.sayLater();
    }
    return Boolean(shape);
  }

  endJoining() {
    if (this.joining === null) return;
    this.joining = null;
    this.canvas.choose(null);
    this.hush();
  }

  /** Asks which lines of a shape to split off, unless there is only one choice. */
  async split({ shape }, drawing, numbers) {
    const { link } = this;
    const others = numbers.length === 2
      ? [1] : await askOtherThing(drawing.strokes, (columns) => this.surface.pathOf(columns));
    if (!others || this.link !== link) return;
    link.act({
      action: "split", shape, strokes: others.map((index) => numbers[index]),
      milliseconds: performance.now(),
    });
    this.sayLater();
  }

  /** Asks what a shape is. */
  async ask(shape, drawing) {
    this.menu.close();
    const { link } = this;
    const label = await askLabel("It is a …", shape.label);
    if (!label) return;
    if (this.link === link) this.label(shape, label, drawing);
    else {
      const detail = "The drawing is on the first model’s sheet.";
      toast("Another model is active now.", { detail });
    }
  }

  /**
   * A shape's label was corrected or confirmed: the model learns it, unless a guest may not teach
   * it.
   */
  label({ shape, state, label: before }, label, drawing) {
    this.correct("label", shape, { label });
    this.takenBack.delete(shape);
    if (!drawing || !canTeach()) return;
    this.learn({ shape, label, drawing, before: state === "recognized" ? before : null });
  }

  /** Teaches the newest correction, or an earlier one that undo brought back. */
  async learn(correction, isNewest = true) {
    const { shape, label, drawing, before } = correction;
    // Another model's sheet may be shown when the message's Undo is pressed.
    const { link } = this;
    const done = isNewest ? link.last : null;
    // Undo may come before the sample is saved.
    const lesson = { label, undo: async () => (await saving)?.undo() };
    const save = () => teach(link.model, drawing, label, {
      onlearned: () => {
        if (this.link !== link) return;
        this.canvas.showLearned(shape);
        this.askForMore(label);
      },
      // What was drawn since is not undone.
      onundo: () => {
        const gone = lesson.undo();
        if (this.link === link) this.lessons.delete(shape);
        if (link.last === done) this.undo(link);
        else if (before !== label) {
          if (this.link === link) this.takenBack.set(shape, { ...correction, gone });
          if (before) this.correct("label", shape, { label: before }, link);
          else this.correct("reject", shape, {}, link);
        }
      },
    });
    // An earlier one is taken back first.
    const saving = Promise.resolve(correction.gone).then(save);
    this.lessons.set(shape, lesson);
    if (!await saving && this.lessons.get(shape) === lesson) this.lessons.delete(shape);
  }

  /**
   * A correction that is undone is also forgotten, and one that undo brings back is learned again.
   * One that was made before the page was loaded is known by its certainty.
   */
  unlearn({ shape: number, state, label, confidence, ids }, isOwn) {
    const isSaid = state === "recognized" && confidence === 1;
    const lesson = this.lessons.get(number);
    if (lesson) {
      if (isSaid && lesson.label === label) return;
      this.lessons.delete(number);
      lesson.undo();
      return;
    }
    const takenBack = this.takenBack.get(number);
    if (isOwn && isSaid && canTeach() && takenBack?.label === label) {
      this.takenBack.delete(number);
      this.learn(takenBack, false);
      return;
    }
    const shown = this.canvas.shapes.get(number)?.shape;
    const wasSaid = shown?.state === "recognized" && shown.confidence === 1;
    // Another tab takes back what it undoes.
    const id = sampleIDOf({ ids });
    if (!isOwn || !wasSaid || !id || (isSaid && shown.label === label)) return;
    if (!canTeach()) return;
    unteach(this.link.model, id, shown.label, isSaid ? label : null);
  }

  undo(link = this.link) {
    link.act({ action: "undo", milliseconds: performance.now() });
    this.sayLater();
  }

  clear() {
    this.hush();
    this.endJoining();
    this.link.act({ action: "clear", milliseconds: performance.now() });
    this.sayLater();
  }

  /** Shows that an action waits while the server is unreachable. */
  sayLater() {
    if (this.link.isPaused) toast("This must wait until the studio is back.", { topic: "later" });
  }

  // MARK: Events

  /** Shows the whole sheet, in the units of its canvas. */
  takeSnapshot(snapshot, isAnew) {
    this.couldUndo = snapshot.canUndo;
    this.endJoining();
    // An empty sheet has no size of its own yet.
    if (snapshot.shapes.length > 0) this.takeSize(snapshot.canvas);
    // A restarted server does not know of the pen that is down.
    if (isAnew && this.surface.isDrawing) {
      this.link.act({ action: "begin", milliseconds: this.surface.drawingSince, pen: 0 });
    }
    this.canvas.show(snapshot, this.waiting);
    this.guesses.clear();
    const open = snapshot.shapes.findLast(({ state }) => state === "pending");
    if (open) this.showGuesses(open);
    this.followMenu();
    this.emptied();
    const recognized = snapshot.shapes.filter(({ state }) => state === "recognized");
    this.placed = recognized.slice(-mostPlaced).reverse();
    this.showPlaced();
    this.showHint();
  }

  /** Applies an event; `isOwn` is whether this page caused it, not another tab. */
  take(event, isOwn) {
    if (event.shape !== undefined || event.restored?.length > 0) this.takeSize(this.link.sheet);
    switch (event.event) {
      case "pending":
      case "revised":
      case "recognized":
      case "unrecognized":
      case "confused":
        for (const other of event.absorbed ?? []) this.drop(other);
        this.canvas.put(event);
        if (event.state === "pending") this.showGuesses(event);
        else this.guesses.clear(event.shape);
        if (event.state === "recognized") this.welcome(event);
        else this.forget(event.shape);
        break;
      case "corrected":
        this.canvas.put(this.menu.follow(event, isOwn), {
          isQuiet: event.state !== "recognized",
        });
        // A correction stays: later strokes do not change it.
        this.canvas.setFresh(event.shape, false);
        if (event.state === "recognized") this.remember(event);
        else this.forget(event.shape);
        break;
      case "removed":
        this.drop(event.shape);
        break;
      case "undone":
        if (typeof event.stroke === "number") this.canvas.removeStroke(event.stroke);
        for (const other of event.removed) this.drop(other);
        for (const shape of event.restored) {
          this.unlearn(shape, isOwn);
          this.canvas.put(shape, { isQuiet: true });
          this.canvas.setFresh(shape.shape, typeof event.stroke === "number");
          if (shape.state === "pending") this.showGuesses(shape);
          if (shape.state === "recognized") this.remember(shape);
          else this.forget(shape.shape);
        }
        this.emptied();
        if (isOwn) speak("Undone.");
        break;
      case "cleared":
        this.couldUndo = true;
        this.endJoining();
        // After the animation.
        this.canvas.clear().then(() => this.emptied());
        this.guesses.clear();
        this.placed = [];
        if (isOwn) speak("The sheet is clear. Undo brings it back.");
        break;
      case "nothingToUndo":
        if (isOwn) {
          // Shapes from before a restart of the server cannot be undone.
          const detail = this.canvas.isEmpty ? "" : "Tap a shape to take it away.";
          toast(event.message ?? messages.nothingToUndo, { detail });
        }
        this.couldUndo = false;
        this.emptied();
        break;
      default:
    }
    this.showPlaced();
    this.showHint();
    this.followMenu();
  }

  /** The open menu follows its shape. */
  followMenu() {
    if (!this.menu.isOpen) return;
    const shape = this.canvas.shapes.get(this.menu.shape.shape)?.shape;
    if (shape) this.menu.update(shape);
    else this.menu.close();
  }

  showGuesses(shape) {
    this.guesses.show(shape, this.surface.size.height);
  }

  drop(number) {
    if (this.joining === number) this.endJoining();
    this.guesses.clear(number);
    this.canvas.remove(number);
    this.forget(number);
  }

  welcome(shape) {
    this.remember(shape);
    const { label, confidence } = shape;
    nameOf(label).then((name) => speak(`${name}, ${sure(confidence ?? 0, label)}.`));
  }

  remember(shape) {
    this.forget(shape.shape);
    this.placed = [shape, ...this.placed].slice(0, mostPlaced);
  }

  forget(number) {
    this.placed = this.placed.filter(({ shape }) => shape !== number);
  }

  // MARK: Messages

  /**
   * Shows a message beside a shape (F-013), also to screen readers, and asks what it is: by the
   * best guesses, or any other emoji.
   */
  bubble(shape, guesses) {
    const isConfused = shape.state === "confused";
    const words = shape.message ?? (isConfused ? messages.confused : messages.notRecognized);
    const labels = guesses.slice(0, mostGuesses).map(({ label }) => label);
    const choices = labels.map((label) => {
      const guess = button("is-quiet", emoji(label), () => this.tell(shape, label), {
        "aria-label": `It is ${label}`,
      });
      nameOf(label).then((name) => guess.setAttribute("aria-label", `It is ${name}`));
      return guess;
    });
    this.endJoining();
    this.showBubble(shape.boundingBox,
      make("p", { text: "I don’t know this yet. Tell me!" }),
      make("p", { class: "bubble-reason", text: words }),
      make("div", { class: "bubble-guesses" }, choices,
        button("is-quiet", "…", () => this.tell(shape), { "aria-label": "Something else" })));
    speak(words, { urgent: true });
  }

  /** Shows something beside a box of the sheet, for a while. */
  showBubble(box, ...content) {
    fill(this.bubbles, make("div", { class: "bubble" }, content));
    this.bubbleBox = box;
    this.placeBubble();
    clearTimeout(this.bubbleTimer);
    this.bubbleTimer = setTimeout(() => {
      this.hush();
      this.endJoining();
    }, bubbleSeconds * 1000);
  }

  /** Places the message beside its shape, and inside the sheet. */
  placeBubble() {
    const element = this.bubbles.firstElementChild;
    if (!element) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const place = messagePlace(this.bubbleBox, { width, height }, this.surface.view);
    element.classList.toggle("is-above", !place.isBelow);
    setStyle(element, {
      left: `${place.left}px`, top: `${place.top}px`, "--point": `${place.point}px`,
    });
  }

  /** A refused shape gets that label, or another one that is picked. */
  async tell(shape, label) {
    this.hush();
    const { link } = this;
    // Without its ink, it is not learned.
    const drawing = await drawingOf(link.id, shape).catch(() => null);
    if (this.link !== link) return;
    if (label) this.label(shape, label, drawing);
    else this.ask(shape, drawing);
  }

  /** Asks for more drawings of a label that the model has hardly seen. */
  async askForMore(label) {
    const { link } = this;
    await this.showFaces(link.model);
    const seen = samplesOf(label);
    this.fewNote.hidden = this.link !== link || seen < 1 || seen >= few;
    if (this.fewNote.hidden) return;
    const words = `I have seen only ${seen === 1 ? "one" : "two"} ${label}.`;
    const more = seen === 1 ? "Draw two more" : "Draw one more";
    fill(this.fewNote, make("p", { text: words }),
      button("is-primary", more, () => go("train", label)));
  }

  hush() {
    clearTimeout(this.bubbleTimer);
    fill(this.bubbles);
  }

  /** Whether the model knows any labels. */
  get canJudge() {
    return Boolean(store.model?.lastTrained || store.model?.isEveryday);
  }

  /** Points to Train: a rejection by an untrained model says nothing about the drawing. */
  askToTrain() {
    speak(messages.trainFirst, { urgent: true });
    const frames = ["none", "translateY(-6px)", "none"].map((transform) => ({ transform }));
    animate(this.trainNote, frames, { duration: 320, easing: "ease-out" });
  }

  showHint() {
    const { canJudge } = this;
    this.trainNote.hidden = canJudge;
    this.layout.classList.toggle("is-untaught", !canJudge);
    this.hintWords.textContent = !canJudge ? "Nothing is learned yet"
      : store.model.isEveryday ? "Draw an everyday thing, or one you taught it"
        : store.isGuest ? "Draw anything that it was taught" : "Draw anything you taught it";
    this.hint.hidden = !this.canvas.isEmpty || this.surface.isDrawing;
  }

  /** Shows which emojis could be drawn, and counts what was learned of each. */
  async showFaces(model) {
    this.counted = store.model.lastTrained;
    try {
      const labels = await api.labels(model);
      if (model !== this.link.model) return;
      keepNames(model, labels);
      const taught = labels.filter(({ taughtCount }) => taughtCount > 0).map(({ label }) => label);
      const known = store.model.isEveryday ? [...taught, ...faces] : taught;
      fill(this.hintFaces, [...new Set(known)].slice(0, mostFaces).map((label) => emoji(label)));
    } catch {
      // The hint's words are enough.
    }
  }

  // MARK: The panel

  showPlaced() {
    this.projector.show(this.placed[0]);
    if (this.placed.length === 0) {
      fill(this.list, make("li", { class: "soft", text: "Emojis that you draw appear here." }));
      return;
    }
    fill(this.list, this.placed.map(placedItem));
  }

  togglePanel() {
    const isShown = this.layout.classList.contains("has-panel");
    this.showPanel(!isShown);
    keep(panelKey, isShown ? "closed" : "open");
  }

  showPanel(isShown) {
    this.layout.classList.toggle("has-panel", isShown);
    this.panel.hidden = !isShown;
    this.panelButton.setAttribute("aria-expanded", String(isShown));
  }
}

function placedItem({ shape, label, confidence }) {
  const name = make("span", { class: isWord(label) ? "unseen" : "placed-name" });
  nameOf(label).then((words) => {
    name.textContent = words;
  });
  const text = typeof confidence === "number" ? said(confidence, label) : "";
  const look = `placed-item${isWord(label) ? " is-word" : ""}`;
  return make("li", { class: look, data: { shape: String(shape) } },
    decorativeEmoji(label, "placed-emoji"),
    make("span", { class: "placed-words" }, name, make("span", { class: "soft", text })));
}

function readPanel() {
  const kept = keptText(panelKey);
  if (kept) return kept === "open";
  return matchMedia("(min-width: 760px)").matches;
}
