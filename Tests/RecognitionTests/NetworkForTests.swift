import Ink
import NeuralNetwork
import Numbers

@testable import Recognition

enum NetworkForTests {
  /// The embedding part of the recipe's network with random weights.
  static func residual(
    _ recipe: EmbeddingRecipe, using generator: inout SeededGenerator
  ) throws -> Network {
    try Network.residual(
      inputShape: recipe.view.shape,
      channels: recipe.network.channels, embedding: recipe.network.dimension, classes: 4,
      using: &generator
    ).dropLast()
  }
}
