internal import CLibrary

/// The quantile function of the standard normal distribution.
///
/// - Parameter probability: In 0 <..< 1.
/// - Returns: The quantile, in standard deviations.
public func normalQuantile(_ probability: Double) -> Double {
  precondition(0 < probability && probability < 1, "probability \(probability) is not in 0 <..< 1")
  return root(of: probability) { erfc(-$0 / 2.0.squareRoot()) / 2 }
}

/// The quantile function of Student's t distribution (Student 1908, doi:10.1093/biomet/6.1.1).
///
/// - Parameters:
///   - probability: In 0 <..< 1.
///   - degreesOfFreedom: Greater than 0.
/// - Returns: The quantile.
public func studentQuantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
  precondition(0 < probability && probability < 1, "probability \(probability) is not in 0 <..< 1")
  precondition(degreesOfFreedom > 0, "degrees of freedom must be positive")
  return root(of: probability) { t in
    let tail =
      incompleteBeta(
        degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5) / 2
    return t < 0 ? tail : 1 - tail
  }
}

/// The argument at which an increasing function symmetric about (0, 0.5) reaches `probability`, by
/// bisection.
private func root(of probability: Double, _ cumulative: (Double) -> Double) -> Double {
  if probability == 0.5 { return 0 }
  // The lower tail is precise; the upper one would be rounded near 1.
  if probability > 0.5 { return -root(of: 1 - probability, cumulative) }
  var (low, high) = (-1.0, 0.0)
  while cumulative(low) > probability, low > -0x1p500 { (low, high) = (low * 2, low) }
  while true {
    let middle = (low + high) / 2
    guard low < middle, middle < high else { return middle }
    if cumulative(middle) < probability { low = middle } else { high = middle }
  }
}

/// The regularized incomplete beta function I_x(a, b), in 0...1, by its continued fraction
/// (Abramowitz and Stegun 1964, 26.5.8) in Lentz's method (1976, doi:10.1364/AO.15.000668).
func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
  if x <= 0 { return 0 }
  if x >= 1 { return 1 }
  // The fraction converges fast only for smaller x.
  if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
  let tiny = 1e-300
  var (c, d) = (1.0, 1 - (a + b) * x / (a + 1))
  d = 1 / (abs(d) < tiny ? tiny : d)
  var fraction = d
  for index in 1...10_000 {
    let m = Double(index)
    for term in [
      m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
      -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
    ] {
      d = 1 + term * d
      d = 1 / (abs(d) < tiny ? tiny : d)
      c = 1 + term / c
      c = abs(c) < tiny ? tiny : c
      fraction *= c * d
    }
    if abs(c * d - 1) < 1e-16 { break }
  }
  let scale = a * log(x) + b * log1p(-x) - logBeta(a, b)
  return exp(scale) * fraction / a
}

/// ln Γ(a) + ln Γ(b) − ln Γ(a + b), for positive arguments.
private func logBeta(_ a: Double, _ b: Double) -> Double {
  lgamma(a) + lgamma(b) - lgamma(a + b)
}
