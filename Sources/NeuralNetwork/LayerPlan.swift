/// Collects the room that the layers need while they are laid out.
struct LayerPlan: Sendable {
  /// The greatest number of examples in a pass.
  let capacity: Int
  /// Whether `backward` will run.
  let isTraining: Bool
  /// Which vectors a training uses.
  var level = VectorLevel.here
  /// Where the next layer's parameters begin.
  var parameterBase = 0
  /// Where the next layer's statistics begin.
  var statisticBase = 0
  /// The next layer's number.
  var ordinal = 0
  /// The most scratch space that a layer asked for.
  var scratch = 0
  /// The most second scratch space that a layer asked for.
  var scratch2 = 0
  /// The longest activation of one example, input included.
  var widest = 0
}

extension Network {
  /// Lays the layers out for passes of at most `capacity` examples.
  func prepare(capacity: Int, isTraining: Bool) -> ([LayerState], Pass) {
    var plan = LayerPlan(capacity: capacity, isTraining: isTraining)
    do throws(NetworkError) {
      let states = try Chain.states(
        architecture.layers, for: inputShape, needsInputGradient: false, plan: &plan)
      var pass = Pass()
      pass.isTraining = isTraining
      pass.scratch = [Float](repeating: 0, count: plan.scratch)
      pass.scratch2 = [Float](repeating: 0, count: plan.scratch2)
      if isTraining {
        pass.spare = [Float](repeating: 0, count: capacity * plan.widest)
        pass.gradient = [Float](repeating: 0, count: parameters.count)
        pass.statistics = statistics
      }
      return (states, pass)
    } catch {
      preconditionFailure("a sound network cannot be laid out: \(error)")
    }
  }
}
