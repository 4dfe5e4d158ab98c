"""Small networks as other programs write them: what DrawML takes, and what it refuses with a reason.

Each variant is a file of a valid network of pictures of 28 × 28 pixels. `taken` says whether DrawML
has layers that compute the same; then the vectors must be those of ONNX Runtime, or of Core ML's
specification, divided by their length. Otherwise `reason` is in what DrawML says. No valid file may
be called damaged.
"""

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np


@dataclass
class Variant:
    name: str
    make: Callable[[], Any]
    reason: str = ""

    @property
    def taken(self):
        return not self.reason


# MARK: ONNX


def onnx_variants():
    from onnx import TensorProto, helper, numpy_helper

    node = helper.make_node
    random = np.random.default_rng(12)

    def floats(name, *shape, kind=np.float32):
        values = random.normal(0, 0.3, shape).astype(kind)
        return numpy_helper.from_array(np.array(values), name)

    def numbers(name, *values):
        return numpy_helper.from_array(np.array(values, np.int64), name)

    def number(name, value):
        return numpy_helper.from_array(np.array(value, np.float32), name)

    def model(nodes, constants, opset=17, shape=("N", 1, 28, 28), kind=TensorProto.FLOAT,
              inputs=(), outputs=("y",), output_kind=TensorProto.FLOAT, **more):
        graph = helper.make_graph(
            nodes, "graph", [helper.make_tensor_value_info("x", kind, shape), *inputs],
            [helper.make_tensor_value_info(name, output_kind, ("N", "D")) for name in outputs],
            constants)
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", opset), *more.pop("operators", [])],
            ir_version=more.pop("ir", 8))

    conv = [node("Conv", ["x", "w1"], ["a"], pads=[1, 1, 1, 1])]
    pool = conv + [node("MaxPool", ["a"], ["p"], kernel_shape=[2, 2], strides=[2, 2])]
    means = pool + [node("GlobalAveragePool", ["p"], ["m"])]
    vector = means + [node("Flatten", ["m"], ["v"])]
    first = [floats("w1", 4, 1, 3, 3)]
    head = [node("Flatten", ["h"], ["v"]), node("Gemm", ["v", "w2"], ["y"])]

    def ends(name, nodes, *constants, reason="", **options):
        """What makes a vector of the pooled picture `p`."""
        return Variant(name, lambda: model(pool + nodes, first + list(constants), **options), reason)

    def starts(name, nodes, *constants, size=None, channels=4, reason="", **options):
        """What makes the picture `h` of the input, before a linear map."""
        def make():
            values = channels * (size or 28 * 28)
            return model(nodes + head, [*constants, floats("w2", values, 5)], **options)
        return Variant(name, make, reason)

    def after(name, nodes, *constants, reason="", **options):
        """What makes `y` of the vector `v`."""
        return Variant(
            name, lambda: model(vector + nodes, first + list(constants), **options), reason)

    def between(name, nodes, *constants, reason="", **options):
        """What makes the picture `q` of the convolved one, `a`, before its means."""
        rest = [node("GlobalAveragePool", ["q"], ["m"]), node("Flatten", ["m"], ["y"])]
        return Variant(
            name, lambda: model(conv + nodes + rest, first + list(constants), **options), reason)

    def convolution(name, weights, inputs=("x", "w1"), size=28 * 28, reason="", more=(), **options):
        shape = weights if isinstance(weights, tuple) else (4, 1, weights, weights)
        return starts(name, [node("Conv", list(inputs), ["h"], **options)], floats("w1", *shape),
                      *more, size=size, channels=shape[0], reason=reason)

    none = "DrawML has no such layer"
    normalization = [floats(name, 4) for name in ("s", "b", "n")]
    variance = numpy_helper.from_array(np.array([0.5, 1, 2, 3], np.float32), "d")
    terms = ["s", "b", "n", "d"]
    yes = numpy_helper.from_array(np.array(True), "t")
    no = numpy_helper.from_array(np.array(False), "t")
    packed_no = helper.make_tensor("t", TensorProto.BOOL, [], [False])

    def flattened_sum():
        both = [node("Flatten", ["p"], ["f"]), node("Conv", ["p", "w2"], ["c"], pads=[1, 1, 1, 1]),
                node("Flatten", ["c"], ["g"]), node("Add", ["f", "g"], ["y"])]
        return model(pool + both, first + [floats("w2", 4, 4, 3, 3)])

    def older_inputs():
        weights = first + [floats("w2", 4, 5)]
        values = [helper.make_tensor_value_info("w1", TensorProto.FLOAT, [4, 1, 3, 3]),
                  helper.make_tensor_value_info("w2", TensorProto.FLOAT, [4, 5])]
        return model(vector + [node("MatMul", ["v", "w2"], ["y"])], weights, 9, inputs=values, ir=3)

    def elsewhere():
        made = model(vector + [node("Gemm", ["v", "w2"], ["y"])], first + [floats("w2", 4, 5)])
        weights = made.graph.initializer[1]
        weights.ClearField("raw_data")
        weights.data_location = TensorProto.EXTERNAL
        weights.external_data.add(key="location", value="weights.bin")
        return made

    def constant_node():
        weights = node("Constant", [], ["w1"], value=floats("", 4, 1, 3, 3))
        return model([weights] + vector + [node("Identity", ["v"], ["y"])], [])

    unit = [node("ReduceL2", ["v"], ["n"], axes=[1], keepdims=1)]
    return [
        # What makes a vector of a picture.
        ends("Flatten", [node("Flatten", ["p"], ["y"])]),
        ends("Flatten, axis 1", [node("Flatten", ["p"], ["y"], axis=1)]),
        ends("Flatten, axis -3", [node("Flatten", ["p"], ["y"], axis=-3)]),
        ends("Flatten, axis 2", [node("Flatten", ["p"], ["y"], axis=2)], reason="axis is 2, not 1"),
        ends("Flatten, axis 0", [node("Flatten", ["p"], ["y"], axis=0)], reason="axis is 0, not 1"),
        ends("Reshape [0, -1]", [node("Reshape", ["p", "r"], ["y"])], numbers("r", 0, -1)),
        ends("Reshape [-1, 784]", [node("Reshape", ["p", "r"], ["y"])], numbers("r", -1, 784)),
        ends("Reshape [1, -1]", [node("Reshape", ["p", "r"], ["y"])], numbers("r", 1, -1),
             shape=(1, 1, 28, 28)),
        ends("Reshape [0, 4, -1]", [node("Reshape", ["p", "r"], ["y"])], numbers("r", 0, 4, -1),
             reason="not that of a vector for each example"),
        ends("GlobalAveragePool, Flatten",
             [node("GlobalAveragePool", ["p"], ["m"]), node("Flatten", ["m"], ["y"])]),
        ends("GlobalAveragePool, Reshape", [node("GlobalAveragePool", ["p"], ["m"]),
             node("Reshape", ["m", "r"], ["y"])], numbers("r", 0, -1)),
        ends("GlobalAveragePool, Squeeze", [node("GlobalAveragePool", ["p"], ["m"]),
             node("Squeeze", ["m", "r"], ["y"])], numbers("r", 2, 3)),
        ends("GlobalAveragePool, Squeeze [-2, -1]", [node("GlobalAveragePool", ["p"], ["m"]),
             node("Squeeze", ["m", "r"], ["y"])], numbers("r", -2, -1)),
        ends("GlobalAveragePool, Squeeze (opset 11)", [node("GlobalAveragePool", ["p"], ["m"]),
             node("Squeeze", ["m"], ["y"], axes=[2, 3])], opset=11),
        ends("GlobalAveragePool, Squeeze without axes", [node("GlobalAveragePool", ["p"], ["m"]),
             node("Squeeze", ["m"], ["y"])], reason="axes are [], not height and width"),
        ends("ReduceMean, keepdims 0", [node("ReduceMean", ["p"], ["y"], axes=[2, 3], keepdims=0)]),
        ends("ReduceMean, keepdims 1, Flatten",
             [node("ReduceMean", ["p"], ["m"], axes=[-2, -1]), node("Flatten", ["m"], ["y"])]),
        ends("ReduceMean (opset 18)", [node("ReduceMean", ["p", "r"], ["y"], keepdims=0)],
             numbers("r", 2, 3), opset=18),
        ends("ReduceMean of rows", [node("ReduceMean", ["p"], ["m"], axes=[2], keepdims=0),
             node("Flatten", ["m"], ["y"])], reason="axes are [2], not height and width"),
        ends("AveragePool of all, Flatten", [node("AveragePool", ["p"], ["m"],
             kernel_shape=[14, 14]), node("Flatten", ["m"], ["y"])]),
        ends("AveragePool of 7 × 7, Flatten", [node("AveragePool", ["p"], ["m"],
             kernel_shape=[7, 7], strides=[7, 7]), node("Flatten", ["m"], ["y"])],
             reason="it takes the mean of [7, 7] pixels, not of all 14 × 14"),
        ends("GlobalMaxPool", [node("GlobalMaxPool", ["p"], ["m"]), node("Flatten", ["m"], ["y"])],
             reason=none),
        ends("Nothing", [node("Identity", ["p"], ["y"])], reason="is a picture, not a vector"),
        Variant("Flatten of 28 × 28 × 4", lambda: model(
            conv + [node("Flatten", ["a"], ["y"])], first), "of at most 1024"),
        # Pools.
        between("MaxPool 2 × 2",
                [node("MaxPool", ["a"], ["q"], kernel_shape=[2, 2], strides=[2, 2])]),
        between("MaxPool 1 × 2",
                [node("MaxPool", ["a"], ["q"], kernel_shape=[1, 2], strides=[1, 2])]),
        between("MaxPool 2 × 1", [node("MaxPool", ["a"], ["q"], kernel_shape=[2, 1],
                strides=[2, 1])], reason="kernel_shape is [2, 1]"),
        between("MaxPool 3 × 3", [node("MaxPool", ["a"], ["q"], kernel_shape=[3, 3],
                strides=[3, 3])], reason="kernel_shape is [3, 3]"),
        between("MaxPool, stride 1", [node("MaxPool", ["a"], ["q"], kernel_shape=[2, 2])],
                reason="strides is [1, 1], not [2, 2]"),
        between("MaxPool, ceil_mode, even size", [node("MaxPool", ["a"], ["q"],
                kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)]),
        between("MaxPool, ceil_mode, odd size", [node("MaxPool", ["a"], ["q"],
                kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)], shape=("N", 1, 27, 27),
                reason="it pools the last row or column of an odd size, 27 × 27"),
        between("MaxPool, odd size", [node("MaxPool", ["a"], ["q"], kernel_shape=[2, 2],
                strides=[2, 2])], shape=("N", 1, 27, 27)),
        between("MaxPool, SAME_UPPER, even size", [node("MaxPool", ["a"], ["q"],
                kernel_shape=[2, 2], strides=[2, 2], auto_pad="SAME_UPPER")]),
        between("MaxPool, VALID", [node("MaxPool", ["a"], ["q"], kernel_shape=[2, 2],
                strides=[2, 2], auto_pad="VALID")]),
        between("MaxPool, pads", [node("MaxPool", ["a"], ["q"], kernel_shape=[2, 2],
                strides=[2, 2], pads=[1, 1, 1, 1])], reason="pads is [1, 1, 1, 1]"),
        between("MaxPool, dilations", [node("MaxPool", ["a"], ["q"], kernel_shape=[2, 2],
                strides=[2, 2], dilations=[2, 2])], reason="dilations is [2, 2]"),
        between("MaxPool with indices", [node("MaxPool", ["a"], ["q", "i"], kernel_shape=[2, 2],
                strides=[2, 2])]),
        between("AveragePool 2 × 2", [node("AveragePool", ["a"], ["q"], kernel_shape=[2, 2],
                strides=[2, 2])], reason="it takes the mean of [2, 2] pixels"),
        # Convolutions.
        convolution("Conv 3 × 3", 3, pads=[1, 1, 1, 1]),
        convolution("Conv 5 × 5", 5, pads=[2, 2, 2, 2]),
        convolution("Conv 1 × 1", 1),
        convolution("Conv 3 × 5", (4, 1, 3, 5), pads=[1, 2, 1, 2]),
        convolution("Conv, kernel_shape", 3, kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        convolution("Conv with a bias", 3, ("x", "w1", "b1"), pads=[1, 1, 1, 1],
                    more=[floats("b1", 4)]),
        convolution("Conv, SAME_UPPER", 3, auto_pad="SAME_UPPER"),
        convolution("Conv, SAME_LOWER", 3, auto_pad="SAME_LOWER"),
        convolution("Conv, VALID", 3, auto_pad="VALID", size=26 * 26, reason="auto_pad is VALID"),
        convolution("Conv, no pads", 3, size=26 * 26, reason="pads is [0, 0, 0, 0]"),
        convolution("Conv, uneven pads", 3, pads=[2, 2, 0, 0], reason="pads is [2, 2, 0, 0]"),
        convolution("Conv 4 × 4", 4, auto_pad="SAME_UPPER", reason="kernel_shape is 4 × 4"),
        convolution("Conv, stride 2", 3, pads=[1, 1, 1, 1], strides=[2, 2], size=14 * 14,
                    reason="strides is [2, 2], not [1, 1]"),
        convolution("Conv, dilations", 3, pads=[2, 2, 2, 2], dilations=[2, 2],
                    reason="dilations is [2, 2]"),
        between("Conv, groups", [node("Conv", ["a", "g"], ["q"], pads=[1, 1, 1, 1], group=4)],
                floats("g", 4, 1, 3, 3), reason="group is 4, not 1"),
        between("ConvTranspose", [node("ConvTranspose", ["a", "g"], ["q"])],
                floats("g", 4, 4, 3, 3), reason=none),
        Variant("Conv of a Constant", constant_node),
        # Activations.
        between("Relu", [node("Relu", ["a"], ["q"])]),
        between("LeakyRelu", [node("LeakyRelu", ["a"], ["q"])], reason=none),
        between("PRelu", [node("PRelu", ["a", "g"], ["q"])], floats("g", 4, 1, 1), reason=none),
        between("Clip to 0 … 6", [node("Clip", ["a", "l", "u"], ["q"])], number("l", 0),
                number("u", 6), reason=none),
        between("Elu", [node("Elu", ["a"], ["q"])], reason=none),
        between("Sigmoid", [node("Sigmoid", ["a"], ["q"])], reason=none),
        between("Tanh", [node("Tanh", ["a"], ["q"])], reason=none),
        between("HardSwish", [node("HardSwish", ["a"], ["q"])], reason=none),
        after("Softmax", [node("Softmax", ["v"], ["y"])], reason=none),
        # Normalizations.
        between("BatchNormalization", [node("BatchNormalization", ["a"] + terms, ["q"])],
                *normalization, variance),
        between("BatchNormalization, epsilon",
                [node("BatchNormalization", ["a"] + terms, ["q"], epsilon=1e-3)],
                *normalization, variance),
        after("BatchNormalization of a vector", [node("BatchNormalization", ["v"] + terms, ["y"])],
              *normalization, variance),
        Variant("BatchNormalization of a flattened picture", lambda: model(
            pool + [node("Flatten", ["p"], ["f"]), node("BatchNormalization", ["f"] + terms, ["y"])],
            first + [floats(name, 784) for name in ("s", "b", "n")]
            + [numpy_helper.from_array(np.linspace(1, 2, 784).astype(np.float32), "d")])),
        between("BatchNormalization in training", [node("BatchNormalization", ["a"] + terms,
                ["q", "r", "u"], training_mode=1)], *normalization, variance,
                reason="training_mode is 1, not 0"),
        between("InstanceNormalization", [node("InstanceNormalization", ["a", "s", "b"], ["q"])],
                *normalization[:2], reason=none),
        after("LayerNormalization", [node("LayerNormalization", ["v", "s"], ["y"])],
              normalization[0], reason=none),
        # Linear maps.
        after("Gemm", [node("Gemm", ["v", "g"], ["y"])], floats("g", 4, 5)),
        after("Gemm, transB", [node("Gemm", ["v", "g"], ["y"], transB=1)], floats("g", 5, 4)),
        after("Gemm with C", [node("Gemm", ["v", "g", "c"], ["y"])], floats("g", 4, 5),
              floats("c", 5)),
        after("Gemm, alpha 2", [node("Gemm", ["v", "g"], ["y"], alpha=2.0)], floats("g", 4, 5),
              reason="alpha and beta are not 1"),
        Variant("Gemm of a picture", lambda: model(
            pool + [node("Reshape", ["p", "r"], ["f"]), node("Gemm", ["f", "g"], ["y"])],
            first + [numbers("r", -1, 784), floats("g", 784, 6)])),
        after("MatMul", [node("MatMul", ["v", "g"], ["y"])], floats("g", 4, 5)),
        after("MatMul, Add", [node("MatMul", ["v", "g"], ["k"]), node("Add", ["k", "c"], ["y"])],
              floats("g", 4, 5), floats("c", 5)),
        after("Add, MatMul", [node("MatMul", ["v", "g"], ["k"]), node("Add", ["c", "k"], ["y"])],
              floats("g", 4, 5), floats("c", 5)),
        after("Add of numbers", [node("Add", ["v", "c"], ["y"])], floats("c", 4),
              reason="it adds numbers to something other than a matrix product"),
        # Dropout.
        after("Dropout", [node("Dropout", ["v"], ["y"])]),
        after("Dropout with a ratio", [node("Dropout", ["v", "r"], ["y"])], number("r", 0.3)),
        after("Dropout, training false", [node("Dropout", ["v", "r", "t"], ["y"])],
              number("r", 0.3), no),
        after("Dropout, training false, packed", [node("Dropout", ["v", "r", "t"], ["y"])],
              number("r", 0.3), packed_no),
        after("Dropout, training true", [node("Dropout", ["v", "r", "t"], ["y"])],
              number("r", 0.3), yes, reason="training_mode is true"),
        after("Dropout (opset 10)", [node("Dropout", ["v"], ["y"], ratio=0.5)], opset=10),
        # Ways that part and meet.
        between("Add of a shortcut", [node("Conv", ["a", "g"], ["c"], pads=[1, 1, 1, 1]),
                node("Add", ["c", "a"], ["q"])], floats("g", 4, 4, 3, 3)),
        between("Add of two convolutions", [node("Conv", ["a", "g"], ["c"], pads=[1, 1, 1, 1]),
                node("Conv", ["a", "k"], ["d"]), node("Add", ["c", "d"], ["q"])],
                floats("g", 3, 4, 3, 3), floats("k", 3, 4, 1, 1)),
        Variant("Add of flattened pictures", flattened_sum),
        between("Sub", [node("Conv", ["a", "g"], ["c"]), node("Sub", ["c", "a"], ["q"])],
                floats("g", 4, 4, 1, 1), reason=none),
        between("Mul of two", [node("Conv", ["a", "g"], ["c"]), node("Mul", ["c", "a"], ["q"])],
                floats("g", 4, 4, 1, 1), reason="B is not a constant"),
        between("Concat of pictures", [node("Conv", ["a", "g"], ["c"]),
                node("Concat", ["c", "a"], ["q"], axis=1)], floats("g", 4, 4, 1, 1),
                reason="it joins pictures; only vectors are joined here"),
        Variant("Concat of vectors", lambda: model(
            vector + [node("Gemm", ["v", "g"], ["k"]), node("Concat", ["k", "v"], ["y"], axis=1)],
            first + [floats("g", 4, 5)])),
        Variant("Concat of a flattened picture and its means", lambda: model(
            means + [node("Flatten", ["m"], ["v"]), node("Flatten", ["p"], ["f"]),
                     node("Concat", ["f", "v"], ["y"], axis=1)], first)),
        # Lengths.
        after("LpNormalization", [node("LpNormalization", ["v"], ["y"], axis=1, p=2)]),
        after("LpNormalization, p 1", [node("LpNormalization", ["v"], ["y"], axis=1, p=1)],
              reason="p is 1, not 2"),
        after("Division by the length", unit + [node("Div", ["v", "n"], ["y"])], ),
        after("Division by the length, at least", unit + [node("Clip", ["n", "l"], ["k"]),
              node("Div", ["v", "k"], ["y"])], number("l", 1e-6)),
        Variant("LpNormalization of a flattened picture", lambda: model(
            pool + [node("Flatten", ["p"], ["f"]), node("LpNormalization", ["f"], ["y"], axis=1)],
            first)),
        # Files.
        Variant("Weights among the inputs (IR 3)", older_inputs),
        Variant("Weights in another file", elsewhere, "is in another file"),
        after("A node that nothing takes", [node("Tanh", ["v"], ["u"]),
              node("Identity", ["v"], ["y"])]),
        after("Two outputs", [node("Identity", ["v"], ["y"]), node("Relu", ["v"], ["z"])],
              outputs=("y", "z"), reason="it has 2 outputs"),
        after("An operator of another domain", [node("Gelu", ["v"], ["y"], domain="com.microsoft")],
              operators=[helper.make_opsetid("com.microsoft", 1)], reason="but of com.microsoft"),
        after("Opset 8", [node("Identity", ["v"], ["y"])], opset=8, reason="of version 9 or later"),
        after("Opset 9", [node("Identity", ["v"], ["y"])], opset=9),
        after("Opset 21", [node("Identity", ["v"], ["y"])], opset=21),
        after("One example", [node("Identity", ["v"], ["y"])], shape=(1, 1, 28, 28)),
        after("Height and width by name", [node("Identity", ["v"], ["y"])],
              shape=("N", 1, "h", "w"), reason="of fixed sizes"),
        Variant("Three channels", lambda: model(
            vector + [node("Identity", ["v"], ["y"])], [floats("w1", 4, 3, 3, 3)],
            shape=("N", 3, 28, 28)), "it has no drawml.views"),
        after("Weights of 16 bits", [node("Cast", ["g"], ["k"], to=TensorProto.FLOAT),
              node("MatMul", ["v", "k"], ["y"])], floats("g", 4, 5, kind=np.float16), reason=none),
        Variant("Inputs of 64 bits", lambda: model(
            vector + [node("Identity", ["v"], ["y"])], [floats("w1", 4, 1, 3, 3, kind=np.float64)],
            kind=TensorProto.DOUBLE, output_kind=TensorProto.DOUBLE), "not FLOAT (1)"),
        starts("Division by 255", [node("Div", ["x", "k"], ["s"]),
               node("Conv", ["s", "w1"], ["h"], pads=[1, 1, 1, 1])], number("k", 255), *first,
               reason="it divides by something other than the length"),
    ]


# MARK: Core ML


def coreml_variants():
    from coremltools.models import datatypes
    from coremltools.models.nearest_neighbors import KNearestNeighborsClassifierBuilder
    from coremltools.models.neural_network import NeuralNetworkBuilder
    from coremltools.proto import Model_pb2

    random = np.random.default_rng(13)

    def floats(*shape):
        return random.normal(0, 0.3, shape).astype(np.float32)

    def network(add, image=True, scale=1 / 255, bias=0.0, size=28, classes=None):
        """A network of a picture, to which `add` adds layers from "a" to "y"."""
        builder = NeuralNetworkBuilder(
            [("x", datatypes.Array(1, size, size))], [("y", None)], disable_rank5_shape_mapping=False)
        builder.add_convolution(
            "c", 1, 4, 3, 3, 1, 1, "same", 1, floats(3, 3, 1, 4), None, False, input_name="x",
            output_name="a")
        add(builder)
        if image:
            builder.set_pre_processing_parameters(
                image_input_names=["x"], is_bgr=False, gray_bias=bias, image_scale=scale)
        return builder.spec

    def means(builder, name="a"):
        builder.add_pooling("m", 0, 0, 0, 0, "AVERAGE", "VALID", name, "y", is_global=True)

    def between(name, add, reason="", **options):
        """What makes the picture "q" of the convolved one, "a", before its means."""
        def layers(builder):
            add(builder)
            means(builder, "q")
        return Variant(name, lambda: network(layers, **options), reason)

    def ends(name, add, reason="", **options):
        return Variant(name, lambda: network(add, **options), reason)

    def pool(kind, rows, columns, row_step=None, column_step=None, padding="VALID", output="q",
             **more):
        return lambda builder: builder.add_pooling(
            "p", rows, columns, row_step or rows, column_step or columns, kind, padding, "a", output,
            **more)

    def activation(kind, parameters=None):
        return lambda builder: builder.add_activation("r", kind, "a", "q", parameters)

    def convolution(rows, columns, step=1, padding="same", groups=1, **more):
        def add(builder):
            builder.add_convolution(
                "k", 4, 4, rows, columns, step, step, padding, groups,
                floats(rows, columns, 4 // groups, 4), more.pop("b", None), "b" in more,
                input_name="a", output_name="q", **more)
        return add

    def biased(builder):
        builder.add_convolution(
            "k", 4, 4, 3, 3, 1, 1, "same", 1, floats(3, 3, 4, 4), floats(4), True, input_name="a",
            output_name="q")

    def normalized(**more):
        return lambda builder: builder.add_batchnorm(
            "n", 4, floats(4), floats(4), floats(4), np.array([0.5, 1, 2, 3]), "a", "q", **more)

    def flat(mode):
        return lambda builder: builder.add_flatten("f", mode, "p", "y")

    def pooled(add):
        def layers(builder):
            pool("MAX", 2, 2, output="p")(builder)
            add(builder)
        return layers

    def linear(builder):
        means_to(builder, "v")
        builder.add_inner_product("d", floats(5, 4), floats(5), 4, 5, True, "v", "y")

    def means_to(builder, output):
        builder.add_pooling("m", 0, 0, 0, 0, "AVERAGE", "VALID", "a", output, is_global=True)

    def unit(epsilon):
        def layers(builder):
            means_to(builder, "v")
            builder.add_l2_normalize("l", "v", "y", epsilon=epsilon)
        return layers

    def shortcut(builder):
        convolution(3, 3)(builder)
        builder.spec.neuralNetwork.layers[-1].output[0] = "k"
        builder.add_elementwise("s", ["a", "k"], "q", "ADD")

    def product(builder):
        convolution(3, 3)(builder)
        builder.spec.neuralNetwork.layers[-1].output[0] = "k"
        builder.add_elementwise("s", ["a", "k"], "q", "MULTIPLY")

    def softmax(builder):
        means_to(builder, "v")
        builder.add_softmax("s", "v", "y")

    def joined(builder):
        means_to(builder, "v")
        builder.add_inner_product("d", floats(5, 4), None, 4, 5, False, "v", "w")
        builder.add_elementwise("j", ["w", "v"], "y", "CONCAT")

    def small_floats(builder):
        means_to(builder, "v")
        builder.add_inner_product("d", floats(5, 4), None, 4, 5, False, "v", "y")
        weights = builder.spec.neuralNetwork.layers[-1].innerProduct.weights
        weights.float16Value = np.array(weights.floatValue, np.float16).tobytes()
        del weights.floatValue[:]

    def classifier(labels, weighting="inverse_distance", index="linear", unit=True):
        def layers(builder):
            means_to(builder, "v")
            if unit:
                builder.add_l2_normalize("l", "v", "y", epsilon=0)
            else:
                builder.add_inner_product("d", floats(5, 4), None, 4, 5, False, "v", "y")
        embedding = network(layers)
        embedding.description.output[0].type.multiArrayType.shape[:] = [4 if unit else 5]
        builder = KNearestNeighborsClassifierBuilder(
            "y", "label", 4 if unit else 5, labels[0], number_of_neighbors=2,
            weighting_scheme=weighting, index_type=index)
        samples = random.normal(0, 1, (len(labels), 4 if unit else 5)).astype(np.float32)
        samples /= np.linalg.norm(samples, axis=1, keepdims=True)
        builder.add_samples(samples, labels)
        spec = Model_pb2.Model(specificationVersion=4)
        spec.description.input.add().CopyFrom(embedding.description.input[0])
        spec.pipelineClassifier.pipeline.models.extend([embedding, builder.spec])
        return spec

    kind = "it is of an unknown kind"
    rectifier = "it is an activation other than ReLU"
    pools = "it is neither the mean of each channel nor the maximum"
    convolutions = "it is not a convolution of stride 1"
    return [
        ends("Scale 1 / 255", means),
        ends("Scale 1, as coremltools writes by default", means, scale=1.0),
        ends("Scale 2 / 255, bias -1", means, scale=2 / 255, bias=-1.0),
        ends("Scale -1 / 255, bias 1", means, scale=-1 / 255, bias=1.0),
        ends("Scale 0", means, scale=0.0, reason="channelScale is 0.0"),
        ends("An array of three axes", means, image=False, reason="it has no drawml.views"),
        ends("Sides of 32 pixels", means, size=32),
        ends("Flatten, channels first", pooled(flat(0))),
        ends("Flatten, channels last", pooled(flat(1))),
        ends("Flatten of 28 × 28 × 4",
             lambda builder: builder.add_flatten("f", 0, "a", "y"), "of at most 1024"),
        ends("A picture at the end", pooled(lambda builder: builder.add_activation(
            "r", "RELU", "p", "y")), "is a picture, not a vector"),
        ends("Inner product", linear),
        ends("Inner product of 16 bits", small_floats, "not stored as 32-bit floats"),
        ends("L2 normalization, epsilon 0", unit(0)),
        ends("L2 normalization, epsilon 1e-5", unit(1e-5)),
        ends("L2 normalization, epsilon 0.1", unit(0.1), "epsilon is 0.1"),
        ends("Softmax", softmax, kind),
        ends("Concat of vectors", joined),
        between("Max of 2 × 2", pool("MAX", 2, 2)),
        between("Max of 1 × 2", pool("MAX", 1, 2)),
        between("Max of 2 × 1", pool("MAX", 2, 1), pools),
        between("Max of 3 × 3", pool("MAX", 3, 3), pools),
        between("Max of 2 × 2, stride 1", pool("MAX", 2, 2, 1, 1), pools),
        between("Max of 2 × 2, SAME", pool("MAX", 2, 2, padding="SAME"), pools),
        between("Mean of 2 × 2", pool("AVERAGE", 2, 2), pools),
        between("L2 pool", pool("L2", 2, 2), pools),
        between("Rectifier", activation("RELU")),
        between("Leaky rectifier", activation("LEAKYRELU", [0.1]), rectifier),
        between("Sigmoid", activation("SIGMOID"), rectifier),
        between("Tanh", activation("TANH"), rectifier),
        between("Elu", activation("ELU", 1.0), rectifier),
        between("Linear activation with beta", activation("LINEAR", [2.0, 1.0]),
                "only factors are read"),
        between("Convolution 3 × 3", convolution(3, 3)),
        between("Convolution 5 × 3", convolution(5, 3)),
        between("Convolution 1 × 1", convolution(1, 1)),
        between("Convolution with a bias", biased),
        between("Convolution 2 × 2", convolution(2, 2), convolutions),
        between("Convolution, stride 2", convolution(3, 3, step=2), convolutions),
        between("Convolution, valid", convolution(3, 3, padding="valid"), convolutions),
        between("Convolution, groups", convolution(3, 3, groups=4), convolutions),
        between("Batch normalization", normalized()),
        between("Instance normalization",
                normalized(compute_mean_var=True, instance_normalization=True),
                "it computes means and variances"),
        between("Sum of a shortcut", shortcut),
        between("Product of two", product, kind),
        Variant("Neighbors with labels of text", lambda: classifier(["a", "b", "a", "c"])),
        Variant("Neighbors with labels of numbers", lambda: classifier([1, 20, 1, -3])),
        Variant("Neighbors, uniform weights", lambda: classifier(["a", "b"], "uniform")),
        Variant("Neighbors by a kd-tree", lambda: classifier(["a", "b", "c"], index="kd_tree")),
        Variant("Neighbors of vectors of other lengths",
                lambda: classifier(["a", "b"], unit=False), "compares other vectors"),
    ]


def files(kind, folder):
    """Writes a file for each variant of a kind, "onnx" or "coreml"; gives variants and paths."""
    ending = {"onnx": "onnx", "coreml": "mlmodel"}[kind]
    variants = {"onnx": onnx_variants, "coreml": coreml_variants}[kind]()
    assert len({variant.name for variant in variants}) == len(variants)
    for number, variant in enumerate(variants, 1):
        path = folder / f"{number:03}.{ending}"
        path.write_bytes(variant.make().SerializeToString())
        yield variant, path


# MARK: What DrawML makes of them


def expected(kind, path, pixels):
    """The vectors of a file's network by ONNX Runtime or Core ML's specification, of unit length."""
    if kind == "onnx":
        import onnxruntime

        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        name = session.get_inputs()[0].name
        vectors = [session.run(None, {name: one[None]})[0].reshape(-1) for one in pixels]
    else:
        from coreml_run import run_network
        from coremltools.proto import Model_pb2

        spec = Model_pb2.Model.FromString(path.read_bytes())
        if spec.HasField("pipelineClassifier"):
            spec = spec.pipelineClassifier.pipeline.models[0]
        output = spec.description.output[0].name
        vectors = run_network(spec, {"x": pixels * np.float32(255)})[output]
    vectors = np.array(vectors).reshape(len(pixels), -1)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def results(run, kind, folder):
    """What DrawML says of each variant, "" if it takes it, and how far its vectors are off.

    `run` runs the program with arguments; it gives the exit status and what it says as an error.
    """
    import onnxruntime

    random = np.random.default_rng(14)
    for variant, path in files(kind, folder):
        back, again = folder / "back.drawml", folder / "again.onnx"
        for file in (back, again):
            file.unlink(missing_ok=True)
        white = ["--white", "1"] if kind == "onnx" else []
        status, said = run("import", kind, "--model", path, "--output", back, *white)
        if status != 0:
            yield variant, said.strip().removeprefix(f"Error: cannot read {path}: "), 0
            continue
        status, said = run(
            "export", "onnx", "--model", back, "--output", again, "--embedding-only")
        assert status == 0, said
        session = onnxruntime.InferenceSession(again, providers=["CPUExecutionProvider"])
        (entry,) = session.get_inputs()
        # Mostly dark, as pictures of ink are.
        pixels = random.random((3, *entry.shape[1:]), np.float32) ** 3
        (found,) = session.run(["embedding"], {entry.name: pixels})
        yield variant, "", float(np.abs(found - expected(kind, path, pixels)).max())
