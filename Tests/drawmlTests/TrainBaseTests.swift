import Foundation
import Testing

@testable import Training
@testable import drawml

@Suite("Sources of a recipe, and kernels")
struct TrainBaseTests {
  @Test("Samples stand for the sources in order, or by name")
  func paths() throws {
    let sources = ["one", "two"].map {
      TrainingRecipe.Source(name: $0, weight: 1, turning: 0, inStatistics: true)
    }
    #expect(
      try TrainBaseCommand.paths(["a", "b"], for: sources) == ["one": ["a"], "two": ["b"]])
    #expect(
      try TrainBaseCommand.paths(["two=b", "a", "two=c=d"], for: sources)
        == ["one": ["a"], "two": ["b", "c=d"]])
    #expect(
      try TrainBaseCommand.paths(["x=1", "two=b"], for: sources) == ["one": ["x=1"], "two": ["b"]])
    for wrong in [["a"], ["a", "b", "c"], ["one=a"], ["one=a", "two=b", "c"]] {
      #expect(throws: JobProblem.self) { try TrainBaseCommand.paths(wrong, for: sources) }
    }
  }

  @Test("Only processors with all parts of AVX-512 that the kernels need are given them")
  func kernels() {
    let flags = "flags\t\t: fpu sse avx2 avx512f avx512dq avx512cd avx512bw avx512vl\n"
    #expect(ProcessorKernels.coreType(for: "processor : 0\n" + flags) == "SkylakeX")
    #expect(
      ProcessorKernels.coreType(for: flags.replacingOccurrences(of: " avx512vl", with: "")) == nil)
    #expect(ProcessorKernels.coreType(for: "processor : 0\nFeatures : neon\n") == nil)
    #expect(ProcessorKernels.coreType(for: "") == nil)
  }
}
