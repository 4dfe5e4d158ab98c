// The playground's sheet as a picture: ink, emojis and words, dark on white in both themes.

import { isWord, make } from "./dom.js";

const paper = "#ffffff";
const inkColor = "#232a4d";
const refusedColor = "#8a8fa8";
const plateColor = "#ffefc2";
const plateEdge = "#d99a00";
/** Pixels per unit of the sheet, and the largest side in pixels. */
const sharpness = 2;
const mostPixels = 4096;

let measure = null;

/** Where a line of text has its baseline if its visible middle is at `y`. */
function baseline(text, font, y) {
  measure ??= document.createElement("canvas").getContext("2d");
  measure.font = font;
  const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } =
    measure.measureText(text);
  return y + (above - below) / 2;
}

function textOf(text, size, weight, family, x, y) {
  const font = `${weight} ${size}px ${family}`;
  return { text, size, weight, family, font, x, y: baseline(text, font, y) };
}

/** The plate and the lines of a label of words, as they are on the page. */
function wordsOf(plate, x, y) {
  const { fontSize, fontFamily, transform } = getComputedStyle(plate);
  const middle = x + (transform === "none" ? 0 : new DOMMatrixReadOnly(transform).e);
  const size = parseFloat(fontSize);
  const [width, height] = [plate.offsetWidth, plate.offsetHeight];
  const lines = plate.textContent.split("\n");
  return {
    plates: [{ x: middle - width / 2, y: y - height / 2, width, height, radius: size * 0.6 }],
    texts: lines.map((line, index) => {
      const down = (index - (lines.length - 1) / 2) * size * 1.15;
      return textOf(line, size, 600, fontFamily, middle, y + down);
    }),
  };
}

/** All that is on a `PlaygroundCanvas`, in the sheet's units. */
function contents(canvas) {
  const { width, height } = canvas.svg.viewBox.baseVal;
  const ink = [...canvas.svg.querySelectorAll(".shape:not(.is-gone) > .stroke")].map((stroke) => ({
    d: stroke.getAttribute("d"),
    color: stroke.closest(".is-unrecognized, .is-confused") ? refusedColor : inkColor,
  }));
  const [plates, texts] = [[], []];
  for (const { face, label } of canvas.shapes.values()) {
    if (!face) continue;
    const { fontSize, fontFamily, width: side } = getComputedStyle(face);
    const { e, f } = new DOMMatrixReadOnly(face.dataset.place);
    const [x, y] = [e + parseFloat(side) / 2, f + parseFloat(side) / 2];
    if (isWord(label)) {
      const words = wordsOf(face.firstElementChild, x, y);
      plates.push(...words.plates);
      texts.push(...words.texts);
    } else {
      texts.push(textOf(label, parseFloat(fontSize), 400, fontFamily, x, y));
    }
  }
  return { width, height, ink, plates, texts };
}

/** The sheet as an SVG element. Its emojis are text, in the viewer's emoji font. */
export function sheetSVG(canvas) {
  const { width, height, ink, plates, texts } = contents(canvas);
  return make("svg:svg", { viewBox: `0 0 ${width} ${height}`, width, height },
    make("svg:rect", { width, height, fill: paper }),
    ink.map(({ d, color }) => make("svg:path", { d, fill: color })),
    plates.map(({ radius, ...box }) => make("svg:rect", {
      ...box, rx: radius, fill: plateColor, stroke: plateEdge,
    })),
    texts.map(({ text, size, weight, family, x, y }) => make("svg:text", {
      x, y, "font-size": size, "font-weight": weight, "font-family": family,
      "text-anchor": "middle", fill: inkColor, text,
    })));
}

/** The sheet as the text of an SVG file. */
export function sheetSVGText(canvas) {
  return `${new XMLSerializer().serializeToString(sheetSVG(canvas))}\n`;
}

/** The sheet as a PNG file. */
export function sheetPNG(canvas) {
  const { width, height, ink, plates, texts } = contents(canvas);
  const scale = Math.min(sharpness, mostPixels / Math.max(width, height));
  const picture = document.createElement("canvas");
  picture.width = Math.round(width * scale);
  picture.height = Math.round(height * scale);
  const context = picture.getContext("2d");
  context.scale(scale, scale);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  for (const { d, color } of ink) {
    context.fillStyle = color;
    context.fill(new Path2D(d));
  }
  for (const { x, y, width: wide, height: high, radius } of plates) {
    context.fillStyle = plateColor;
    context.strokeStyle = plateEdge;
    context.beginPath();
    context.roundRect(x, y, wide, high, radius);
    context.fill();
    context.stroke();
  }
  context.fillStyle = inkColor;
  context.textAlign = "center";
  for (const { text, font, x, y } of texts) {
    context.font = font;
    context.fillText(text, x, y);
  }
  return new Promise((done, fail) => picture.toBlob((blob) => {
    if (blob) done(blob);
    else fail(new Error("The picture is too large for this browser."));
  }, "image/png"));
}
