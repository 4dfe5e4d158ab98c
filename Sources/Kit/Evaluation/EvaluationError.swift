public import Text

/// Why a score is undefined for the given data.
///
/// Arrays of different length and class indices out of range are the caller's bugs and trap; faults
/// in the data (nothing to score, NaN scores) throw one of these.
public enum EvaluationError: DescribedError, Equatable {
  /// There is nothing to score; `what` names the missing values.
  case empty(what: String)
  /// A value is NaN or, where a finite one is needed, infinite; `index` is counted from 0.
  case notFinite(what: String, index: Int)
  /// A value lies outside the range it must have; `index` is counted from 0.
  case outOfRange(what: String, index: Int, value: Double)
}

extension EvaluationError {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .empty(let what): "there are no \(what) to score"
    case .notFinite(let what, let index): "\(what) \(index) is not a finite number"
    case .outOfRange(let what, let index, let value): "\(what) \(index) is \(value), out of range"
    }
  }
}

/// Throws unless there are values and none of them is NaN.
func requireNumbers(_ values: [Double], _ what: String) throws(EvaluationError) {
  guard !values.isEmpty else { throw .empty(what: what) }
  for (index, value) in values.enumerated() where value.isNaN {
    throw .notFinite(what: what, index: index)
  }
}

/// Throws unless there are values and all of them lie in 0...1.
func requireFractions(_ values: [Double], _ what: String) throws(EvaluationError) {
  try requireNumbers(values, what)
  for (index, value) in values.enumerated() where !(0...1 ~= value) {
    throw .outOfRange(what: what, index: index, value: value)
  }
}

/// Throws unless there are values and all of them are finite.
func requireFinite(_ values: [Double], _ what: String) throws(EvaluationError) {
  guard !values.isEmpty else { throw .empty(what: what) }
  for (index, value) in values.enumerated() where !value.isFinite {
    throw .notFinite(what: what, index: index)
  }
}
