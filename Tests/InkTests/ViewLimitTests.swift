import Foundation
import Ink
import JSON
import Testing

/// What is read out of files that come from anywhere.
@Suite("Limits of views in files")
struct ViewLimitTests {
  private func raster(
    _ width: String, _ height: String, _ pen: String = "1", _ margin: String = "0",
    _ channels: String = "ink"
  ) -> [UInt8] {
    Array(
      """
      {"width":\(width),"height":\(height),"strokeWidth":\(pen),"margin":\(margin),\
      "channels":"\(channels)"}
      """.utf8)
  }

  private func fault<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) -> String? {
    do {
      _ = try JSONDocument.decode(type, from: json)
      return nil
    } catch { return error.description }
  }

  @Test("Rasters have at most 1024 rows and columns and 2^20 values, and room for the pen")
  func rasters() {
    for sound in [
      raster("1024", "1024"), raster("512", "512", "1", "0", "inkAndFlow"), raster("28", "28"),
    ] {
      #expect(fault(Rasterizer.self, sound) == nil)
    }
    for (json, message) in [
      (raster("1025", "8"), "width is 1025; it must be from 1 to 1024"),
      (raster("8", "0"), "height is 0; it must be from 1 to 1024"),
      (raster("8", "-9223372036854775808"), "height is -9223372036854775808; it must be from"),
      (raster("9e18", "8"), "width is 9e18; from 2^53 up it must be written without"),
      (raster("1024", "1024", "1", "0", "inkAndFlow"), "width is 1024; a 1024 × 1024 raster of 4"),
      (raster("28", "28", "0"), "strokeWidth is 0.0; it must be above 0"),
      (raster("28", "28", "-1e300"), "strokeWidth is -1e300; it must be from -1e100 to"),
      (raster("28", "28", "28"), "strokeWidth is 28.0; a 28 × 28 raster has no room for it"),
      (raster("28", "28", "1", "1e300"), "margin is 1e300; it must be from -1e100 to"),
      (raster("28", "28", "1", "1e99"), "strokeWidth is 1.0; a 28 × 28 raster has no room"),
      (raster("28", "28", "1", "-1"), "margin is -1.0; it must not be below 0"),
      (raster("28", "28", "1", "0", "red"), "channels has the value “red”"),
    ] {
      let found = fault(Rasterizer.self, json)
      #expect(found?.hasPrefix(message) == true, "\(found ?? "taken")")
    }
  }

  @Test("Sequences have 2 to 65536 steps")
  func sequences() {
    for steps in ["2", "96", "65536"] {
      #expect(fault(StrokeSequence.self, Array("{\"steps\":\(steps)}".utf8)) == nil)
    }
    for steps in ["-1", "1", "65537", "9000000000000000000"] {
      #expect(
        fault(StrokeSequence.self, Array("{\"steps\":\(steps)}".utf8))
          == "steps is \(steps); it must be from 2 to 65536")
    }
  }
}
