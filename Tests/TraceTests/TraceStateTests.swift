import Foundation
import Ink
import Support
import Testing

@testable import Trace

@Suite("State of a page with a template")
struct TraceStateTests {
  private let page = Drawing.Canvas(width: 400, height: 300)
  private let box = BoundingBox(x: 100, y: 50, width: 200, height: 200)

  @Test("TR-011: at first it has the defaults")
  func defaults() {
    let state = TraceState()
    #expect(state.mode == .underPaper)
    #expect(state.template == .identity)
    #expect(state.camera == .identity)
    #expect(state.opacity == 0.5)
    #expect(state.brightness == 0.5)
    #expect(!state.isTorchOn)
    #expect(state.target == .template)
    #expect(!state.isLocked)
  }

  @Test("TR-010: `with` replaces one of the eight members and leaves the others")
  func with() {
    let moved = Similarity(scale: 2, rotation: 1, x: 3, y: 4)
    let first = TraceState()
    let changes: [(String, TraceState)] = [
      ("mode", first.with(mode: .abovePaper)), ("template", first.with(template: moved)),
      ("camera", first.with(camera: moved)), ("opacity", first.with(opacity: 0.25)),
      ("brightness", first.with(brightness: 0.75)), ("isTorchOn", first.with(isTorchOn: true)),
      ("target", first.with(target: .camera)), ("isLocked", first.with(isLocked: true)),
    ]
    #expect(Mirror(reflecting: first).children.count == changes.count)
    for (name, changed) in changes {
      let differing = zip(Mirror(reflecting: first).children, Mirror(reflecting: changed).children)
        .filter { "\($0.0.value)" != "\($0.1.value)" }.compactMap(\.0.label)
      #expect(differing == [name])
      #expect(changed != first)
    }
    #expect(first == TraceState())
  }

  @Test("TR-011: opacity and brightness stay in 0...1")
  func ranges() {
    #expect(TraceState(opacity: 2).opacity == 1)
    #expect(TraceState(brightness: -1).brightness == 0)
  }

  @Test("TR-012: a pinch scales about the middle of the fingers, then two fingers rotate it")
  func pinch() {
    let scaled = Similarity.identity.applying(.init(center: .init(x: 10, y: 20), scale: 2))
    // (10, 20) stays; the origin goes as far again from it.
    #expect(scaled == Similarity(scale: 2, rotation: 0, x: -10, y: -20))
    let turned = Similarity.identity.applying(
      .init(center: .init(x: 10, y: 0), rotation: .pi / 2))
    // A quarter clockwise about (10, 0) takes the origin above it.
    #expect(abs(turned.x - 10) < 1e-12)
    #expect(abs(turned.y + 10) < 1e-12)
    #expect(turned.rotation == .pi / 2)
    #expect(Similarity.identity.applying(.init(x: 5, y: -6)).x == 5)
  }

  @Test("TR-012: what began under the fingers stays there over 1,000 gestures that sum to nothing")
  func drift() {
    var generator = SeededGenerator(seed: 12)
    let start = Similarity(scale: 1, rotation: 0.3, x: 150, y: 120)
    var place = start
    var done: [Similarity.Gesture] = []
    for _ in 0..<500 {
      let gesture = Similarity.Gesture(
        center: .init(x: generator.uniform(0...400), y: generator.uniform(0...300)),
        scale: exp(generator.uniform(-0.02...0.02)), rotation: generator.uniform(-0.3...0.3),
        x: generator.uniform(-9...9), y: generator.uniform(-9...9))
      done.append(gesture)
      place = place.applying(gesture)
    }
    for gesture in done.reversed() {
      // The fingers go back: about where they ended.
      place = place.applying(
        .init(
          center: .init(x: gesture.center.x + gesture.x, y: gesture.center.y + gesture.y),
          scale: 1 / gesture.scale, rotation: -gesture.rotation, x: -gesture.x, y: -gesture.y))
    }
    for point in [Point(x: 0, y: 0), Point(x: 400, y: 300)] {
      #expect(place.transform(point).distance(to: start.transform(point)) < 1e-6)
    }
  }

  /// A gesture of Fixtures/gestures.json, and the matrix [a, b, c, d, x, y] after it.
  private struct Step: Decodable {
    var gesture: Similarity.Gesture
    var matrix: [Double]
  }

  @Test("TR-012: it is the arithmetic of complex numbers, as the page's is")
  func complex() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/gestures.json")
    let steps = try JSONDecoder().decode([Step].self, from: Data(contentsOf: file))
    #expect(steps.count == 60)
    var place = Similarity.identity
    for step in steps {
      place = place.applying(step.gesture)
      let map = place.transform
      for (found, wanted) in zip([map.a, map.b, map.c, map.d, map.x, map.y], step.matrix) {
        #expect(abs(found - wanted) < 1e-6)
      }
    }
  }

  @Test("TR-011: at the end of the scales the rest of a pinch keeps its center")
  func ends() {
    let far = Similarity.identity.applying(.init(center: .init(x: 10, y: 20), scale: 100))
    #expect(far.scale == 10)
    #expect(far.transform(Point(x: 10, y: 20)).distance(to: Point(x: 10, y: 20)) < 1e-12)
  }

  @Test("TR-011: the template's middle stays on the page")
  func reachable() {
    let state = TraceState().applying(.init(x: 5000, y: -5000), to: box, on: page)
    let middle = state.template.transform(Point(x: 200, y: 150))
    #expect(middle == Point(x: 400, y: 0))
  }

  @Test("TR-013: gestures move the target; locked, nothing; reset sets the target back")
  func targets() {
    let gesture = Similarity.Gesture(x: 7, y: 8)
    let moved = TraceState().applying(gesture, to: box, on: page)
    #expect((moved.template.x, moved.template.y) == (7, 8))
    #expect(moved.camera == .identity)
    let camera = moved.with(target: .camera).applying(gesture, to: box, on: page)
    #expect((camera.camera.x, camera.template.x) == (7, 7))
    #expect(moved.with(isLocked: true).applying(gesture, to: box, on: page).template.x == 7)
    #expect(camera.reset().camera == .identity)
    #expect(camera.reset().template == moved.template)
  }

  @Test("TR-010: it is the same after JSON; what is missing has its default")
  func coding() throws {
    let state = TraceState(
      mode: .abovePaper, template: Similarity(scale: 2, rotation: -1, x: 3, y: 4), opacity: 0.75,
      isTorchOn: true, target: .camera, isLocked: true)
    let data = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(TraceState.self, from: data) == state)
    #expect(try JSONDecoder().decode(TraceState.self, from: Data("{}".utf8)) == TraceState())
  }

  @Test(
    "Members out of range are refused by name",
    arguments: [
      (#"{"opacity":1.5}"#, "opacity is 1.5; it must be from 0 to 1"),
      (
        #"{"template":{"scale":0,"rotation":0,"x":0,"y":0}}"#,
        "scale is 0.0; it must be from 0.1 to 10.0"
      ),
      (
        #"{"camera":{"scale":1,"rotation":0,"x":1e9,"y":0}}"#,
        "x is 1000000000.0; it must be from -1000000.0 to 1000000.0"
      ),
    ])
  func hostile(_ text: String, _ problem: String) {
    #expect {
      try JSONDecoder().decode(TraceState.self, from: Data(text.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription == problem
    }
  }
}
