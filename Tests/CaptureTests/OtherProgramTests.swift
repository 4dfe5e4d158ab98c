@testable import Capture
import Testing

@Suite("Programs of the system")
struct OtherProgramTests {
  private static func shell(_ script: String, seconds: Int = 10) throws(OtherProgramError) -> String
  {
    let program = OtherProgram(name: "sh", package: "dash", seconds: seconds, bytes: 1 << 30)
    return String(decoding: try program.run(["-c", script]), as: UTF8.self)
  }

  @Test("Its output comes whole, however much it complains")
  func output() throws {
    let script = "head -c 300000 /dev/zero >&2; head -c 200000 /dev/zero | tr '\\0' x"
    #expect(try Self.shell(script) == String(repeating: "x", count: 200_000))
  }

  @Test("How it ended is told: a failure, a crash, too long, missing")
  func ends() {
    #expect(throws: OtherProgramError.failed(program: "sh", status: 3, text: "two")) {
      try Self.shell("echo one >&2; echo two >&2; exit 3")
    }
    #expect(throws: OtherProgramError.crashed(program: "sh")) { try Self.shell("kill -SEGV $$") }
    #expect(throws: OtherProgramError.tooSlow(program: "sh", seconds: 1)) {
      try Self.shell("sleep 30", seconds: 1)
    }
    let missing = OtherProgram(
      name: "drawml-no-such", package: "no-such", seconds: 5, bytes: 1 << 30)
    #expect(throws: OtherProgramError.missing(program: "drawml-no-such", package: "no-such")) {
      try missing.run([])
    }
  }

  @Test("None of our secrets goes on")
  func environment() throws {
    #expect(try Self.shell("env | grep -c DRAWML || true") == "0\n")
  }
}
