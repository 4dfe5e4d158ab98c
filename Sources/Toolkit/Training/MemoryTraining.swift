package import Datasets
internal import JSON
package import Recognition

/// Trains a model of drawings in memory, for programs other than `drawml`. It writes no file; the
/// model is the one that `drawml train` writes with the same drawings, settings and threads.
package struct MemoryTraining: Sendable {
  private let job: TrainingJob

  /// A training.
  ///
  /// - Parameters:
  ///   - settings: JSON: an object with any of the keys of `TrainingSettings`.
  ///   - base: The path of a model whose embedding is used; nil to train an embedding.
  ///   - threads: How many threads work.
  /// - Throws: `ConfigurationError` that names the key that is unknown or wrong.
  package init(settings: [UInt8], base: String?, threads: Int) throws {
    job = TrainingJob(
      output: "", base: base,
      settings: try TrainingSettings(json: settings, hasBase: base != nil), threads: threads,
      resumes: false)
  }

  /// Trains the model.
  ///
  /// - Parameters:
  ///   - samples: The drawings.
  ///   - progress: Receives events, on any thread.
  /// - Returns: The model.
  /// - Throws: Errors about drawings or the base, and `CancellationError`.
  package func fit(
    to samples: SampleSet, progress: @escaping JobProgress
  ) async throws -> Recognizer {
    try await job.fit(to: samples, progress).recognizer
  }
}

extension TrainingSettings {
  /// The settings of a JSON object, with the standard values of keys that it does not have.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - hasBase: Whether there is a base model.
  /// - Throws: `ConfigurationError` that names the key that is unknown, wrong, or only for drawings
  ///   that are read from files in every epoch.
  init(json: [UInt8], hasBase: Bool) throws {
    func refusal(_ problem: String) -> ConfigurationError {
      ConfigurationError(path: "the settings of drawml train", problem: problem)
    }
    do {
      _ = try JSONDocument(json)
      // JSON is YAML.
      self = try TrainingSettings(yaml: json, path: "", hasBase: hasBase)
    } catch let fault as JSONFault {
      throw refusal("\(fault)")
    } catch let error as ConfigurationError {
      throw refusal(error.problem)
    }
    guard !stream, training.examplesPerEpoch == nil else {
      throw refusal(
        "stream and training.examplesPerEpoch are for files that are read again in every epoch; "
          + "leave them out")
    }
  }
}
