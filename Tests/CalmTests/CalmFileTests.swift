import Files
import Foundation
import Testing

@testable import Calm

@Suite("The adult's passphrase")
struct CalmFileTests {
  private static func place() throws -> PrivateTemporaryFolder { try PrivateTemporaryFolder() }

  @Test("CL-021: scrypt with N = 2¹⁵, r = 8, p = 1, a salt of its own, and nothing of the text")
  func hashing() throws {
    let one = Passphrase("correct horse")
    #expect(one.matches("correct horse"))
    for other in ["", "correct hors", "correct horse ", "Correct horse"] {
      #expect(!one.matches(other))
    }
    #expect(one != Passphrase("correct horse"))
    // Made by: python3 -c "import hashlib; print(hashlib.scrypt(b'sesame', salt=bytes(range(16)),
    // n=2**15, r=8, p=1, maxmem=64<<20, dklen=32).hex())"
    let known = Passphrase("sesame", salt: Array(0..<16))
    let file = String(decoding: try JSONEncoder().encode(known), as: UTF8.self)
    let hash = Self.sesame.map(String.init).joined(separator: ",")
    #expect(file.contains("[\(hash)]"))
    #expect(!file.contains("sesame"))
  }

  @Test("CL-021: five wrong ones, then 30 s, which double, also over restarts")
  func waits() throws {
    let folder = try Self.place()
    let start = Date(timeIntervalSince1970: 1_000_000)
    func answer(_ text: String, after seconds: Double) throws -> CalmFile.Answer {
      // A new value each time, as after a restart.
      try CalmFile(folder: folder.path).answer(to: text, now: start.addingTimeInterval(seconds))
    }
    #expect(try answer("anything", after: 0) == .open)
    try CalmFile(folder: folder.path).set(Passphrase("sesame"))
    for _ in 1...4 { #expect(try answer("wrong", after: 0) == .wrong) }
    #expect(try answer("wrong", after: 0) == .wait(seconds: 30))
    // The right one is not looked at before.
    #expect(try answer("sesame", after: 29) == .wait(seconds: 1))
    #expect(try answer("wrong", after: 30) == .wait(seconds: 60))
    #expect(try answer("wrong", after: 90) == .wait(seconds: 120))
    // A clock that was set back makes no wait longer: it begins again.
    #expect(try answer("sesame", after: -900_000) == .wait(seconds: 120))
    #expect(try answer("sesame", after: -900_000 + 119) == .wait(seconds: 1))
    #expect(try answer("sesame", after: -900_000 + 120) == .open)
    #expect(try answer("wrong", after: 210) == .wrong)
  }

  @Test("CL-021: of tries at once, five are answered; the rest wait")
  func concurrent() async throws {
    let folder = try Self.place()
    let file = CalmFile(folder: folder.path)
    try file.set(Passphrase("sesame"))
    let now = Date(timeIntervalSince1970: 1_000_000)
    let answers = try await withThrowingTaskGroup { group in
      for _ in 0..<12 { group.addTask { try file.answer(to: "wrong", now: now) } }
      return try await group.reduce(into: [CalmFile.Answer]()) { $0.append($1) }
    }
    #expect(answers.count(where: { $0 == .wrong }) == 4)
    #expect(answers.count(where: { $0 == .wait(seconds: 30) }) == 8)
    #expect(try file.answer(to: "sesame", now: now) == .wait(seconds: 30))
  }

  @Test("CL-021: an accent is the same as a letter of its own or as a mark behind one")
  func accents() {
    #expect(Passphrase("caf\u{e9}s").matches("cafe\u{301}s"))
    #expect(!Passphrase("cafés").matches("cafes"))
    #expect(Passphrase.isShortEnough(String(repeating: "é", count: 200)))
    #expect(!Passphrase.isShortEnough(String(repeating: "x", count: 201)))
    #expect(!Passphrase.isShortEnough("e" + String(repeating: "\u{301}", count: 1000)))
  }

  @Test("CL-032: settings are kept; a broken file opens nothing and says what to do")
  func kept() throws {
    let folder = try Self.place()
    let file = CalmFile(folder: folder.path)
    #expect(try file.settings() == CalmFile.Settings())
    #expect(try !file.hasPassphrase())
    var settings = CalmFile.Settings()
    (settings.scene, settings.isSoundOn, settings.offered) = (.dust, true, [.dust, .still])
    try file.changeSettings { $0 = settings }
    try file.set(Passphrase("sesame"))
    #expect(try CalmFile(folder: folder.path).settings() == settings)
    #expect(try file.hasPassphrase())
    try file.set(nil)
    #expect(try file.answer(to: "") == .open)
    let path = folder.path + "/calm.json"
    let whole = String(decoding: try AtomicFile.read(path), as: UTF8.self)
    for text in [
      "{}", "[", whole.replacing("dust", with: "disco"),
      whole.replacing(#""scene" : "dust""#, with: #""scene" : "snow""#),
      whole.replacing(#""wrongCount" : 0"#, with: #""wrongCount" : 9223372036854775807"#),
    ] {
      try #require(text != whole)
      try AtomicFile.write(text, to: path)
      let error = #expect(throws: FileError.self) { try file.answer(to: "sesame") }
      #expect(error?.description.contains("remove the file to start over") == true)
    }
  }

  @Test("Only the user reads the hash, also where others could")
  func mode() throws {
    let folder = try Self.place()
    let path = folder.path + "/calm.json"
    let file = CalmFile(folder: folder.path)
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try file.set(Passphrase("sesame"))
    #expect(try mode() == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try file.answer(to: "sesame") == .open)
    #expect(try mode() == 0o600)
  }

  @Test("Where a wrong passphrase cannot be counted, nothing opens")
  func unwritable() throws {
    let folder = try Self.place()
    let file = CalmFile(folder: folder.path + "/nowhere")
    #expect(try file.settings() == CalmFile.Settings())
    #expect(throws: FileError.self) { try file.answer(to: "sesame") }
    #expect(throws: FileError.self) { try file.changeSettings { $0.scene = .still } }
  }

  private static let sesame: [UInt8] = [
    149, 51, 12, 183, 89, 89, 161, 137, 63, 4, 231, 222, 88, 5, 47, 84,
    32, 206, 69, 179, 117, 35, 211, 60, 158, 32, 35, 182, 209, 37, 196, 90,
  ]
}
