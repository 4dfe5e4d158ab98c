import Ink
import Pictures

/// The pixels of a drawing in stroke JSON, and a PNG file's bytes of them.
func pixels(of json: String) throws -> (values: [Float], png: [UInt8]) {
  let drawing = try StrokeJSON.parse(Array(json.utf8))
  let raster = try Rasterizer(width: 28, height: 28, strokeWidth: 1.5, margin: 1)(drawing)
  return (raster.values, try raster.png(.blackOnWhite))
}
