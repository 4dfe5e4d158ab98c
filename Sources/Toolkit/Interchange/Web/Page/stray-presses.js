// Strokes that do not begin on the bare sheet. A press on something that lies over the sheet is a
// click if it rests, and a stroke if it goes on. A press beside the sheet that moves onto it is a
// stroke from where it enters.

import { entryShare } from "./sheet-view.js";

/** Elements that may lie over a sheet and give way to a stroke. */
const covers = ".shape-menu, .shape-handle, .bubbles, .live-guesses, .toast, .sheet-notes,"
  + " .projector-corner, .trace-ask";
/** What is dragged for a purpose of its own. */
const dragged = "input, textarea, select, [contenteditable], .shape-frame";

/** Controls that lie in a sheet's element; what is pressed there is not yet a stroke. */
export const controls = "button, a, input, .shape-handle";

/** How far a press may wander and still rest, in CSS pixels. */
export function slackOf({ pointerType }) {
  return pointerType === "mouse" ? 4 : 10;
}

export class StrayPresses {
  /**
   * @param {object} surface `element`, `isDrawing`, `isPalm(event)`, `isPaper(left, top)`, `paper`
   *   (its box in the element), `begin(events)`.
   */
  constructor(surface) {
    this.surface = surface;
    /** The press that may become a stroke: its pointer, its events, and whether it is on paper. */
    this.press = null;
    /** Whether the newest press became a stroke: then it is no click. */
    this.isDrawn = false;
    this.closing = new AbortController();
    for (const [kind, listener] of Object.entries({
      pointerdown: this.down, pointermove: this.move, pointerup: this.end, pointercancel: this.end,
      click: this.click, dragstart: this.drag,
    })) {
      const options = { capture: true, signal: this.closing.signal };
      addEventListener(kind, listener.bind(this), options);
    }
  }

  close() {
    this.closing.abort();
  }

  down(event) {
    const { surface } = this;
    this.isDrawn = false;
    this.press = null;
    const { target } = event;
    if (event.button !== 0 || surface.isDrawing || !(target instanceof Element)) return;
    if (target.closest(dragged) || surface.isPalm(event) || !this.isOpen) return;
    const dialog = target.closest("dialog");
    // Around an open dialog is its backdrop.
    const isBackdrop = dialog === target && !isInside(event, dialog.firstElementChild);
    if (dialog && !isBackdrop) return;
    if (!canDrag(target, event)) return;
    const isOnPaper = this.isPaper(event);
    const isOver = isBackdrop || target.closest(covers) !== null
      || (surface.element.contains(target) && target.closest(controls) !== null);
    // The bare sheet begins strokes itself.
    if (!isOver && isOnPaper && surface.element.contains(target)) return;
    const { pointerId } = event;
    this.press = {
      pointerId, isOver: isOver && isOnPaper, events: [kept(event)],
      dialog: isBackdrop ? dialog : null,
    };
  }

  move(event) {
    const { press, surface } = this;
    if (!press || event.pointerId !== press.pointerId) return;
    if (surface.isDrawing || event.buttons === 0) {
      this.press = null;
      return;
    }
    const all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length > 0 ? all : [event]) {
      if (press.isOver) press.events.push(kept(each));
      else press.events = [press.events.at(-1), kept(each)];
      if (press.isOver ? this.hasGoneOn() : this.hasEntered()) {
        this.begin();
        return;
      }
    }
  }

  end({ pointerId }) {
    if (this.press?.pointerId === pointerId) this.press = null;
  }

  /** The end of a stroke is not a click on what it began on. */
  click(event) {
    // A key's click has no detail.
    if (!this.isDrawn || event.detail === 0) return;
    this.isDrawn = false;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Selected text and links are not dragged away by a stroke. */
  drag(event) {
    if (this.press || this.surface.isDrawing) event.preventDefault();
  }

  /** Whether a press over the sheet moves on. */
  hasGoneOn() {
    const { events } = this.press;
    const [first] = events;
    const last = events.at(-1);
    const away = Math.hypot(last.clientX - first.clientX, last.clientY - first.clientY);
    return away > slackOf(first);
  }

  /** Whether a press beside the sheet has come onto it. */
  hasEntered() {
    const last = this.press.events.at(-1);
    if (!this.isPaper(last)) return false;
    const there = document.elementFromPoint(last.clientX, last.clientY);
    if (!there) return false;
    return this.surface.element.contains(there) || there.closest(covers) !== null;
  }

  begin() {
    const { surface, press } = this;
    this.press = null;
    const { events, isOver, dialog } = press;
    dialog?.close();
    const points = isOver ? events : [this.entry(...events), events.at(-1)];
    this.isDrawn = surface.begin(points);
  }

  /** The point between one beside the sheet and one on it where the sheet begins. */
  entry(from, to) {
    const { left, top } = this.surface.element.getBoundingClientRect();
    const { x, y, width, height } = this.surface.paper;
    const paper = { left: left + x, top: top + y, width, height };
    const point = ({ clientX, clientY }) => ({ x: clientX, y: clientY });
    const share = entryShare(point(from), point(to), paper);
    const at = (a, b) => a + (b - a) * share;
    return {
      ...to,
      clientX: at(from.clientX, to.clientX), clientY: at(from.clientY, to.clientY),
      timeStamp: at(from.timeStamp, to.timeStamp),
    };
  }

  isPaper({ clientX, clientY }) {
    const { left, top } = this.surface.element.getBoundingClientRect();
    return this.surface.isPaper(clientX - left, clientY - top);
  }

  /** Whether the sheet is there and takes ink. */
  get isOpen() {
    const { element } = this.surface;
    return element.checkVisibility() && getComputedStyle(element).pointerEvents !== "none";
  }
}

/** What a stroke needs of an event, after it was dispatched. */
function kept({ pointerId, pointerType, clientX, clientY, timeStamp, pressure }) {
  return { pointerId, pointerType, clientX, clientY, timeStamp, pressure };
}

function isInside({ clientX, clientY }, element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

/** Whether a press can go on as a stroke: a finger that scrolls the page cannot. */
function canDrag(target, { pointerType }) {
  if (pointerType !== "touch") return true;
  for (let element = target; element; element = element.parentElement) {
    if (getComputedStyle(element).touchAction === "none") return true;
  }
  return false;
}
