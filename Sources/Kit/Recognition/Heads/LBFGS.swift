/// Limited-memory BFGS (Nocedal 1980, doi:10.1090/S0025-5718-1980-0572855-7) with step halving.
package struct LBFGS {
  /// The maximum number of steps.
  package var iterations: Int
  /// The number of past steps that approximate the Hessian.
  var history = 10
  /// The search stops when no partial derivative is larger in magnitude.
  var tolerance: Float = 1e-5

  /// A search of at most `iterations` steps.
  package init(iterations: Int) {
    self.iterations = iterations
  }

  /// A local minimum of a smooth function.
  ///
  /// - Parameters:
  ///   - start: The initial point.
  ///   - function: Returns the value and the gradient at a point.
  /// - Returns: The point found.
  package func minimum(
    from start: [Float], of function: ([Float]) -> (value: Double, gradient: [Float])
  ) -> [Float] {
    var point = start
    var (value, gradient) = function(point)
    var steps: [(step: [Float], change: [Float], curvature: Double)] = []
    for _ in 0..<iterations {
      guard gradient.contains(where: { abs($0) > tolerance }) else { break }
      let direction = direction(gradient, steps)
      let slope = dot(direction, gradient)
      guard slope < 0 else { break }
      // The first step has no curvature to scale it.
      var length = steps.isEmpty ? min(1, 1 / dot(gradient, gradient).squareRoot()) : 1.0
      var moved = false
      for _ in 0..<30 where !moved {
        let next = zip(point, direction).map { $0 + Float(length) * $1 }
        let (nextValue, nextGradient) = function(next)
        if nextValue <= value + 1e-4 * length * slope {
          let step = zip(next, point).map { $0 - $1 }
          let change = zip(nextGradient, gradient).map { $0 - $1 }
          let curvature = dot(step, change)
          if curvature > 1e-12 { steps.append((step, change, curvature)) }
          if steps.count > history { steps.removeFirst() }
          (point, value, gradient, moved) = (next, nextValue, nextGradient, true)
        } else {
          length /= 2
        }
      }
      guard moved else { break }
    }
    return point
  }

  /// The two-loop recursion: minus the approximate inverse Hessian times the gradient.
  private func direction(
    _ gradient: [Float], _ steps: [(step: [Float], change: [Float], curvature: Double)]
  ) -> [Float] {
    var direction = gradient.map { -$0 }
    var factors: [Double] = []
    for past in steps.reversed() {
      let factor = dot(past.step, direction) / past.curvature
      factors.append(factor)
      for k in direction.indices { direction[k] -= Float(factor) * past.change[k] }
    }
    if let last = steps.last {
      let scale = Float(last.curvature / dot(last.change, last.change))
      for k in direction.indices { direction[k] *= scale }
    }
    for (past, factor) in zip(steps, factors.reversed()) {
      let correction = Float(factor - dot(past.change, direction) / past.curvature)
      for k in direction.indices { direction[k] += correction * past.step[k] }
    }
    return direction
  }

  private func dot(_ a: [Float], _ b: [Float]) -> Double {
    var sum = 0.0
    for k in a.indices { sum += Double(a[k]) * Double(b[k]) }
    return sum
  }
}
