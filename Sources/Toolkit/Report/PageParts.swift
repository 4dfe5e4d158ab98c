package import Evaluation
internal import Text

/// The building blocks of all pages. A page is self-contained: no scripts, no external resources,
/// light or dark by the reader's setting.
package enum PageParts {
  /// A whole HTML document.
  ///
  /// - Parameters:
  ///   - title: The page's title.
  ///   - symbols: The drawings of its gallery.
  ///   - body: The content of the page.
  /// - Returns: The HTML.
  package static func document(title: String, symbols: Markup, body: Markup) -> String {
    let page = Markup.tag(
      "html", ["lang": "en"],
      .tag(
        "head", [:], .void("meta", ["charset": "utf-8"]),
        // By this a later run knows that the page may be replaced: see `FileKind.page`.
        .void("meta", ["name": "generator", "content": "DrawML"]),
        .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        // Whatever a label contains, the page can neither load nor run anything.
        .void(
          "meta",
          [
            "http-equiv": "Content-Security-Policy",
            "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
          ]), .void("meta", ["name": "color-scheme", "content": "light dark"]),
        .void("link", ["rel": "icon", "href": "data:,"]), .tag("title", [:], Markup(title)),
        .tag("style", [:], PageStyle.sheet)),
      .tag(
        "body", [:], PageStyle.definitions,
        .tag(
          "svg", ["class": "symbols", "width": "0", "height": "0", "aria-hidden": "true"], symbols),
        .tag("main", [:], body)))
    return "<!DOCTYPE html>\n" + page.html + "\n"
  }

  /// A part of the page with a heading.
  package static func section(
    _ id: String, _ title: String, _ introduction: String?, _ content: Markup
  ) -> Markup {
    .tag(
      "section", ["class": "part", "aria-labelledby": id],
      .tag("h2", ["id": id], Markup(title)),
      introduction.map { .tag("p", ["class": "intro"], Markup($0)) } ?? Markup(), content)
  }

  /// The top of the page: its main number, its meaning, its confidence interval, and further
  /// numbers.
  ///
  /// - Parameters:
  ///   - brand: The kind of report, such as "evaluation".
  ///   - number: The formatted number.
  ///   - text: What the number counts.
  ///   - gauge: The gauge's name, value and interval, in 0...1; nil for no gauge.
  ///   - sentence: The meaning of the number.
  ///   - cards: Names, values and notes.
  /// - Returns: A `header` element.
  package static func header(
    brand: String, number: String, text: String,
    gauge: (name: String, value: Double, interval: ConfidenceInterval)?, sentence: Markup,
    cards: [(String, String, String)]
  ) -> Markup {
    .tag(
      "header", [:], .tag("p", ["class": "brand"], Markup("DrawML · \(brand)")),
      .tag(
        "h1", [:], .tag("span", ["class": "number"], Markup(number)), Markup(" " + text)),
      gauge.map(line) ?? Markup(),
      .tag("p", ["class": "interval"], sentence),
      .tag(
        "dl", ["class": "cards"],
        .joined(
          cards.map { name, value, note in
            .tag(
              "div", [:], .tag("dt", [:], Markup(name)), .tag("dd", [:], Markup(value)),
              .tag("dd", ["class": "note"], Markup(note)))
          })))
  }

  /// A value and its interval on a line from 0 to 1.
  private static func line(
    _ gauge: (name: String, value: Double, interval: ConfidenceInterval)
  ) -> Markup {
    func position(_ value: Double) -> String { ReportNumbers.decimal(value * 1000, 1) }
    let interval = gauge.interval
    return .tag(
      "svg",
      [
        "class": "gauge", "role": "img", "viewBox": "0 0 1000 28", "preserveAspectRatio": "none",
        "aria-label":
          "\(gauge.name) \(ReportNumbers.percent(gauge.value)) on a line from 0 to 100 percent",
      ], .tag("rect", ["class": "track", "x": "0", "y": "11", "width": "1000", "height": "6"]),
      .tag(
        "rect",
        ["class": "fill", "x": "0", "y": "11", "width": position(gauge.value), "height": "6"]),
      .tag(
        "rect",
        [
          "class": "range", "x": position(interval.lower), "y": "4",
          "width": position(max(0.002, interval.upper - interval.lower)), "height": "20",
        ]))
  }

  /// A sentence with a bold part in the middle, such as an interval.
  package static func sentence(_ start: String, _ bold: String, _ end: String) -> Markup {
    .joined([Markup(start), .tag("b", [:], Markup(bold)), Markup(end)])
  }

  /// An interval in percent: "97.3 % and 98.1 %".
  package static func both(_ interval: ConfidenceInterval) -> String {
    "\(ReportNumbers.percent(interval.lower)) and \(ReportNumbers.percent(interval.upper))"
  }

  /// Diagrams side by side.
  package static func charts(_ charts: Markup...) -> Markup {
    .tag("div", ["class": "charts"], .joined(charts))
  }

  /// A diagram with its title and a note; `isWide` for one that takes the full width.
  package static func chart(
    _ title: String, _ note: String, isWide: Bool = false, _ content: Markup...
  ) -> Markup {
    .tag(
      "figure", ["class": isWide ? "wide" : ""], .tag("h3", [:], Markup(title)),
      .joined(content), .tag("figcaption", [:], Markup(note)))
  }

  /// A table whose first column holds row headings.
  ///
  /// - Parameters:
  ///   - headings: One heading per column.
  ///   - rows: The row heading, and the other cells, made by `cell`, `words` and `bar`.
  ///   - words: The left-aligned text columns, counted from 0.
  /// - Returns: A table that scrolls horizontally if needed.
  package static func table(
    _ headings: [String], _ rows: [(name: Markup, cells: [Markup])], words: Set<Int> = []
  ) -> Markup {
    let heads = headings.enumerated().map { column, heading in
      Markup.tag(
        "th", ["scope": "col", "class": words.contains(column) ? "words" : ""], Markup(heading))
    }
    return .tag(
      "div", ["class": "scroll"],
      .tag(
        "table", ["class": "classes"],
        .tag(
          "thead", [:],
          .tag("tr", [:], .joined(heads))),
        .tag(
          "tbody", [:],
          .joined(
            rows.map { row in
              .tag("tr", [:], .tag("th", ["scope": "row"], row.name), .joined(row.cells))
            }))))
  }

  /// A table that shows its first 30 rows and folds the others, if it has more than 40.
  package static func longTable(
    _ headings: [String], _ rows: [(name: Markup, cells: [Markup])], _ things: String
  ) -> Markup {
    guard rows.count > 40 else { return table(headings, rows) }
    return .joined([
      table(headings, Array(rows.prefix(30))),
      .tag(
        "details", [:],
        .tag("summary", [:], Markup("The other \(grouped(rows.count - 30)) \(things)")),
        table(headings, Array(rows.dropFirst(30)))),
    ])
  }

  /// A cell of a table.
  package static func cell(_ text: String) -> Markup { .tag("td", [:], Markup(text)) }

  /// A left-aligned text cell.
  package static func words(_ text: String) -> Markup {
    .tag("td", ["class": "words"], Markup(text))
  }

  /// A cell whose background shows a share in 0...1.
  package static func bar(_ share: Double, _ text: String, _ kind: String = "f1") -> Markup {
    .tag(
      "td",
      [
        "class": "bar \(kind)",
        "style": "--share:\(ReportNumbers.decimal(max(0, min(1, share)), 3))",
      ], .tag("span", [:], Markup(text)))
  }

  /// A list of names and values, such as what is needed to rerun it.
  package static func facts(_ entries: [(String, String)]) -> Markup {
    .tag(
      "dl", ["class": "facts"],
      .joined(
        entries.map { name, value in
          .tag("div", [:], .tag("dt", [:], Markup(name)), .tag("dd", [:], Markup(value)))
        }))
  }
}

/// Small texts that several parts of a page share.
package enum PageText {
  /// A label for people, at most 60 characters.
  package static func short(_ label: String) -> String {
    let text = label.isEmpty ? "(no label)" : label
    return text.count > 60 ? text.prefix(59) + "…" : text
  }

  /// A label with isolated text direction, so that right-to-left names do not affect their
  /// surroundings.
  package static func name(_ label: String) -> Markup { .tag("bdi", [:], Markup(short(label))) }

  /// "97 %", or "97 %, refused".
  package static func verdict(_ confidence: Double, isRecognized: Bool) -> String {
    ReportNumbers.percent(confidence, 0) + (isRecognized ? "" : ", refused")
  }
}
