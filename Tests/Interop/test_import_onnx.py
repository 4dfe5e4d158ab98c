"""ONNX graphs that are taken in give the vectors that ONNX Runtime gives."""

import json
from pathlib import Path

import numpy as np
import pytest
from test_import_coreml import answers
from test_onnx import run

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

FIXTURES = Path(__file__).resolve().parents[1] / "InterchangeTests/Fixtures"


@pytest.mark.parametrize("name, options", [
    ("ink-knn", []), ("base-knn", []), ("base", []), ("base", ["--embedding-only"])])
def test_what_comes_back_is_the_graph(drawml, export, folder, drawings, name, options):
    path, vectors = export("onnx", name, *options)
    back = folder / f"{name}-onnx.drawml"
    drawml("import", "onnx", "--model", path, "--output", back)
    again = folder / f"{name}-again.onnx"
    drawml("export", "onnx", "--model", back, "--output", again, "--embedding-only")
    found = run(path, vectors)
    assert np.abs(run(again, vectors)["embedding"] - found["embedding"]).max() < 1e-6
    if "knn" in name:
        assert answers(drawml, back, drawings) == [vectors.labels[i] for i in found["label"]]
    # The networks' numbers come first in a graph.
    before, after = ([item.raw_data for item in onnx.load(file).graph.initializer]
                     for file in (path, again))
    assert len(after) > 3 and before[: len(after)] == after


def check(drawml, folder, drawings, path, white):
    """Takes a graph of one picture in; the vectors of drawings must be ONNX Runtime's."""
    back, again = folder / f"{path.stem}.drawml", folder / f"{path.stem}-again.onnx"
    errors = drawml("import", "onnx", "--model", path, "--output", back, fails=True)
    assert "for white ink with --white" in errors
    drawml("import", "onnx", "--model", path, "--output", back, "--white", white)
    drawml("export", "onnx", "--model", back, "--output", again, "--embedding-only",
           "--drawings", drawings)
    tests = json.loads(Path(f"{again}.vectors.json").read_text())["vectors"]
    pixels = np.array([item["inputs"]["picture"] for item in tests], np.float32)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    pictures = {session.get_inputs()[0].name: pixels.reshape(-1, 1, 28, 28) * np.float32(white)}
    (found,) = session.run(None, pictures)
    expected = np.array([item["embedding"] for item in tests], np.float32)
    assert len(found) > 900 and np.abs(found - expected).max() < 1e-5


@pytest.mark.parametrize("white", [1, 255])
@pytest.mark.parametrize("name", ["pytorch-dynamo", "pytorch-script"])
def test_graphs_of_pytorch(drawml, folder, drawings, name, white):
    check(drawml, folder, drawings, FIXTURES / f"{name}.onnx", white)


def test_a_graph_of_others(drawml, folder, drawings):
    """Made with onnx alone: padding by name, MatMul and Add, constants in nodes, opset 18."""
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(5)

    def array(name, *shape):
        values = random.normal(0, 0.3, shape).astype(np.float32)
        return numpy_helper.from_array(values, name)

    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], auto_pad="SAME_UPPER"),
        helper.make_node("BatchNormalization", ["c1", "s", "t", "m", "v"], ["n1"], epsilon=1e-3),
        helper.make_node("Relu", ["n1"], ["r1"]),
        helper.make_node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["p1", "w2"], ["c2"], pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
        helper.make_node("Add", ["c2", "p1"], ["a2"]),
        helper.make_node("Constant", [], ["shape"],
                         value=numpy_helper.from_array(np.array([0, -1]))),
        helper.make_node("Reshape", ["a2", "shape"], ["f"]),
        helper.make_node("MatMul", ["f", "w3"], ["d"]),
        helper.make_node("Add", ["b3", "d"], ["e"]),
        helper.make_node("Dropout", ["e"], ["o"]),
        helper.make_node("Relu", ["o"], ["r"]),
        helper.make_node("Gemm", ["r", "w4", "b4"], ["g"], transB=1),
        helper.make_node("LpNormalization", ["g"], ["vector"], axis=1, p=2),
    ]
    constants = [
        array("w1", 5, 1, 3, 3), array("b1", 5), array("s", 5), array("t", 5), array("m", 5),
        numpy_helper.from_array(np.linspace(0.5, 2, 5).astype(np.float32), "v"),
        array("w2", 5, 5, 3, 3), array("w3", 5 * 14 * 14, 20), array("b3", 20),
        array("w4", 12, 20), array("b4", 12),
    ]
    graph = helper.make_graph(
        nodes, "others",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 1, 28, 28])],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["N", 12])], constants)
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 18)])
    onnx.checker.check_model(model, full_check=True)
    path = folder / "others-graph.onnx"
    onnx.save(model, path)
    check(drawml, folder, drawings, path, 1)
