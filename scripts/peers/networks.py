"""The networks of DrawML's files in PyTorch and ONNX: the same layers, weights and results.

DrawML keeps pictures as [height, width, channels] and kernels as [rows, columns, in, out]; PyTorch
and ONNX expect [channels, height, width] and [out, in, rows, columns].
"""

import json

import h5py
import numpy as np


def read_members(path):
    """The networks of a model file: (layers, input shape, values by slot name, weight) of each."""
    with h5py.File(path) as file:
        about = json.loads(file["about"][0])
        return [
            (
                member["architecture"]["layers"],
                member["architecture"]["inputShape"],
                {name: slot[...] for name, slot in file[f"embedding/{number}"].items()},
                member["weight"],
            )
            for number, member in enumerate(about["members"])
        ]


def kernel(weight):
    return np.ascontiguousarray(weight.transpose(3, 2, 0, 1))


def dense(weight, shape):
    """[values, out] in the order of `shape` → [out, values] with the channels first."""
    if len(shape) == 3:
        weight = weight.reshape(*shape, -1).transpose(2, 0, 1, 3).reshape(weight.shape)
    return np.ascontiguousarray(weight.T)


def shape_after(layer, shape):
    """The shape of one example behind a layer."""
    kind = layer["kind"]
    if kind == "convolution":
        return [shape[0], shape[1], layer["channels"]]
    if kind == "maxPool":
        return [shape[0] // layer.get("rows", 2), shape[1] // 2, shape[2]]
    if kind == "globalAveragePool":
        return [shape[2]]
    if kind == "dense":
        return [layer["features"]]
    if kind == "cosineClassifier":
        return [layer["classes"]]
    if kind == "residual":
        for inner in layer["body"]:
            shape = shape_after(inner, shape)
    return shape


# MARK: PyTorch


def torch_network(layers, shape, values):
    """A PyTorch module with the given values, and its parameters and their inverses by slot."""
    import torch
    from torch import nn

    slots = {}

    def keep(name, parameter, there, back):
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(np.array(there(values[name]))))
        slots[name] = (parameter, back)

    same = lambda array: array

    class Residual(nn.Module):
        def __init__(self, body, shortcut):
            super().__init__()
            self.body, self.shortcut = body, shortcut

        def forward(self, x):
            return self.body(x) + self.shortcut(x)

    class Normalize(nn.Module):
        def __init__(self, epsilon):
            super().__init__()
            self.epsilon = epsilon

        def forward(self, x):
            return nn.functional.normalize(x, dim=1, eps=self.epsilon)

    class CosineClassifier(nn.Module):
        def __init__(self, classes, features):
            super().__init__()
            self.weight = nn.Parameter(torch.zeros(classes, features))
            self.scale = nn.Parameter(torch.ones(1))

        def forward(self, x):
            return self.scale * nn.functional.linear(x, nn.functional.normalize(self.weight, dim=1))

    def build(layers, shape, prefix):
        modules = []
        for index, layer in enumerate(layers):
            kind, name = layer["kind"], f"{prefix}{index}."
            if kind == "convolution":
                size = (layer.get("rows", layer["kernel"]), layer["kernel"])
                module = nn.Conv2d(
                    shape[2], layer["channels"], size, padding=(size[0] // 2, size[1] // 2),
                    bias=layer["bias"])
                keep(name + "weight", module.weight, kernel, lambda w: w.transpose(2, 3, 1, 0))
                if layer["bias"]:
                    keep(name + "bias", module.bias, same, same)
            elif kind == "batchNormalization":
                module = nn.BatchNorm2d(shape[2], layer["epsilon"], layer["momentum"])
                keep(name + "scale", module.weight, same, same)
                keep(name + "shift", module.bias, same, same)
                for slot, buffer in (
                    ("mean", module.running_mean),
                    ("variance", module.running_var),
                ):
                    if name + slot in values:
                        buffer.copy_(torch.from_numpy(values[name + slot]))
            elif kind == "relu":
                module = nn.ReLU(inplace=True)
            elif kind == "maxPool":
                module = nn.MaxPool2d((layer.get("rows", 2), 2))
            elif kind == "globalAveragePool":
                module = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())
            elif kind == "dense":
                count = int(np.prod(shape))
                module = nn.Linear(count, layer["features"], bias=layer["bias"])
                before = list(shape)

                def back(w, before=before):
                    w = w.T
                    if len(before) == 3:
                        h, wide, c = before
                        w = w.reshape(c, h, wide, -1).transpose(1, 2, 0, 3).reshape(w.shape)
                    return w

                keep(name + "weight", module.weight, lambda w, s=before: dense(w, s), back)
                if layer["bias"]:
                    keep(name + "bias", module.bias, same, same)
                if len(shape) == 3:
                    module = nn.Sequential(nn.Flatten(), module)
            elif kind == "l2Normalize":
                module = Normalize(layer["epsilon"])
            elif kind == "cosineClassifier":
                module = CosineClassifier(layer["classes"], shape[0])
                keep(name + "weight", module.weight, same, same)
                keep(name + "scale", module.scale, same, same)
            elif kind == "residual":
                module = Residual(
                    build(layer["body"], shape, name + "body."),
                    build(layer["shortcut"], shape, name + "shortcut."))
            else:
                raise ValueError(f"no such layer in PyTorch: {kind}")
            modules.append(module)
            shape = shape_after(layer, shape)
        return nn.Sequential(*modules)

    return build(layers, shape, ""), slots


# MARK: ONNX


def onnx_network(layers, shape, values):
    """The bytes of an ONNX file with normalizations folded into convolutions, as DrawML runs it."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes, constants = [], []
    counter = iter(range(1_000_000))

    def constant(array):
        name = f"c{next(counter)}"
        constants.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
        return name

    def node(kind, inputs, **attributes):
        name = f"v{next(counter)}"
        nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def build(layers, value, shape, prefix):
        index = 0
        while index < len(layers):
            layer, name = layers[index], f"{prefix}{index}."
            kind = layer["kind"]
            if kind == "convolution":
                weight = kernel(values[name + "weight"])
                bias = values[name + "bias"] if layer["bias"] else np.zeros(layer["channels"])
                if index + 1 < len(layers) and layers[index + 1]["kind"] == "batchNormalization":
                    index += 1
                    norm = {
                        k: values[f"{prefix}{index}.{k}"]
                        for k in ("scale", "shift", "mean", "variance")
                    }
                    factor = norm["scale"] / np.sqrt(norm["variance"] + layers[index]["epsilon"])
                    weight = weight * factor[:, None, None, None]
                    bias = norm["shift"] + (bias - norm["mean"]) * factor
                size = [layer.get("rows", layer["kernel"]), layer["kernel"]]
                pads = [size[0] // 2, size[1] // 2] * 2
                value = node(
                    "Conv", [value, constant(weight), constant(bias)], kernel_shape=size, pads=pads)
            elif kind == "relu":
                value = node("Relu", [value])
            elif kind == "maxPool":
                window = [layer.get("rows", 2), 2]
                value = node("MaxPool", [value], kernel_shape=window, strides=window)
            elif kind == "globalAveragePool":
                value = node("Flatten", [node("GlobalAveragePool", [value])])
            elif kind == "dense":
                if len(shape) == 3:
                    value = node("Flatten", [value])
                bias = values[name + "bias"] if layer["bias"] else np.zeros(layer["features"])
                weight = dense(values[name + "weight"], shape)
                value = node("Gemm", [value, constant(weight), constant(bias)], transB=1)
            elif kind == "l2Normalize":
                value = node("LpNormalization", [value], axis=1, p=2)
            elif kind == "residual":
                body, _ = build(layer["body"], value, shape, name + "body.")
                shortcut, _ = build(layer["shortcut"], value, shape, name + "shortcut.")
                value = node("Add", [body, shortcut])
            else:
                raise ValueError(f"no such layer in ONNX: {kind}")
            shape = shape_after(layer, shape)
            index += 1
        return value, shape

    height, width, channels = shape
    result, end = build(layers, "input", shape, "")
    graph = helper.make_graph(
        nodes, "embedding",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["N", channels, height, width])],
        [helper.make_tensor_value_info(result, TensorProto.FLOAT, ["N", end[0]])], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model.SerializeToString()


def onnx_session(data, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
