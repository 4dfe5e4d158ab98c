import Testing
import Training

@Suite("Comma-separated values")
struct CSVTextTests {
  @Test(
    "Commas, quotes and line breaks are quoted, all else is as it is",
    arguments: [
      ("plain", "plain"), ("👩‍🚀", "👩‍🚀"), ("a;b\tc", "a;b\tc"), (" a ", " a "), ("", ""),
      ("red, green", "\"red, green\""), ("5\" nail", "\"5\"\" nail\""), ("\"", "\"\"\"\""),
      ("two\nlines", "\"two\nlines\""), ("two\r\nlines", "\"two\r\nlines\""), ("\r", "\"\r\""),
      // Combining characters make one Character of them.
      (",\u{301}", "\",\u{301}\""), ("\"\u{301}", "\"\"\"\u{301}\""),
    ])
  func quoting(field: String, written: String) {
    #expect(CSVText.row(["1", field, "2"]) == "1,\(written),2\n")
  }

  @Test(
    "What a spreadsheet could run gets an apostrophe, and what begins with one",
    arguments: ["=1+1", "+49", "-1", "-", "@SUM(A1)", " =1", "\t=1", "＝1", "=\u{301}", "'s"])
  func formulas(text: String) {
    #expect(CSVText.field(text) == "'" + text)
  }

  @Test("Other texts are as they are", arguments: ["", "a=1", "⭐", "➕", "3-4", "1e5", "(-1)"])
  func texts(text: String) {
    #expect(CSVText.field(text) == text)
  }
}
