import Foundation
import Testing

@testable import Trace

@Suite("Daily limits")
struct DailyLimitTests {
  private let berlin = TimeZone(identifier: "Europe/Berlin")

  private func time(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  @Test("TR-040: without a limit nothing is left to count")
  func none() throws {
    let now = try time("2026-11-25T12:00:00Z")
    #expect(DailyLimit().left(at: now, in: .gmt) == nil)
    #expect(DailyLimit().counting(at: now, in: .gmt) != nil)
  }

  @Test("TR-040: two a day are two until local midnight, then two again")
  func midnight() throws {
    let zone = try #require(berlin)
    // 22:59 in winter's UTC is 23:59 in Berlin.
    let late = try time("2026-11-25T22:59:59Z")
    let next = try time("2026-11-25T23:00:00Z")
    let first = try #require(DailyLimit(limit: 2).counting(at: late, in: zone))
    #expect(first.left(at: late, in: zone) == 1)
    let second = try #require(first.counting(at: late, in: zone))
    #expect(second.left(at: late, in: zone) == 0)
    #expect(second.counting(at: late, in: zone) == nil)
    #expect(second.left(at: next, in: zone) == 2)
    #expect(second.counting(at: next, in: zone)?.left(at: next, in: zone) == 1)
    // One second later it is the same day in Greenwich.
    let third = try #require(DailyLimit(limit: 2).counting(at: late, in: .gmt))
    #expect(third.left(at: next, in: .gmt) == 1)
  }

  @Test("TR-040: a smaller limit than what was drawn leaves nothing, not less")
  func lowered() throws {
    let now = try time("2026-11-25T12:00:00Z")
    #expect(DailyLimit(limit: 1, day: "2026-11-25", used: 3).left(at: now, in: .gmt) == 0)
  }
}
