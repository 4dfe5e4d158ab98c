import Support
import Testing

@Suite("Lists in sentences")
struct ListedTests {
  @Test("the first are named, the others counted")
  func listed() {
    #expect(Support.listed([]) == "none")
    #expect(Support.listed(["a", "b"], first: 2) == "a, b")
    #expect(Support.listed(["a", "b", "c"], first: 2) == "a, b and 1 more")
    #expect(
      Support.listed((1...1_013).map(String.init), first: 1) == "1 and 1,012 more")
  }
}
