// The surface for small children, a document of its own: a canvas with a scene, fingers, and the
// gate to the adult's sheet. Whatever fails, the child sees a quiet picture and no message.

import { api } from "./api.js";
import { cornerSide, makeGate, progress, step as stepGate } from "./calm-gate.js";
import { fingerCount, resize, toward } from "./calm-fingers.js";
import { makeInput, scenes, stepSeconds } from "./calm-scenes.js";
import { makeSound } from "./calm-sound.js";
import { keepAwake } from "./trace-camera.js";

/** Soft pictures need no more pixels than this; large tablets would compute too long. */
const mostPixels = 2_600_000;
/** Steps that a late frame may make up for; after that the scene slows down. */
const mostSteps = 4;
/** One emoji or more. Labels may be words, which would be something to read. */
const emoji = /^(?:\p{ExtPict}[\p{ExtPict}\p{EMod}\ufe0f\u200d\u{e0020}-\u{e007f}]*|\p{RI}{2})$/u;

const canvas = document.getElementById("surface");
const context = canvas.getContext("2d", { alpha: false });
const gate = makeGate();
const input = makeInput();
const calmly = matchMedia("(prefers-reduced-motion: reduce)");
const leaving = new AbortController();
let settings = { scene: "snow", isSoundOn: false };
let scene = scenes.snow;
let state = null;
let sound = null;
let frameRequest = 0;
let lastFrame = 0;
let owed = 0;
/** The share of the screen's pixels that is used, across: less where frames come late. */
let fineness = 1;
/** Where a mouse is that is not pressed; null for fingers. */
let hover = null;

function fit() {
  const [width, height] = [Math.max(1, innerWidth), Math.max(1, innerHeight)];
  const scale = fineness
    * Math.min(devicePixelRatio || 1, 2, Math.sqrt(mostPixels / (width * height)));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
  if (state) resize(state, width, height);
  if (width !== gate.width || height !== gate.height) {
    stepGate(gate, { kind: "size", width, height });
  }
}

/** Fewer pixels, and another chance: scenes leave things out only if that is not enough. */
function coarsen() {
  fineness *= 0.75;
  input.lateness = 0;
  fit();
}

// Frames.

function frame(now) {
  frameRequest = requestAnimationFrame(frame);
  const passed = Math.min(250, now - lastFrame);
  lastFrame = now;
  // One long pause says little; a second of late frames does.
  const isLate = passed > 22 ? 1 : 0;
  input.lateness += (isLate - input.lateness) * toward(0.7, passed / 1000);
  if (input.lateness > 0.6 && canvas.width > 0.8 * gate.width) coarsen();
  input.isReduced = calmly.matches;
  owed = Math.min(owed + passed / 1000, mostSteps * stepSeconds);
  while (owed >= stepSeconds) {
    owed -= stepSeconds;
    scene.step(state, input, stepSeconds);
    settlePointers();
  }
  scene.draw(state, context);
  if (scene === scenes.bloom) askAboutInk();
  stepGate(gate, { kind: "tick", time: now });
  drawGate(progress(gate, now));
  if (hover) drawHover();
  if (gate.isOpen) leave();
}

function run() {
  cancelAnimationFrame(frameRequest);
  lastFrame = performance.now();
  frameRequest = requestAnimationFrame(frame);
}

function drawGate(share) {
  if (share <= 0) return;
  const middle = cornerSide(gate) / 2;
  const arc = (alpha, to) => {
    context.strokeStyle = `rgb(220 228 245 / ${alpha})`;
    context.beginPath();
    context.arc(gate.width - middle, middle, 30, -Math.PI / 2, -Math.PI / 2 + to * 2 * Math.PI);
    context.stroke();
  };
  context.lineWidth = 2;
  context.lineCap = "round";
  arc(0.05, 1);
  arc(0.17, share);
}

/** The arrow of a mouse would be a thing to look at; a faint light shows where it is. */
function drawHover() {
  context.fillStyle = "rgb(220 228 245 / 0.22)";
  context.beginPath();
  context.arc(hover.x, hover.y, 5, 0, 2 * Math.PI);
  context.fill();
}

// Fingers. A tap that is shorter than a frame is still stepped once.

function settlePointers() {
  input.shake *= 0.94;
  const { pointers } = input;
  for (let index = pointers.length - 1; index >= 0; index -= 1) {
    pointers[index].isNew = false;
    if (pointers[index].isGone) pointers.splice(index, 1);
  }
}

function forgetPointers() {
  for (const each of input.pointers) each.isGone = true;
  stepGate(gate, { kind: "reset" });
}

function press(event) {
  const { pointerId: id, clientX: x, clientY: y, timeStamp: time } = event;
  // A first finger: whatever came before has ended, also where the browser did not say so.
  if (event.isPrimary) forgetPointers();
  stepGate(gate, { kind: "down", id, x, y, time });
  hover = null;
  if (input.pointers.length < fingerCount) {
    input.pointers.push({ id, x, y, isNew: true, isGone: false });
  }
  sound?.play(1 - y / innerHeight);
}

function move({ pointerId: id, clientX: x, clientY: y, timeStamp: time, pointerType, buttons }) {
  stepGate(gate, { kind: "move", id, x, y, time });
  const pointer = input.pointers.find((each) => each.id === id && !each.isGone);
  if (pointer) Object.assign(pointer, { x, y });
  hover = pointerType === "mouse" && buttons === 0 ? { x, y } : null;
}

function lift({ pointerId: id, clientX: x, clientY: y, timeStamp: time }) {
  stepGate(gate, { kind: "up", id, x, y, time });
  const pointer = input.pointers.find((each) => each.id === id && !each.isGone);
  if (pointer) pointer.isGone = true;
  begin();
}

// What browsers allow only after a touch, which ends when the finger is lifted.

let hasBegun = false;

function begin() {
  if (navigator.userActivation?.isActive === false) return;
  if (settings.isSoundOn) sound ??= makeSound(settings.scene);
  if (!document.fullscreenElement) fillScreen();
  if (hasBegun) return;
  hasBegun = true;
  keepAwake(leaving.signal);
  // A step back, by a swipe too, leads to this page again.
  history.pushState(null, "");
}

async function fillScreen() {
  try {
    await document.documentElement.requestFullscreen?.({ navigationUI: "hide" });
  } catch {
    // iPhones have no full screen for pages, and a kiosk has it already.
  }
}

// Motion: only where no question is asked for it, as on iOS.

function listenToMotion() {
  const Motion = globalThis.DeviceMotionEvent;
  if (!Motion || Motion.requestPermission || !isSecureContext) return;
  let steadyX = 0;
  let steadyY = 0;
  addEventListener("devicemotion", ({ accelerationIncludingGravity: felt }) => {
    if (felt?.x === null || felt?.x === undefined) return;
    const angle = ((screen.orientation?.angle ?? 0) * Math.PI) / 180;
    const x = (-felt.x * Math.cos(angle) - felt.y * Math.sin(angle)) / 9.8;
    const y = (felt.y * Math.cos(angle) - felt.x * Math.sin(angle)) / 9.8;
    steadyX += (x - steadyX) * 0.08;
    steadyY += (y - steadyY) * 0.08;
    input.tilt.x = steadyX;
    // Flat on a table or upright: both are level.
    input.tilt.y = Math.abs(steadyY) < 0.25 ? 0 : Math.max(-1, steadyY - 1);
    input.shake = Math.min(1, Math.max(input.shake, Math.hypot(x - steadyX, y - steadyY) - 0.5));
  });
}

// The drawing scene asks the studio's model. No answer is an answer: the ink fades.

let model = null;

async function askAboutInk() {
  const group = scenes.bloom.takeReady(state);
  if (group < 0) return;
  const turn = state.turn[group];
  let label = null;
  try {
    model ??= (await api.state()).activeModel.id;
    const canvasSize = { width: Math.round(state.width), height: Math.round(state.height) };
    const strokes = scenes.bloom.strokesOf(state, group);
    const said = await api.classify(model, { canvas: canvasSize, strokes });
    if (said.decision === "recognized" && emoji.test(said.label)) label = said.label;
  } catch {
    // Another model may be in use by now.
    model = null;
  }
  if (turn === state.turn[group]) scenes.bloom.answer(state, group, label);
}

// The way in and out.

function stopTheBrowser() {
  const stop = (event) => event.preventDefault();
  const kinds = [
    "contextmenu", "selectstart", "dragstart", "dragover", "drop", "gesturestart",
    "gesturechange", "gestureend", "touchstart", "touchmove", "touchend", "wheel", "keydown",
    "keyup", "auxclick", "dblclick", "copy", "cut", "paste", "beforeinput", "mousedown",
  ];
  for (const kind of kinds) addEventListener(kind, stop, { passive: false, capture: true });
  addEventListener("popstate", () => history.pushState(null, ""));
}

function leave() {
  cancelAnimationFrame(frameRequest);
  leaving.abort();
  location.replace("/calm/adult");
}

function pauseWhenHidden() {
  if (document.visibilityState === "hidden") {
    cancelAnimationFrame(frameRequest);
    forgetPointers();
    sound?.pause();
  } else {
    sound?.resume();
    run();
  }
}

async function start() {
  stopTheBrowser();
  try {
    settings = await api.calm();
  } catch {
    // The first scene needs no server.
  }
  scene = scenes[settings.scene] ?? scenes.snow;
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  state = scene.make(seed, Math.max(1, innerWidth), Math.max(1, innerHeight));
  fit();
  const { signal } = leaving;
  addEventListener("resize", fit, { signal });
  addEventListener("pointerdown", press, { signal });
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", lift, { signal });
  addEventListener("pointercancel", lift, { signal });
  document.addEventListener("visibilitychange", pauseWhenHidden, { signal });
  // The back-and-forward cache would keep an open gate.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
  listenToMotion();
  run();
  document.body.dataset.ready = "true";
}

start();
