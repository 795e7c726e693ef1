"""The encoder in JAX, as models/train/graph.py writes it in ONNX: forward pass, heads, loss, one training step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import optax

HEADS = 12
NEGATIVE = -1e9
Params = dict[str, Any]


def encode(params: Mapping[str, Any], layers: int, ids: Any, segments: Any, mask: Any) -> Any:
    """Hidden states (batch, length, 384); `mask` is 1 on tokens and 0 on padding."""
    hidden = params["embeddings.word_embeddings.weight"][ids]
    hidden += params["embeddings.position_embeddings.weight"][: ids.shape[1]]
    hidden += params["embeddings.token_type_embeddings.weight"][segments]
    hidden = _norm(params, "embeddings.LayerNorm", hidden)
    blocked = (1 - mask)[:, None, None, :] * NEGATIVE
    for index in range(layers):
        hidden = _layer(params, f"encoder.layer.{index}.", hidden, blocked)
    return hidden


def _layer(params: Mapping[str, Any], at: str, hidden: Any, blocked: Any) -> Any:
    batch, length, width = hidden.shape

    def heads(part: str) -> Any:
        flat = _dense(params, f"{at}attention.self.{part}", hidden)
        return flat.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / jnp.sqrt(width / HEADS) + blocked
    mixed = (jax.nn.softmax(scores) @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, width)
    mixed = _dense(params, f"{at}attention.output.dense", mixed)
    hidden = _norm(params, f"{at}attention.output.LayerNorm", hidden + mixed)
    wide = jax.nn.gelu(_dense(params, f"{at}intermediate.dense", hidden), approximate=False)
    return _norm(params, f"{at}output.LayerNorm", hidden + _dense(params, f"{at}output.dense", wide))


def _dense(params: Mapping[str, Any], name: str, x: Any) -> Any:
    return x @ params[f"{name}.weight"].T + params[f"{name}.bias"]


def _norm(params: Mapping[str, Any], name: str, x: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    spread = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(spread + 1e-12) * params[f"{name}.weight"] + params[f"{name}.bias"]


def answers(params: Mapping[str, Any], layers: int, batch: Mapping[str, Any]) -> Any:
    """All heads' logits (batch, outputs): a linear map of the mean over the clause's own tokens."""
    hidden = encode(params, layers, batch["ids"], batch["segments"], batch["mask"])
    own = batch["own"]
    pooled = (hidden * own[:, :, None]).sum(1) / own.sum(1, keepdims=True)
    return pooled @ params["heads.weight"].T + params["heads.bias"]


def step(
    layers: int, loss_of: Callable[[Any, Mapping[str, Any]], Any], optimizer: optax.GradientTransformation
) -> Callable[..., Any]:
    """A compiled step: (trained parameters, frozen ones, state, batch) to (trained parameters, state, loss)."""

    def loss(params: Params, frozen: Params, batch: Mapping[str, Any]) -> Any:
        return loss_of(answers(params | frozen, layers, batch), batch)

    def run(params: Params, frozen: Params, state: Any, batch: Mapping[str, Any]) -> Any:
        value, gradient = jax.value_and_grad(loss)(params, frozen, batch)
        updates, state = optimizer.update(gradient, state, params)
        return optax.apply_updates(params, updates), state, value

    compiled: Callable[..., Any] = jax.jit(run)
    return compiled
