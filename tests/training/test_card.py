"""What a card's driver is handed; no card is needed."""

import ctypes
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from foxden.envs.card import CardEnv  # noqa: E402


class Driver:
    """Reads a kernel's arguments as a driver does: when it is called, not before."""

    def __init__(self) -> None:
        self.told: list[list[int]] = []

    def launch(self, kernel: Any, threads: int, arguments: Any) -> None:
        litter = [ctypes.create_string_buffer(b"\xff" * len(arguments) * 8) for _ in range(64)]
        self.told.append([ctypes.c_int64.from_address(at).value for at in arguments])
        del litter


def _array(words: Iterator[int], axes: int) -> list[int]:
    return [next(words) for _ in range(5 + 2 * axes)]


def test_arguments_live_until_the_driver_has_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.Tensor, "cuda", lambda tensor: tensor)
    zeros = torch.zeros
    monkeypatch.setattr(torch, "zeros", lambda *shape, device, **how: zeros(*shape, **how))
    driver = Driver()
    sheet = {"words": 2, "tensor_size": 3, "actions": 4, "most_seats": 2}
    kernel: Any = SimpleNamespace(sheet=sheet, driver=driver, function=None)
    env = CardEnv(kernel, 8, [bytes(16)], choices=2)
    env.reset(77)
    env.step(torch.zeros(8, dtype=torch.int64, device="cpu"))
    env.advise = 5
    env.step(torch.zeros(8, dtype=torch.int64, device="cpu"))
    for dealing, advised, told in zip((1, 0, 0), (0, 0, 5), driver.told, strict=True):
        words = iter(told)
        array = partial(_array, words)
        tables, states = array(2), array(2)
        assert (tables[4], states[4]) == (env._tables.data_ptr(), env.states.data_ptr())
        chosen, actions, numbers = array(1), array(1), array(1)
        assert chosen[4] == env.chosen.data_ptr()
        assert (actions[5], numbers[5]) == (8, 8)
        assert [next(words) for _ in range(5)] == [77, dealing, 1, 0, 0]
        rest = [array(axes) for axes in (2, 2, 1, 2, 1, 2, 2, 2, 2, 1, 2)]
        assert rest[0][5:7] == [3, 8]
        assert rest[9][2] == advised
        assert rest[10][4] == env._choices.data_ptr()
        assert next(words, None) is None
