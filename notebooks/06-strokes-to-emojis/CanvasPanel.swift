internal import Ink
internal import NotebookTools
internal import Recognition
internal import Segmentation

/// A canvas, or a part of one, drawn to scale in a picture.
struct CanvasPanel {
  /// The left edge in the picture.
  var x: Double
  /// The top edge in the picture; a caption is above it.
  var y: Double
  /// The width in the picture.
  var width: Double
  /// The part of the canvas that is shown.
  var window: BoundingBox

  /// Picture units per canvas unit.
  var scale: Double { width / window.width }
  /// The height in the picture.
  var height: Double { window.height * scale }

  /// Colors to tell neighbors apart.
  static let colors = SVG.palette + ["#6e3ca0", "#777777"]
  /// The color of errors.
  static let warning = "#c0392b"
  /// The color of refused ink.
  static let refused = "#b08078"

  /// The color of the item with the given number.
  static func color(_ number: Int) -> String { colors[number % colors.count] }

  /// A picture of `count` canvases in rows of `columns`, each drawn by `show` with its number;
  /// `aside` is the width for text on the right.
  static func sheet(
    _ count: Int, columns: Int, width: Double, canvas: Drawing.Canvas, aside: Double = 0,
    show: (CanvasPanel, Int, inout SVG) throws -> Void
  ) rethrows -> SVG {
    let (gap, head) = (14.0, 24.0)
    let height = canvas.height * width / canvas.width
    let rows = max(1, (count + columns - 1) / columns)
    var svg = SVG(
      width: gap + Double(min(count, columns)) * (width + gap) + aside,
      height: Double(rows) * (height + head + 4) + 8)
    for index in 0..<count {
      let view = CanvasPanel(
        x: gap + Double(index % columns) * (width + gap),
        y: head + Double(index / columns) * (height + head + 4), width: width,
        window: BoundingBox(x: 0, y: 0, width: canvas.width, height: canvas.height))
      try show(view, index, &svg)
    }
    return svg
  }

  /// The position in the picture of a point of the canvas.
  private func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (self.x + (x - window.x) * scale, self.y + (y - window.y) * scale)
  }

  /// The panel with the same position, showing only the surroundings of `box`.
  func around(_ box: BoundingBox) -> CanvasPanel {
    var view = self
    let margin = 0.06 * max(box.width, box.height, 1)
    let (proportion, across) = (window.width / window.height, box.width + 2 * margin)
    view.window.width = max(across, (box.height + 2 * margin) * proportion)
    view.window.height = view.window.width / proportion
    view.window.x = box.x + box.width / 2 - view.window.width / 2
    view.window.y = box.y + box.height / 2 - view.window.height / 2
    return view
  }

  /// The edge of the canvas, and a caption above it.
  func frame(_ svg: inout SVG, _ caption: String, color: String = SVG.ink) {
    svg.rectangle(x: x, y: y, width: width, height: height, fill: "#fcfcfa", outline: SVG.faint)
    svg.text(caption, x: x, y: y - 6, size: 12, color: color)
  }

  /// Ink; points outside the window are left out.
  func ink(
    _ svg: inout SVG, _ strokes: [Stroke], color: String, thickness: Double = 1.6,
    shift: Double = 0
  ) {
    for stroke in strokes {
      let points = stroke.simplified(tolerance: 0.4 / scale).points
      svg.line(
        points.map { place($0.x + shift / scale, $0.y) }, color: color, thickness: thickness)
    }
  }

  /// The box of a shape, a little larger than the shape.
  func outline(
    _ svg: inout SVG, _ box: BoundingBox, color: String, isDashed: Bool = false,
    thickness: Double = 1, slack: Double = 4
  ) {
    let (left, top) = place(box.x, box.y)
    let (right, bottom) = place(box.x + box.width, box.y + box.height)
    svg.line(
      [
        (left - slack, top - slack), (right + slack, top - slack),
        (right + slack, bottom + slack), (left - slack, bottom + slack),
        (left - slack, top - slack),
      ], color: color, thickness: thickness, isDashed: isDashed)
  }

  /// A label in its square: an emoji fills it, a word is as large as fits.
  func emoji(_ svg: inout SVG, _ label: String, _ placement: Placement) {
    let middle = place(placement.x + placement.side / 2, placement.y + placement.side / 2)
    let side = placement.side * scale
    let isWord = label.utf8.allSatisfy { $0 < 0x80 }
    let size = isWord ? min(side / 3, 1.6 * side / Double(max(1, label.count))) : side / 1.22
    svg.text(label, x: middle.x, y: middle.y + 0.36 * size, size: size, anchor: "middle")
  }

  /// A word next to a box: above it if there is space, else below.
  func word(_ svg: inout SVG, _ text: String, at box: BoundingBox, color: String, size: Double = 11)
  {
    let (left, top) = place(box.x, box.y)
    let bottom = place(box.x, box.y + box.height).y
    let length = Double(text.count) * size * 0.5
    let start = max(x + 2, min(left - 4, x + width - length - 2))
    let base = top - 8 > y + size ? top - 8 : min(bottom + 6 + size, y + height - 4)
    svg.rectangle(
      x: start - 1, y: base - size, width: length, height: 1.3 * size, fill: "#fcfcfa")
    svg.text(text, x: start, y: base, size: size, color: color)
  }

  /// A live canvas as displayed: emojis for recognized shapes, ink for others.
  ///
  /// - Parameters:
  ///   - svg: The picture.
  ///   - shapes: The shapes on it.
  ///   - strokes: All strokes, by number.
  ///   - latest: The shape that was just reopened, which is blue, or refused, which shakes.
  func live(
    _ svg: inout SVG, _ shapes: [LiveShape], _ strokes: [Stroke], latest: Int? = nil
  ) {
    for shape in shapes {
      let ink = shape.strokes.map { strokes[$0] }
      switch shape.state {
      case .pending:
        self.ink(&svg, ink, color: shape.id == latest ? SVG.palette[0] : SVG.ink)
      case .recognized(let best, let placement):
        emoji(&svg, best.label, placement)
      case .unrecognized, .confused:
        guard shape.id == latest else {
          self.ink(&svg, ink, color: Self.refused)
          continue
        }
        for shift in [-6.0, 6, -3, 3] {
          self.ink(&svg, ink, color: "#f0bdb6", thickness: 1, shift: shift)
        }
        self.ink(&svg, ink, color: SVG.ink)
      }
    }
    // Text last, so that it is on top.
    if let shape = shapes.first(where: { $0.id == latest }), let message = shape.message {
      word(&svg, message, at: shape.box, color: Self.warning, size: 11)
    }
  }
}

/// A mirror of a live canvas's shapes, updated by its events.
struct Listener {
  private var byNumber: [Int: LiveShape] = [:]

  /// The shapes in the order of their first strokes.
  var shapes: [LiveShape] { byNumber.values.sorted { $0.id < $1.id } }

  /// Applies an event.
  mutating func apply(_ event: LiveCanvas.Event) {
    for id in event.absorbed { byNumber[id] = nil }
    if let shape = event.shape { byNumber[shape.id] = shape }
    switch event.kind {
    case .removed(let id): byNumber[id] = nil
    case .undone(_, let restored, let removed):
      for id in removed { byNumber[id] = nil }
      for shape in restored { byNumber[shape.id] = shape }
    case .cleared: byNumber = [:]
    default: break
    }
  }
}
