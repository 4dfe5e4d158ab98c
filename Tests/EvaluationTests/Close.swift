/// Whether two numbers differ by at most `tolerance`, or relatively by that much where they are
/// large.
func isClose(_ a: Double, _ b: Double, _ tolerance: Double = 1e-12) -> Bool {
  abs(a - b) <= tolerance * max(1, abs(a), abs(b))
}

func isClose(_ a: [Double], _ b: [Double], _ tolerance: Double = 1e-12) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { isClose($0, $1, tolerance) }
}
