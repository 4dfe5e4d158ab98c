internal import Datasets
internal import Recognition

extension TrainingExamples {
  /// The examples of a sampler.
  ///
  /// - Parameters:
  ///   - sampler: The drawings and how they are augmented.
  ///   - count: Examples per epoch.
  ///   - stratified: Whether example k of n is chosen from the k-th of n equal slices of the
  ///     drawings, instead of from all.
  init(_ sampler: ExampleSampler, count: Int, stratified: Bool) {
    self.init(
      classes: sampler.classes, count: count, fingerprint: sampler.fingerprint
    ) { index, generator in
      let (place, width) = stratified ? (Double(index), 1 / Double(count)) : (0, 1)
      let example = sampler.example(
        in: (place * width)..<((place + 1) * width), using: &generator)
      return (
        AugmentedDrawing(example.drawing, strokeWidthFactor: example.strokeWidthFactor),
        example.label
      )
    }
  }
}
