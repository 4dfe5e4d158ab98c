"""Runs a Core ML pipeline of ours with NumPy, from the specification alone.

Written from the comments in Apple's NeuralNetwork.proto and NearestNeighbors.proto, because Core ML
itself runs on Apple's systems only. Values are [N, channels, height, width] or [N, channels].
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def weights(params):
    return np.array(params.floatValue, np.float32)


def convolution(x, params):
    rows, columns = params.kernelSize
    assert params.WhichOneof("ConvolutionPaddingType") == "same"
    assert list(params.stride) == [1, 1] and list(params.dilationFactor) == [1, 1]
    assert params.nGroups == 1 and not params.isDeconvolution
    kernel = weights(params.weights).reshape(params.outputChannels, params.kernelChannels, -1)
    pad = [(0, 0), (0, 0), (rows // 2,) * 2, (columns // 2,) * 2]
    windows = sliding_window_view(np.pad(x, pad), (rows, columns), (2, 3))
    n, channels, height, width = x.shape
    patches = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * height * width, -1)
    y = patches @ kernel.reshape(len(kernel), -1).T
    if params.hasBias:
        y += weights(params.bias)
    return y.reshape(n, height, width, -1).transpose(0, 3, 1, 2)


def pooling(x, params):
    assert params.WhichOneof("PoolingPaddingType") == "valid"
    assert not any(e.startEdgeSize or e.endEdgeSize
                   for e in params.valid.paddingAmounts.borderAmounts)
    if params.globalPooling:
        assert params.type == params.AVERAGE
        return x.mean((2, 3), keepdims=True)
    assert params.type == params.MAX and params.kernelSize == params.stride
    (rows, columns), (n, c, height, width) = params.kernelSize, x.shape
    x = x[:, :, : height // rows * rows, : width // columns * columns]
    return x.reshape(n, c, height // rows, rows, width // columns, columns).max((3, 5))


def inner_product(x, params):
    kernel = weights(params.weights).reshape(params.outputChannels, params.inputChannels)
    y = x.reshape(len(x), -1) @ kernel.T
    return y + weights(params.bias) if params.hasBias else y


def run_layer(layer, inputs):
    kind, x = layer.WhichOneof("layer"), inputs[0]
    params = getattr(layer, kind)
    if kind == "convolution":
        return convolution(x, params)
    if kind == "pooling":
        return pooling(x, params)
    if kind == "activation":
        if params.WhichOneof("NonlinearityType") == "linear":
            return params.linear.alpha * x + np.float32(params.linear.beta)
        assert params.WhichOneof("NonlinearityType") == "ReLU"
        return np.maximum(x, 0)
    if kind == "innerProduct":
        return inner_product(x, params)
    if kind == "batchnorm":
        gamma, beta, mean, variance = (
            weights(p).reshape(-1, 1, 1)
            for p in (params.gamma, params.beta, params.mean, params.variance))
        return (x - mean) / np.sqrt(variance + params.epsilon) * gamma + beta
    if kind == "l2normalize":
        flat = x.reshape(len(x), -1)
        length = np.sqrt((flat * flat).sum(1) + params.epsilon)
        return x / length.reshape(-1, *[1] * (x.ndim - 1))
    if kind == "add":
        return inputs[0] + inputs[1]
    if kind == "flatten":
        is_last = params.mode == params.CHANNEL_LAST
        return (x.transpose(0, 2, 3, 1) if is_last else x).reshape(len(x), -1)
    if kind == "concat":
        if any(x.ndim == 2 for x in inputs):
            inputs = [x.reshape(len(x), -1) for x in inputs]
        return np.concatenate(inputs, 1)
    raise AssertionError(f"layer {layer.name} is of another kind: {kind}")


def run_network(model, inputs):
    """The values of all layers by name. Images are 0...255, which the preprocessing scales."""
    values = dict(inputs)
    for step in model.neuralNetwork.preprocessing:
        values[step.featureName] = (
            values[step.featureName] * np.float32(step.scaler.channelScale) + step.scaler.grayBias)
    for layer in model.neuralNetwork.layers:
        (output,) = layer.output
        assert output not in values, "every value has a name of its own"
        values[output] = run_layer(layer, [values[name] for name in layer.input])
    return values


def run_neighbors(model, vectors):
    """The label with the most votes among the nearest samples; of equal votes, the nearest's."""
    classifier = model.kNearestNeighborsClassifier
    index = classifier.nearestNeighborsIndex
    assert index.WhichOneof("DistanceFunction") == "squaredEuclideanDistance"
    samples = np.array([sample.vector for sample in index.floatSamples], np.float32)
    names = list(classifier.stringClassLabels.vector)
    is_weighted = classifier.WhichOneof("WeightingScheme") == "inverseDistanceWeighting"
    found = []
    for vector in vectors:
        distances = ((samples - vector) ** 2).sum(1)
        nearest = np.argsort(distances, kind="stable")[: classifier.numberOfNeighbors.defaultValue]
        votes = {}
        for place in nearest:
            vote = 1 / (np.sqrt(distances[place]) + 1e-6) if is_weighted else 1
            votes[names[place]] = votes.get(names[place], 0) + vote
        found.append(max(votes, key=votes.get))
    return found
