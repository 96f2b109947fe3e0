"""What a card's driver is handed; no card is needed."""

import ctypes
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import foxden  # noqa: E402
from foxden.envs import cuda  # noqa: E402
from foxden.envs.card import CardEnv, WrongKernel  # noqa: E402

GAME = foxden.game("happy-fox")
IMAGE = b"// a kernel"
SIZES = {"words": 2, "tensor_size": 3, "actions": 4, "most_seats": 2, "block": 32}
SHEET = cuda.step_sheet(GAME, {"happy-fox.ptx": IMAGE}) | SIZES


class Driver:
    """Reads a kernel's arguments as a driver does: when it is called, not before."""

    def __init__(self) -> None:
        self.told: list[list[int]] = []

    def launch(self, kernel: Any, threads: int, block: int, room: int, arguments: Any) -> None:
        assert (threads, block, room) == (8, 32, 1024)
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
    kernel: Any = SimpleNamespace(sheet=SHEET, driver=driver, function=None, room=1024)
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


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda told: told[:-1], "argument 21 the kernel takes nothing, .* given choices int64"),
        (lambda told: [*told, "more int64"], "argument 22 the kernel takes more int64, .* nothing"),
        (lambda told: [told[1], told[0], *told[2:]], "argument 1 the kernel takes states int64"),
        (
            lambda told: [one.replace("rewards float32", "rewards float64") for one in told],
            r"takes rewards float64\[2\], and it would be given rewards float32\[2\]",
        ),
        (
            lambda told: [one.replace("advice int64[1]", "advice int64[2]") for one in told],
            "advice",
        ),
    ],
)
def test_a_kernel_that_takes_other_arguments_is_never_started(
    monkeypatch: pytest.MonkeyPatch, change: Any, says: str
) -> None:
    monkeypatch.setattr(torch.Tensor, "cuda", lambda tensor: tensor)
    zeros = torch.zeros
    monkeypatch.setattr(torch, "zeros", lambda *shape, device, **how: zeros(*shape, **how))
    driver = Driver()
    other = SHEET | {"arguments": change(SHEET["arguments"])}
    kernel: Any = SimpleNamespace(sheet=other, driver=driver, function=None)
    env = CardEnv(kernel, 8, [bytes(16)])
    with pytest.raises(WrongKernel, match=says):
        env.reset(77)
    assert not driver.told
