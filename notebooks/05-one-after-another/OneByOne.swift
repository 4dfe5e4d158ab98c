internal import Benchmarks
internal import Datasets
internal import Evaluation
internal import Files
internal import Ink
internal import NotebookTools
internal import Numbers
internal import Recognition
internal import Report

/// Notebook 5: labels taught one after another, and forgotten again.
///
/// Run it with `swift run -c release OneByOne`, or with a folder of your own drawings as its
/// argument; it leaves a page with pictures in `output/notebooks/05-one-after-another`. Each
/// chapter is a method.
@main
struct OneByOne {
  let setting: Setting
  let seed: UInt64 = 5

  static func main() async {
    await tell { setting in try await OneByOne(setting: setting).run() }
  }

  private var orderCount: Int { setting.isQuick ? 2 : 20 }
  private var mostLabels: Int { setting.isQuick ? 6 : 40 }
  private var shots: Int { 5 }
  private var queries: Int { setting.isQuick ? 4 : 10 }

  /// The taught and the held-out drawings of one label.
  struct Lesson: Sendable {
    var label: String
    var taught: [Drawing]
    var asked: [Drawing]
  }

  /// One order of labels, from the first to the last.
  struct Course: Sendable {
    var lessons: [Lesson]
    /// The recognizer after each label.
    var recognizers: [Recognizer]
    /// The accuracy on label j among all labels taught, after label i, at [i][j].
    var amongAll: [[Double]]
    /// The same with only the labels up to j as candidates, so the task does not become harder.
    var amongEarlier: [[Double]]
  }

  /// Runs the notebook and returns the names of the pictures.
  @discardableResult
  func run() async throws -> [String] {
    var page = try Page(
      "5 · One after another", folder: "\(setting.output)/05-one-after-another",
      isPrinting: setting.isPrinting)
    let classroom = try await Classroom(setting.baseModel(), setting.newDrawings())
    let courses = try (0..<orderCount).map { take(try lessons(classroom, order: $0), classroom) }
    try compareWithAllAtOnce(classroom, courses, &page)
    try measureForgetting(courses, &page)
    try watchTheFirst(classroom, courses, &page)
    try forgetOnPurpose(classroom, courses, &page)
    try await takeTime(classroom, &page)
    try page.write()
    return page.pictures
  }

  /// Labels and drawings in a random order.
  private func lessons(_ classroom: Classroom, order: Int) throws -> [Lesson] {
    let samples = classroom.samples
    let usable = samples.classes.filter { label in
      samples.drawings.count { $0.label == label } >= shots + queries
    }
    guard usable.count >= 6 else {
      throw SettingError.tooFewDrawings(
        """
        the notebook needs 6 labels of \(shots + queries) drawings or more, there are \
        \(usable.count)
        """
      )
    }
    var generator = SeededGenerator(seed: seed, stream: order)
    return generator.permutation(usable.count).prefix(mostLabels).map { index in
      var drawings = samples.drawings.filter { $0.label == usable[index] }
      generator.shuffle(&drawings)
      return Lesson(
        label: usable[index], taught: Array(drawings.prefix(shots)),
        asked: Array(drawings[shots..<(shots + queries)]))
    }
  }

  /// Teaches lesson by lesson, and evaluates all labels so far after each.
  private func take(_ lessons: [Lesson], _ classroom: Classroom) -> Course {
    var course = Course(lessons: lessons, recognizers: [], amongAll: [], amongEarlier: [])
    var recognizer = classroom.base
    for step in lessons.indices {
      // Drawing by drawing, as a user would.
      for drawing in lessons[step].taught { classroom.teach(&recognizer, [drawing]) }
      let (all, earlier) = IncrementalBenchmark.accuracies(
        recognizer, on: lessons[...step].map(\.label),
        vectors: classroom.vectors(of: lessons[...step].flatMap(\.asked)))
      course.recognizers.append(recognizer)
      course.amongAll.append(all)
      course.amongEarlier.append(earlier)
    }
    return course
  }

  // MARK: 1. One after another, or all at once

  private func compareWithAllAtOnce(
    _ classroom: Classroom, _ courses: [Course], _ page: inout Page
  ) throws {
    page.chapter("One after another, or all at once")
    let count = courses[0].lessons.count
    let growing = try (0..<count).map { step in
      Chart.Point(Double(step + 1), try Estimate(of: courses.map { $0.amongAll[step].mean }))
    }
    let steps = stride(from: count, to: 0, by: -max(1, count / 5)).reversed()
    var isSame = true
    let atOnce = try steps.map { labels in
      let shares = try courses.enumerated().map { number, course in
        var drawings = course.lessons.prefix(labels).flatMap(\.taught)
        var generator = SeededGenerator(seed: seed, stream: 100 + number, labels)
        generator.shuffle(&drawings)
        var recognizer = classroom.base
        classroom.teach(&recognizer, drawings)
        isSame =
          try isSame
          && ModelFile.fingerprint(of: recognizer)
            == ModelFile.fingerprint(of: course.recognizers[labels - 1])
        return course.lessons.prefix(labels).map { lesson in
          let replies = classroom.ask(
            recognizer, lesson.asked.map(\.id), lesson.asked.map(\.label))
          return Double(replies.count(where: \.isRight)) / Double(replies.count)
        }.mean
      }
      return Chart.Point(Double(labels), try Estimate(of: shares))
    }
    page.tell(
      """
      The material: \(setting.description(of: classroom.samples)). \(courses.count) times, \
      \(count) labels come in a random order, each with \(shots) drawings, taught one by one to a \
      base model that knows no label. After each label the model is asked \(queries) other \
      drawings of every label so far.
      """)
    page.tell(
      "After \(count) labels \(Estimate.text(of: growing)) of the answers are right. The same "
        + "drawings taught all at once, in another order, give "
        + (isSame ? "the same model, byte for byte" : "ANOTHER model: a bug")
        + ": what the model knows follows from the set of taught drawings, not from their order. "
        + "So the points lie on the line."
    )
    let low = growing.compactMap { $0.interval?.lowerBound }.min() ?? 0
    try page.show(
      Chart(
        across: .inside("labels taught so far", 0...Double(count)),
        up: Chart.Axis("right answers on all of them", from: low, to: 1, isShare: true),
        [
          Chart.Series("one after another", growing),
          Chart.Series("all at once", atOnce, style: .points),
        ]
      ).picture(),
      as: "growing",
      caption: "The mean over \(courses.count) orders; band and bars are 95 % intervals.")
  }

  // MARK: 2. Forgetting

  private func measureForgetting(_ courses: [Course], _ page: inout Page) throws {
    page.chapter("What is lost when more is learned")
    let all = try courses.map { try IncrementalAccuracy(accuracies: $0.amongAll).averageForgetting }
    let earlier = try courses.map {
      try IncrementalAccuracy(accuracies: $0.amongEarlier).averageForgetting
    }
    let (allMean, earlierMean) = (all.mean, earlier.mean)
    page.tell(
      """
      A row is a time, a column a label: the share of its drawings that are right then, in the \
      first of the orders. A network that is trained on each new label in turn loses the old ones; \
      the columns would fade downwards. Here old labels stay.
      """
    )
    page.tell(
      """
      Forgetting is the best share a label ever had less its share at the end, averaged over \
      labels: \(percent(allMean)) of the drawings. But later labels also make the question harder. \
      If only the labels may be answered that were known when the drawing's own label was taught, \
      the question stays the same, and forgetting is \(percent(earlierMean))
      """
        + (earlierMean < 0.0005 ? ": nothing is forgotten, there is more to be mistaken for." : ".")
    )
    let course = courses[0]
    let count = min(22, course.lessons.count)
    var values: [Double] = []
    var texts: [String] = []
    for row in 0..<count {
      for column in 0..<count {
        values.append(column <= row ? course.amongAll[row][column] : 0)
        texts.append(column <= row ? number(course.amongAll[row][column]) : "")
      }
    }
    try page.show(
      SVG.heatMap(
        values, names: course.lessons.prefix(count).map(\.label), texts: texts,
        down: "after", across: "right answers on"),
      as: "matrix",
      caption:
        """
        The share of right answers on each label (column) after each label was taught (row), 1 is \
        all.
        """
    )
  }

  // MARK: 3. The first labels

  private func watchTheFirst(
    _ classroom: Classroom, _ courses: [Course], _ page: inout Page
  ) throws {
    page.chapter("More to be mistaken for")
    let count = courses[0].lessons.count
    let first = min(5, count - 1)
    func curve(_ table: KeyPath<Course, [[Double]]>) throws -> [Chart.Point] {
      try ((first - 1)..<count).map { step in
        Chart.Point(
          Double(step + 1),
          try Estimate(of: courses.map { $0[keyPath: table][step].prefix(first).map { $0 }.mean }))
      }
    }
    let (all, earlier) = (try curve(\.amongAll), try curve(\.amongEarlier))
    page.tell(
      """
      The drawings of the first \(first) labels, asked again after each new label: \
      \(percent(all.first?.y ?? 0)) are right with \(first) labels, \(percent(all.last?.y ?? 0)) \
      with \(count), because a later label may fit better. Where only labels may be answered that \
      came no later than the drawing’s own, \(percent(earlier.first?.y ?? 0)) are right at first \
      and \(percent(earlier.last?.y ?? 0)) in the end.
      """)
    let low = (all + earlier).compactMap { $0.interval?.lowerBound }.min() ?? 0
    try page.show(
      Chart(
        across: .inside("labels taught so far", 0...Double(count)),
        up: Chart.Axis("right answers on the first \(first)", from: low, to: 1, isShare: true),
        [
          Chart.Series(
            "among its own and earlier labels", earlier, style: .dashed, color: SVG.palette[2]),
          Chart.Series("among all labels so far", all, color: SVG.palette[0]),
        ]
      ).picture(), as: "first",
      caption: "The first labels' drawings as labels are added; bands are 95 % intervals.")
    try showChanges(classroom, courses, &page)
  }

  /// Drawings whose answer changes as labels arrive.
  private func showChanges(
    _ classroom: Classroom, _ courses: [Course], _ page: inout Page
  ) throws {
    let count = courses[0].lessons.count
    let steps = Set([2, count / 4, count / 2, 3 * count / 4, count].map { max(2, $0) }).sorted()
    var rows: [(title: String, cells: [SVG.Cell])] = []
    for course in courses where rows.count < 8 {
      for lesson in course.lessons.prefix(2) where rows.count < 8 {
        let changing = lesson.asked.first { drawing in
          let last = classroom.ask(course.recognizers[count - 1], [drawing.id], [drawing.label])
          let start = classroom.ask(course.recognizers[1], [drawing.id], [drawing.label])
          return start[0].isRight && !last[0].isRight
        }
        guard let changing else { continue }
        let cells = steps.compactMap { step -> SVG.Cell? in
          let reply = classroom.ask(
            course.recognizers[step - 1], [changing.id], [changing.label])[0]
          let taught = course.lessons.prefix(step).flatMap(\.taught)
            .filter { $0.label == reply.best?.label }
          return classroom.nearest(to: changing, among: taught).map {
            SVG.Cell(
              $0, caption: "\(reply.best?.label ?? "") \(percent(reply.confidence))",
              color: reply.isRight ? SVG.palette[0] : SVG.palette[1])
          }
        }
        rows.append((title: lesson.label, cells: [SVG.Cell(changing)] + cells))
      }
    }
    guard !rows.isEmpty else {
      page.tell("No drawing of the first two labels changed from right to wrong in any order.")
      return
    }
    page.tell(
      """
      Drawings of an order's first two labels that were right in the beginning and wrong in the \
      end, with the taught drawing most like them of the label that was answered at each time.
      """)
    try page.show(
      SVG.sheet(
        rows, size: 72,
        headings: [(0, "asked")] + steps.enumerated().map { ($0 + 1, "\($1) labels") }),
      as: "changes", caption: "Blue: still right; orange: a later label fits better.")
  }

  // MARK: 4. Forgetting on purpose

  private func forgetOnPurpose(
    _ classroom: Classroom, _ courses: [Course], _ page: inout Page
  ) throws {
    page.chapter("Forgetting on purpose")
    let count = courses[0].lessons.count
    var equal = 0
    var back = [[Double]](repeating: [], count: count)
    for course in courses {
      var recognizer = course.recognizers[count - 1]
      for step in stride(from: count - 1, to: 0, by: -1) {
        try recognizer.forget(label: course.lessons[step].label)
        let before = course.recognizers[step - 1]
        if try ModelFile.fingerprint(of: recognizer) == ModelFile.fingerprint(of: before) {
          equal += 1
        }
        back[step - 1].append(
          course.lessons[..<step].map { lesson in
            let replies = classroom.ask(
              recognizer, lesson.asked.map(\.id), lesson.asked.map(\.label))
            return Double(replies.count(where: \.isRight)) / Double(replies.count)
          }.mean)
      }
    }
    let paths = ("\(page.folder)/never.drawml", "\(page.folder)/forgot.drawml")
    let course = courses[0]
    var (never, forgot) = (classroom.base, course.recognizers[count - 1])
    for (number, lesson) in course.lessons.enumerated() {
      if number % 2 == 0 {
        classroom.teach(&never, lesson.taught)
      } else {
        try forgot.forget(label: lesson.label)
      }
    }
    try ModelFile.write(never, to: paths.0)
    try ModelFile.write(forgot, to: paths.1)
    let (a, b) = (try AtomicFile.read(paths.0), try AtomicFile.read(paths.1))
    page.tell(
      """
      Now the labels are forgotten, the last one first. In \(equal) of \
      \(courses.count * (count - 1)) steps the model is the one from before the label was taught, \
      byte for byte, so the way back is the way there.
      """)
    page.tell(
      "The order does not matter either: a model that was taught \(count) labels and forgot every "
        + "second one is written to a file of \(a.count) bytes, one that was never taught them "
        + "to another of \(b.count). The files are "
        + (a == b ? "the same" : "ANOTHER than each other: a bug")
        + ". Who asks for a drawing to be deleted can be sure that nothing of it is left in the "
        + "model."
    )
    let there = try (0..<count).map { step in
      Chart.Point(Double(step + 1), try Estimate(of: courses.map { $0.amongAll[step].mean }))
    }
    let low = there.compactMap { $0.interval?.lowerBound }.min() ?? 0
    try page.show(
      Chart(
        across: .inside("labels in the model", 0...Double(count)),
        up: Chart.Axis("right answers on all of them", from: low, to: 1, isShare: true),
        [
          Chart.Series("there: labels are taught", there),
          Chart.Series(
            "back: labels are forgotten",
            back.enumerated().dropLast().map { Chart.Point(Double($0 + 1), $1.mean) },
            style: .points),
        ]
      ).picture(), as: "back",
      caption:
        "There and back, the mean over \(courses.count) orders; the band is the 95 % interval.")
  }

  // MARK: 5. Time

  private func takeTime(_ classroom: Classroom, _ page: inout Page) async throws {
    page.chapter("How long it takes")
    var drawings = classroom.samples.drawings
    var generator = SeededGenerator(seed: seed, stream: 1)
    generator.shuffle(&drawings)
    drawings = Array(drawings.prefix(setting.isQuick ? 60 : 1000))
    var recognizer = classroom.base
    var teaching: [Double] = []
    var asking: [Double] = []
    for (number, drawing) in drawings.enumerated() {
      var start = ContinuousClock.now
      try await recognizer.update(with: [drawing])
      teaching.append((ContinuousClock.now - start) / .milliseconds(1))
      let other = drawings[(number + 1) % drawings.count]
      start = ContinuousClock.now
      _ = try recognizer.classify(other)
      asking.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    let length = max(1, drawings.count / 20)
    func points(_ times: [Double]) throws -> [Chart.Point] {
      try stride(from: 0, to: times.count - length + 1, by: length).map { start in
        let part = try percentiles([0.05, 0.5, 0.95], of: Array(times[start..<(start + length)]))
        return Chart.Point(Double(start) + Double(length) / 2, part[1], interval: part[0]...part[2])
      }
    }
    let series = [
      Chart.Series("teaching", try points(teaching)), Chart.Series("asking", try points(asking)),
    ]
    let last = (try points(teaching).last?.y ?? 0, try points(asking).last?.y ?? 0)
    page.tell(
      """
      \(drawings.count) drawings are taught one by one, in random order, from strokes to a model \
      that can answer, and after each one drawing is asked. On one core of this computer, and with \
      whatever else it was doing, teaching takes \(decimal(last.0)) ms in the end and asking \
      \(decimal(last.1)) ms (medians). Most of both is the network, which looks at one drawing; \
      what grows with the number of taught drawings is the rest.
      """)
    let high = series.flatMap(\.points).compactMap { $0.interval?.upperBound }.sorted()
    // An outlier must not compress the scale.
    let top = max(
      try percentiles([0.9], of: high)[0], series.flatMap(\.points).map(\.y).max() ?? 0)
    try page.show(
      Chart(
        across: .inside("taught drawings", 0...Double(drawings.count)),
        up: Chart.Axis("time of one drawing, ms", from: 0, to: top), series
      ).picture(), as: "time",
      caption: "Medians of \(length) drawings; bands hold nine in ten of them.")
  }
}

extension Estimate {
  /// The last point in words.
  fileprivate static func text(of points: [Chart.Point]) -> String {
    guard let last = points.last else { return "" }
    let half = ((last.interval?.upperBound ?? last.y) - (last.interval?.lowerBound ?? last.y)) / 2
    return "\(percent(last.y).dropLast(2)) ± \(percent(half))"
  }
}
