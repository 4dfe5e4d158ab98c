import CLibrary
import Testing
import Text

@Suite("Lists in sentences")
struct ListedTests {
  @Test("the first are named, the others counted")
  func listed() {
    #expect(Text.listed([]) == "none")
    #expect(Text.listed(["a", "b"], first: 2) == "a, b")
    #expect(Text.listed(["a", "b", "c"], first: 2) == "a, b and 1 more")
    #expect(
      Text.listed((1...1_013).map(String.init), first: 1) == "1 and 1,012 more")
  }
}
