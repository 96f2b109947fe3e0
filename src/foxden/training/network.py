"""The network: an MLP with a policy and a value, trained in torch and shipped in half precision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

ROUND = 16  # matrix units like rows of a multiple of it


def padded(size: int) -> int:
    """Rounds a row's length up."""
    return -(-size // ROUND) * ROUND


class Network(nn.Module):
    """ReLU layers with linear heads; weights in float32, computation in the requested type."""

    def __init__(self, inputs: int, width: int, depth: int, heads: list[int]) -> None:
        """Starts with an almost even policy and values near 0."""
        super().__init__()
        self.mean: torch.Tensor
        self.scale: torch.Tensor
        self.register_buffer("mean", torch.zeros(padded(inputs)))
        self.register_buffer("scale", torch.ones(padded(inputs)))
        sizes = [padded(inputs)] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.sizes = heads
        self.heads = nn.ModuleList(nn.Linear(width, padded(head)) for head in heads)
        for layer in self.hidden:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        for head in self.heads:
            nn.init.normal_(head.weight, std=0.01 / math.sqrt(width))
            nn.init.zeros_(head.bias)

    def scale_inputs(self, mean: torch.Tensor, spread: torch.Tensor, most: torch.Tensor) -> None:
        """Sets the inputs' mean and scale.

        An input's scale is its spread, but at least a tenth of its largest value, so rarely set
        inputs do not dominate. Some count in 256ths, and unscaled would go unnoticed.
        """
        scale = torch.where(most > 0, 1 / torch.maximum(spread, 0.1 * most).clamp(min=1e-6), 1.0)
        self.mean[: len(mean)].copy_(mean)
        self.scale[: len(mean)].copy_(scale)

    def folded(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Lists every layer's weights; the inputs' mean and scale are part of the first."""
        layers = [
            (layer.weight, layer.bias) for group in (self.hidden, self.heads) for layer in group
        ]
        weight, bias = layers[0]
        weight = weight * self.scale
        return [(weight, bias - weight @ self.mean), *layers[1:]]

    def cast(self, dtype: torch.dtype) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Lists the weights in another precision."""
        return [(weight.to(dtype), bias.to(dtype)) for weight, bias in self.folded()]

    def forward(
        self, x: torch.Tensor, cast: Any = None, only: torch.Tensor | None = None
    ) -> list[torch.Tensor]:
        """Computes the heads of many observations, of the first head `only` these places."""
        layers = cast or self.cast(x.dtype)
        for weight, bias in layers[: len(self.hidden)]:
            x = functional.relu(functional.linear(x, weight, bias))
        heads = [functional.linear(x, w, b) for w, b in layers[len(self.hidden) :]]
        heads = [head[:, :size] for head, size in zip(heads, self.sizes, strict=True)]
        if only is not None:
            heads[0] = heads[0].gather(1, only)
        return [head.float() for head in heads]

    @torch.no_grad()
    def arrays(self, inputs: int) -> dict[str, Any]:
        """Lists the weights as half-precision arrays: hidden layers, then heads."""
        found = {}
        sizes = [None] * len(self.hidden) + self.sizes
        for k, (weight, bias) in enumerate(self.folded()):
            kept = weight[: sizes[k], : inputs if k == 0 else None]
            found[f"w{k}"] = kept.cpu().numpy().astype(np.float16)
            found[f"b{k}"] = bias[: sizes[k]].cpu().numpy().astype(np.float16)
        return found

    @torch.no_grad()
    def take(self, arrays: Mapping[str, Any]) -> None:
        """Loads weights from `arrays`; the inputs' mean and scale do not change.

        A wider or deeper network computes the same at first. Its new units keep their random
        inputs, but nothing listens to them yet, and new layers pass on what they get.
        """
        given = [
            tuple(torch.from_numpy(arrays[f"{c}{k}"].astype(np.float32)) for c in "wb")
            for k in range(len(arrays) // 2)
        ]
        hidden, heads = given[: -len(self.heads)], given[-len(self.heads) :]
        width = len(hidden[0][0])
        same = (torch.eye(width), torch.zeros(width))
        hidden += [same] * (len(self.hidden) - len(hidden))
        for k, (layer, (weight, bias)) in enumerate(zip(self.hidden, hidden, strict=True)):
            weight = weight.to(layer.weight.device)
            layer.weight[:width].zero_()
            layer.weight[:width, : weight.shape[1]].copy_(weight)
            layer.bias[:width].copy_(bias)
            if k == 0:
                # Those arrays include the mean and scale, which are removed again.
                layer.bias[:width].add_(layer.weight[:width] @ self.mean)
                layer.weight[:width].div_(self.scale)
        for layer, (weight, bias) in zip(self.heads, heads, strict=True):
            layer.weight.zero_()
            layer.bias.zero_()
            layer.weight[: len(weight), :width].copy_(weight)
            layer.bias[: len(bias)].copy_(bias)
