"""The BERT encoder as an ONNX graph, written from plain arrays: no mask, since every batch holds one length only.

Parameters are a flat mapping from sentence-transformers' names ("encoder.layer.0.attention.self.query.weight") to
arrays; linear weights are stored (out, in) as there. Batches of one length need no padding, so a sentence's answer is
the same whatever it is batched with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[np.float32]
OPSET, IR = 21, 10
HEADS, WIDTH = 12, 384
WEIGHT_LEVELS = 63
INT8_FORMS = dict.fromkeys(("qkv", "attended", "wide", "narrow"), "int8")
SHARED: dict[str, NDArray[np.generic]] = {
    "last_axis": np.array([-1], np.int64),
    "tiny": np.array(1e-6, np.float32),
    "step": np.array(1 / 127, np.float32),
    "middle": np.array(128, np.uint8),
}


@dataclass(slots=True)
class Graph:
    """Nodes and initialisers under construction; `forms` says how each linear layer is computed (default "float")."""

    forms: Mapping[str, str] = field(default_factory=dict)
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    initializers: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        """Add an initialiser and give its name."""
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: object) -> str:
        """Add a node of one output, named as it, and give that name."""
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def linear(self, source: str, weight: Array, bias: Array, name: str) -> str:
        """Rows of `source` times weight.T plus bias, in the form chosen for `name`."""
        form = self.forms.get(name.split(".")[-1], "float")
        offset = self.constant(name + ".bias", bias)
        if form == "float":
            self.constant(name + ".weight", weight.T.astype(np.float32))
            return self.node("Add", [self.node("MatMul", [source, name + ".weight"], name), offset], name + ".out")
        return self.linear_int8(source, weight, offset, name)

    def linear_int8(self, source: str, weight: Array, offset: str, name: str) -> str:
        """The product in 8 bits, each row of activations scaled by its own largest value, so that no row of a batch
        touches another. Weights keep to 7 bits: on processors without VNNI two 8-bit products could saturate.
        """
        scale = np.maximum(np.abs(weight).max(axis=1), 1e-12) / WEIGHT_LEVELS
        codes = np.rint(weight / scale[:, None]).astype(np.int8)
        self.constant(name + ".codes", codes.T)
        self.constant(name + ".scale", scale.astype(np.float32))
        size = self.node("Abs", [source], name + ".abs")
        peak = self.node("ReduceMax", [size, self.shared("last_axis")], name + ".peak", keepdims=1)
        peak = self.node("Max", [peak, self.shared("tiny")], name + ".row")
        level = self.node("Div", [source, peak], name + ".level")
        level = self.node("QuantizeLinear", [level, self.shared("step"), self.shared("middle")], name + ".u8")
        inputs = [level, name + ".codes", self.shared("step"), name + ".scale", self.shared("middle")]
        product = self.node("MatMulIntegerToFloat", inputs, name, domain="com.microsoft")
        return self.node("Add", [self.node("Mul", [product, peak], name + ".scaled"), offset], name + ".out")

    def shared(self, name: str) -> str:
        """A constant used by many nodes, added once."""
        if all(item.name != name for item in self.initializers):
            self.constant(name, SHARED[name])
        return name

    def norm(self, source: str, weight: Array, bias: Array, name: str) -> str:
        """Layer normalisation over the last axis, BERT's epsilon."""
        names = [self.constant(name + ".weight", weight), self.constant(name + ".bias", bias)]
        return self.node("LayerNormalization", [source, *names], name, axis=-1, epsilon=1e-12)


def embeddings(graph: Graph, weights: Mapping[str, Array], segments: bool) -> str:
    """Token, position and segment embeddings; the token table is kept in 8 bits with a scale a row."""
    table = weights["embeddings.word_embeddings.weight"]
    scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127
    codes = graph.constant("words.codes", np.clip(np.rint(table / scale), -127, 127).astype(np.int8))
    scales = graph.constant("words.scale", scale.astype(np.float32))
    rows = graph.node("Gather", [codes, "input_ids"], "words.rows")
    rows = graph.node("Cast", [rows], "words.float", to=TensorProto.FLOAT)
    words = graph.node("Mul", [rows, graph.node("Gather", [scales, "input_ids"], "words.scales")], "words")
    positions = graph.constant("positions.table", weights["embeddings.position_embeddings.weight"])
    shape = graph.node("Shape", ["input_ids"], "positions.length", start=1, end=2)
    zero, one = graph.constant("zero", np.zeros(1, np.int64)), graph.constant("one", np.ones(1, np.int64))
    place = graph.node("Slice", [positions, zero, shape, zero, one], "positions")
    total = graph.node("Add", [words, place], "words.placed")
    kinds = weights["embeddings.token_type_embeddings.weight"]
    if segments:
        table_name = graph.constant("segments.table", kinds)
        total = graph.node("Add", [total, graph.node("Gather", [table_name, "token_type_ids"], "segments")], "sum")
    else:
        total = graph.node("Add", [total, graph.constant("segments.first", kinds[0])], "sum")
    return graph.norm(
        total, weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"], "embeddings.norm"
    )


def layer(graph: Graph, weights: Mapping[str, Array], index: int, source: str) -> str:
    """One transformer layer: joint query, key and value product, attention, feed-forward."""
    at, name = f"encoder.layer.{index}.", f"layer{index}"
    parts = ("query", "key", "value")
    joint = np.concatenate([weights[f"{at}attention.self.{part}.weight"] for part in parts])
    bias = np.concatenate([weights[f"{at}attention.self.{part}.bias"] for part in parts])
    packed = graph.linear(source, joint, bias, name + ".qkv")
    split = [f"{name}.{part}" for part in parts]
    graph.nodes.append(helper.make_node("Split", [packed], split, name=name + ".split", axis=-1, num_outputs=3))
    mixed = graph.node("MultiHeadAttention", split, name + ".mixed", domain="com.microsoft", num_heads=HEADS)

    def dense(source: str, part: str, suffix: str) -> str:
        return graph.linear(source, weights[f"{at}{part}.weight"], weights[f"{at}{part}.bias"], name + suffix)

    def norm(source: str, part: str, suffix: str) -> str:
        return graph.norm(source, weights[f"{at}{part}.weight"], weights[f"{at}{part}.bias"], name + suffix)

    mixed = dense(mixed, "attention.output.dense", ".attended")
    source = norm(graph.node("Add", [mixed, source], name + ".sum1"), "attention.output.LayerNorm", ".norm1")
    wide = dense(source, "intermediate.dense", ".wide")
    wide = graph.node("Gelu", [wide], name + ".gelu", domain="com.microsoft")
    narrow = dense(wide, "output.dense", ".narrow")
    return norm(graph.node("Add", [narrow, source], name + ".sum2"), "output.LayerNorm", ".norm2")


def finish(
    graph: Graph, inputs: list[str], outputs: Mapping[str, list[int | str]], floats: Sequence[str] = ()
) -> onnx.ModelProto:
    """The checked model; inputs are (batch, length), int64 or those in `floats` float; every output is float."""
    shape = ["batch", "length"]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "encoder",
            [
                *(helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in inputs),
                *(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in floats),
            ],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
            graph.initializers,
        ),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)],
        ir_version=IR,
        producer_name="factstream",
    )
    onnx.checker.check_model(model)
    return model


def mean_pool(graph: Graph, hidden: str) -> str:
    """The mean over positions, (batch, 384). As a product with a row of ones: ReduceMean sums in an order that depends
    on the batch, this does not.
    """
    length = graph.node("Shape", ["input_ids"], "mean.length", start=1, end=2)
    one = graph.constant("mean.one", np.ones((1, 1), np.float32))
    shape = graph.node("Concat", [graph.constant("mean.rows", np.ones(1, np.int64)), length], "mean.shape", axis=0)
    total = graph.node("MatMul", [graph.node("Expand", [one, shape], "mean.ones"), hidden], "mean.total")
    axis = graph.constant("mean.axis", np.ones(1, np.int64))
    total = graph.node("Squeeze", [total, axis], "mean.flat")
    return graph.node("Div", [total, graph.node("Cast", [length], "mean.count", to=TensorProto.FLOAT)], "mean")


def sentence_encoder(weights: Mapping[str, Array], layers: int, forms: Mapping[str, str]) -> onnx.ModelProto:
    """Token ids of one length to mean-pooled vectors (batch, 384), not yet of unit length, named "mean"."""
    graph = Graph(forms)
    hidden = embeddings(graph, weights, segments=False)
    for index in range(layers):
        hidden = layer(graph, weights, index, hidden)
    mean_pool(graph, hidden)
    return finish(graph, ["input_ids"], {"mean": ["batch", WIDTH]})


def clause_encoder(weights: Mapping[str, Array], layers: int, forms: Mapping[str, str]) -> onnx.ModelProto:
    """Token ids, segments and pooling weights of one length to all heads' logits (batch, outputs) named "answers"."""
    graph = Graph(forms)
    hidden = embeddings(graph, weights, segments=True)
    for index in range(layers):
        hidden = layer(graph, weights, index, hidden)
    axis = graph.constant("own.axis", np.ones(1, np.int64))
    own = graph.node("Unsqueeze", ["own", axis], "own.row")
    pooled = graph.node("Squeeze", [graph.node("MatMul", [own, hidden], "own.sum"), axis], "pooled")
    graph.constant("heads.weight", weights["heads.weight"].T.astype(np.float32))
    product = graph.node("MatMul", [pooled, "heads.weight"], "heads")
    graph.node("Add", [product, graph.constant("heads.bias", weights["heads.bias"])], "answers")
    outputs = int(weights["heads.bias"].shape[0])
    return finish(graph, ["input_ids", "token_type_ids"], {"answers": ["batch", outputs]}, floats=["own"])
