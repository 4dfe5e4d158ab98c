import Testing

@testable import NeuralNetwork

@Suite("Losses, schedules and optimizers")
struct RuleTests {
  @Test("Equal scores of four classes cost log 4 with any smoothing")
  func evenLoss() {
    for smoothing: Float in [0, 0.1, 0.9] {
      var gradient = [Float](repeating: 0, count: 4)
      let result = TrainingLoss(labelSmoothing: smoothing)(
        [7, 7, 7, 7], width: 4, labels: [2], gradient: &gradient)
      #expect(abs(result.loss - 1.3862943611) < 1e-6)
      // softmax - target: 1/4 - s/4 for the wrong ones.
      #expect(abs(gradient[0] - (0.25 - smoothing / 4)) < 1e-6)
      #expect(abs(gradient[2] - (0.25 - smoothing / 4 - (1 - smoothing))) < 1e-6)
    }
  }

  @Test("A smoothed loss worked out by hand")
  func smoothedLoss() {
    // Scores 0 and log 3: probabilities 1/4 and 3/4; targets 0.1 and 0.9 for smoothing 0.2.
    // 0.1 · log 4 + 0.9 · log(4/3) = 0.138629 + 0.258914.
    var gradient: [Float] = [0, 0]
    let result = TrainingLoss(labelSmoothing: 0.2)(
      [0, 1.0986123], width: 2, labels: [1], gradient: &gradient)
    #expect(abs(result.loss - 0.3975433) < 1e-6)
    #expect(abs(gradient[0] - 0.15) < 1e-6)
    #expect(abs(gradient[1] + 0.15) < 1e-6)
    #expect(result.correct == 1)
  }

  @Test("Scores of hundreds neither overflow nor lose the loss")
  func largeScores() {
    var gradient: [Float] = [0, 0]
    let result = TrainingLoss()([500, -500], width: 2, labels: [1], gradient: &gradient)
    #expect(result.loss == 1000)
    #expect(gradient == [1, -1])
    #expect(result.correct == 0)
  }

  @Test("The learning rate rises along a line and falls along half a cosine")
  func schedule() {
    let schedule = LearningRateSchedule(peak: 8, finalShare: 0.25, warmUpSteps: 4, totalSteps: 12)
    // Between 2 and 8 the middle is 5, at half of the eight steps after the warm-up.
    #expect((0..<4).map { schedule.rate(at: $0) } == [2, 4, 6, 8])
    #expect(schedule.rate(at: 4) == 8)
    #expect(abs(schedule.rate(at: 8) - 5) < 1e-5)
    #expect(abs(schedule.rate(at: 6) - (5 + 3 * 0.70710678)) < 1e-5)
    #expect(abs(schedule.rate(at: 12) - 2) < 1e-5)
    let flat = LearningRateSchedule(peak: 3, finalShare: 1, warmUpSteps: 0, totalSteps: 5)
    #expect((0..<6).allSatisfy { abs(flat.rate(at: $0) - 3) < 1e-6 })
  }

  @Test("A step of each optimizer worked out by hand")
  func steps() {
    let slots = [
      ParameterSlot(name: "weight", shape: [1], initial: .constant(0), decays: true),
      ParameterSlot(name: "bias", shape: [1], initial: .constant(0), decays: false),
    ]
    func run(_ optimizer: Optimizer, _ gradients: [Float]) -> [Float] {
      var state = OptimizerState(optimizer, parameterCount: 2)
      var parameters: [Float] = [1, 1]
      for gradient in gradients {
        optimizer.step(
          &parameters, gradient: [gradient, gradient], slots: slots, learningRate: 0.1, &state)
      }
      return parameters
    }
    // Weight: slope 2 + 0.5 · 1 = 2.5; 1 - 0.25. Bias: 1 - 0.2. Then momentum 0.5.
    let sgd = Optimizer.sgd(momentum: 0.5, weightDecay: 0.5)
    #expect(relativeError(run(sgd, [2]), [0.75, 0.8]) < 1e-6)
    // Weight: 0.5 · 2.5 + (2 + 0.375) = 3.625. Bias: 0.5 · 2 + 2 = 3.
    #expect(relativeError(run(sgd, [2, 2]), [0.3875, 0.5]) < 1e-6)
    // One step ahead: 2.5 + 0.5 · 2.5 and 2 + 0.5 · 2.
    let nesterov = Optimizer.sgd(momentum: 0.5, nesterov: true, weightDecay: 0.5)
    #expect(relativeError(run(nesterov, [2]), [0.625, 0.7]) < 1e-6)
    // The first step of Adam is as long as the rate; the decay takes 0.1 · 0.5 of the weight.
    let adam = Optimizer.adamW(weightDecay: 0.5)
    #expect(relativeError(run(adam, [2]), [0.85, 0.9]) < 1e-6)
    #expect(relativeError(run(adam, [-1e-3]), [1.05, 1.1]) < 1e-4)
  }
}
