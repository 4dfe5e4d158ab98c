import Numbers
import Testing

@testable import NeuralNetwork

/// The plan's product, number by number, in the order that the kernels promise.
private enum Plain {
  /// Input [height, width, inputs], weights [rows, columns, inputs, outputs]; fused multiplication
  /// and addition.
  static func add(
    _ input: [Float], height: Int, width: Int, _ weights: [Float], rows: Int, columns: Int,
    to sums: inout [Float], outputs: Int
  ) {
    let inputs = input.count / (height * width)
    for y in 0..<height {
      for x in 0..<width {
        for dy in 0..<rows {
          for dx in 0..<columns {
            let (row, column) = (y + dy - rows / 2, x + dx - columns / 2)
            guard row >= 0, row < height, column >= 0, column < width else { continue }
            for channel in 0..<inputs {
              let value = input[(row * width + column) * inputs + channel]
              for output in 0..<outputs {
                let weight = weights[((dy * columns + dx) * inputs + channel) * outputs + output]
                let place = (y * width + x) * outputs + output
                sums[place] = sums[place].addingProduct(value, weight)
              }
            }
          }
        }
      }
    }
  }
}

/// A network whose values are nowhere what they begin with.
private func network(_ shape: [Int], _ layers: [Layer], seed: UInt64) throws -> Network {
  var generator = SeededGenerator(seed: seed)
  var network = try Network(.init(inputShape: shape, layers: layers), using: &generator)
  network.move(parameters: 0.2, statistics: 0.5, using: &generator)
  return network
}

/// The outputs of `count` examples, `capacity` of them at a time.
private func run(
  _ network: Network, _ input: [Float], count: Int, backend: Backend, capacity: Int
) -> [Float] {
  let prepared = PreparedNetwork(network, backend: backend)
  var workspace = InferenceWorkspace(for: prepared, capacity: capacity)
  var output = [Float](repeating: .nan, count: count * network.outputSize)
  var span = output.mutableSpan
  prepared.predict(input.span, count: count, into: &span, workspace: &workspace)
  return output
}

@Suite("Prepared networks")
struct PreparedNetworkTests {
  /// Height, width, input channels, output channels, rows and columns of the kernel.
  private static let sizes = [
    [1, 1, 1, 1, 1, 1], [5, 7, 3, 5, 3, 3], [7, 7, 4, 33, 3, 3], [2, 15, 6, 40, 5, 3],
    [1, 29, 5, 24, 1, 5], [3, 13, 2, 16, 1, 1], [4, 2, 3, 7, 7, 5], [2, 31, 1, 65, 3, 3],
    // BLAS takes it in two parts.
    [40, 41, 4, 3, 15, 15],
  ]

  @Test("A convolution gives the same as plain loops, by BLAS and at every level", arguments: sizes)
  func convolution(_ size: [Int]) throws {
    let (height, width, inputs, outputs) = (size[0], size[1], size[2], size[3])
    let network = try network(
      [height, width, inputs],
      [.convolution(channels: outputs, kernel: size[5], rows: size[4], bias: true)], seed: 1)
    var generator = SeededGenerator(seed: 2)
    let count = 3
    let input = generator.normals(count * height * width * inputs)
    let weightCount = network.parameters.count - outputs
    var expected: [Float] = []
    for example in 0..<count {
      var sums = (0..<(height * width)).flatMap { _ in network.parameters[weightCount...] }
      let size = network.inputSize
      Plain.add(
        Array(input[(example * size)..<((example + 1) * size)]), height: height, width: width,
        network.parameters, rows: network.parameterSlots[0].shape[0],
        columns: network.parameterSlots[0].shape[1], to: &sums, outputs: outputs)
      expected += sums
    }
    for backend in Backend.all {
      let found = run(network, input, count: count, backend: backend, capacity: 2)
      if backend.level == .plain {
        #expect(relativeError(found, expected) < 1e-6)
      } else {
        // Fused multiplication and addition in one order: nothing is left to chance.
        #expect(found == expected, "\(backend)")
      }
    }
  }

  /// Height, width, input channels, output channels, kernel; 1 row makes it a sequence.
  private static let tiled = [
    [7, 7, 16, 16, 3], [14, 14, 24, 33, 3], [5, 10, 17, 40, 3], [11, 6, 21, 18, 5],
    [1, 12, 40, 20, 3], [1, 9, 16, 17, 3], [1, 48, 19, 24, 5], [1, 7, 33, 16, 5],
  ]

  @Test(
    "A convolution in tiles gives the same as plain loops, in few multiplications",
    arguments: tiled, [false, true])
  func winograd(_ size: [Int], isResidual: Bool) throws {
    let (height, width, inputs, kernel) = (size[0], size[1], size[2], size[4])
    let channels = isResidual ? inputs : size[3]
    let rows = height == 1 ? 1 : kernel
    let tiling = try #require(
      WinogradTiling(
        height: height, width: width, inputs: inputs, channels: channels, kernelRows: rows,
        kernelColumns: kernel))
    #expect(tiling.points * tiling.tiles < height * width * rows * kernel)
    let convolution = Layer.convolution(channels: channels, kernel: kernel, rows: rows)
    let network = try network(
      [height, width, inputs],
      isResidual ? [.residual(body: [convolution]), .relu] : [convolution],
      seed: 14)
    var generator = SeededGenerator(seed: 15)
    let count = 5
    let input = generator.normals(count * network.inputSize)
    let weightCount = network.parameters.count - channels
    var expected = Reference.convolution(
      input, count: count, height: height, width: width, inputs: inputs, network.parameters,
      Array(network.parameters[weightCount...]), rows: rows, kernel: kernel, outputs: channels)
    if isResidual { expected = zip(expected, input).map { max($0 + $1, 0) } }
    var bits: [[Float]] = []
    for backend in Backend.all {
      let found = run(network, input, count: count, backend: backend, capacity: 4)
      #expect(relativeError(found, expected) < 2e-6, "\(backend)")
      if backend.level > .plain { bits.append(found) }
      for index in 0..<count {
        let one = Array(input[(index * network.inputSize)...].prefix(network.inputSize))
        let alone = run(network, one, count: 1, backend: backend, capacity: 1)
        #expect(alone[...] == found[(index * network.outputSize)...].prefix(network.outputSize))
      }
    }
    #expect(bits.dropFirst().allSatisfy { $0 == bits[0] })
  }

  @Test("The weights of a tile, worked out by hand")
  func tileWeights() throws {
    let line = try #require(
      WinogradTiling(
        height: 1, width: 8, inputs: 16, channels: 16, kernelRows: 1, kernelColumns: 3))
    #expect((line.columns, line.rows, line.tiles, line.points) == (4, 1, 2, 6))
    // The powers of 0, 2/3, -2/3, 3/2 and -3/2 by the products of their distances from the others.
    // Those of 0 have the product 1, those of 2/3: 2/3 · 4/3 · (-5/6) · 13/6 = -130/81, and those
    // of 3/2: 3/2 · 5/6 · 13/6 · 3 = 65/8.
    let expected: [[Float]] = [
      [1, 0, 0], [-81.0 / 130, -54.0 / 130, -36.0 / 130], [-81.0 / 130, 54.0 / 130, -36.0 / 130],
      [8.0 / 65, 12.0 / 65, 18.0 / 65], [8.0 / 65, -12.0 / 65, 18.0 / 65], [0, 0, 1],
    ]
    for (found, expected) in zip(line.factors, expected) {
      #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-7 }, "\(found)")
    }
    let picture = try #require(
      WinogradTiling(
        height: 7, width: 7, inputs: 16, channels: 16, kernelRows: 3, kernelColumns: 3))
    #expect((picture.columns, picture.rows, picture.tiles, picture.points) == (4, 4, 4, 36))
    // The row of 3/2 by the column of infinity: only the last column of the kernel counts.
    let found = picture.factors[3 * 6 + 5]
    for (index, value) in [0, 0, 8, 0, 0, 12, 0, 0, 18].enumerated() {
      #expect(abs(found[index] - Float(value) / 65) < 1e-7)
    }
  }

  @Test("Pools and rectifiers give the same as plain loops, at odd sizes too", arguments: [1, 2])
  func pool(rows: Int) throws {
    for (height, width, channels) in [(2, 2, 1), (5, 7, 3), (4, 9, 17), (3, 6, 40)] {
      let network = try network(
        [height, width, channels], [.relu, .maxPool(rows: rows)], seed: 3)
      var generator = SeededGenerator(seed: 4)
      let input = generator.spaced(2 * height * width * channels)
      let expected = Reference.maxima(
        input.map { max($0, 0) }, count: 2, height: height, width: width, channels: channels,
        rows: rows, gradient: [Float](repeating: 0, count: 2 * network.outputSize)
      ).values
      for backend in Backend.all {
        let found = run(network, input, count: 2, backend: backend, capacity: 2)
        #expect(found == expected, "\(backend)")
      }
    }
  }

  /// Networks that use every kind of step, and every way to join layers.
  static let networks: [(shape: [Int], layers: [Layer])] = [
    ([7, 9, 3], [.convolution(channels: 5), .relu, .maxPool(), .dense(features: 6), .relu]),
    (
      [6, 6, 2],
      [
        .convolution(channels: 4), .batchNormalization(), .relu, .maxPool(),
        .residual(
          body: [
            .convolution(channels: 20, bias: false), .batchNormalization(), .relu,
            .convolution(channels: 20), .batchNormalization(),
          ],
          shortcut: [.convolution(channels: 20, kernel: 1, bias: false), .batchNormalization()]),
        .relu, .residual(body: [.convolution(channels: 20)]), .relu,
        .residual(body: [.convolution(channels: 20), .relu]), .globalAveragePool,
        .dropout(rate: 0.3),
        .dense(features: 5), .batchNormalization(), .l2Normalize(),
        .branches([[.cosineClassifier(classes: 3)], [], [.dense(features: 2, bias: false)]]),
      ]
    ),
    (
      [1, 24, 6],
      [
        .convolution(channels: 19, kernel: 5, rows: 1), .relu, .maxPool(rows: 1),
        .residual(
          body: [.convolution(channels: 33, kernel: 3, rows: 1)],
          shortcut: [.relu, .convolution(channels: 33, kernel: 5, rows: 1), .relu]),
        .branches([
          [.dense(features: 4), .l2Normalize()],
          [.convolution(channels: 2), .batchNormalization(), .globalAveragePool],
        ]), .cosineClassifier(classes: 40, learnsScale: false),
      ]
    ),
    ([3, 4, 2], [.batchNormalization(), .l2Normalize(), .relu]),
    ([2, 3, 2, 5], [.dense(features: 3), .relu, .relu]), ([4], []),
    (
      [5, 5, 1],
      [
        .residual(body: [.residual(body: [.convolution(channels: 1)]), .convolution(channels: 1)]),
        .residual(body: [.dense(features: 25)], shortcut: [.dense(features: 25)]),
      ]
    ),
  ]

  @Test("A prepared network computes what its layers do one by one", arguments: networks.indices)
  func layers(_ number: Int) throws {
    let (shape, layers) = Self.networks[number]
    let network = try network(shape, layers, seed: 5)
    var generator = SeededGenerator(seed: 6)
    let count = 5
    let input = generator.normals(count * network.inputSize)
    var probe = try Probe(network, count: count, isTraining: false)
    let expected = probe.forward(input)
    for backend in Backend.all {
      let found = run(network, input, count: count, backend: backend, capacity: 3)
      #expect(relativeError(found, expected) < 2e-6, "\(backend)")
    }
  }

  @Test("An example gives the same bits alone and among others", arguments: networks.indices)
  func alone(_ number: Int) throws {
    let (shape, layers) = Self.networks[number]
    let network = try network(shape, layers, seed: 7)
    var generator = SeededGenerator(seed: 8)
    let (count, size, width) = (17, network.inputSize, network.outputSize)
    let input = generator.normals(count * size)
    for backend in Backend.all {
      let together = run(network, input, count: count, backend: backend, capacity: 17)
      #expect(run(network, input, count: count, backend: backend, capacity: 3) == together)
      for index in 0..<count {
        let one = Array(input[(index * size)..<((index + 1) * size)])
        let alone = run(network, one, count: 1, backend: backend, capacity: 1)
        #expect(alone[...] == together[(index * width)..<((index + 1) * width)], "\(backend)")
      }
    }
  }

  @Test(
    "Both levels with fused multiplication give the same bits",
    .enabled(if: VectorLevel.here == .widest))
  func levelsAgree() throws {
    for (shape, layers) in Self.networks {
      let network = try network(shape, layers, seed: 9)
      var generator = SeededGenerator(seed: 10)
      let input = generator.normals(4 * network.inputSize)
      #expect(
        run(network, input, count: 4, backend: .vector(.wide), capacity: 4)
          == run(network, input, count: 4, backend: .vector(.widest), capacity: 2))
    }
  }

  @Test("A workspace serves call after call, and what one leaves behind does not show in the next")
  func reuse() throws {
    let (shape, layers) = Self.networks[1]
    let network = try network(shape, layers, seed: 11)
    let prepared = PreparedNetwork(network)
    var workspace = InferenceWorkspace(for: prepared, capacity: 4)
    var generator = SeededGenerator(seed: 12)
    for count in [4, 1, 9, 0, 3] {
      let input = generator.normals(count * network.inputSize)
      var output = [Float](repeating: 0, count: count * network.outputSize)
      var span = output.mutableSpan
      prepared.predict(input.span, count: count, into: &span, workspace: &workspace)
      #expect(output == network(Tensor(shape: [count] + shape, values: input)).values)
    }
  }

  @Test("NaN propagates, and weights that are not finite are known")
  func notFinite() throws {
    var network = try network(
      [4, 4, 1], [.convolution(channels: 2), .batchNormalization(), .relu, .maxPool()], seed: 13)
    #expect(PreparedNetwork(network).isFinite)
    var input = [Float](repeating: 1, count: 16)
    input[0] = .nan
    for backend in Backend.all {
      #expect(run(network, input, count: 1, backend: backend, capacity: 1)[0].isNaN, "\(backend)")
    }
    network.statistics[2] = -1
    #expect(!PreparedNetwork(network).isFinite)
  }
}
