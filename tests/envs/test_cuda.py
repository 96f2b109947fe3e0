"""The rules as CUDA kernels: made for every game without a card, and held to `Match`."""

import ctypes
import importlib.util
import json
import re
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from foxden.engine.kernel import SPARE, bytes_of
from foxden.engine.match import Match
from foxden.envs import cuda
from foxden.envs.vector import VectorEnv

SCRIPT = Path(__file__).parents[2] / "scripts" / "cuda_parity.py"


def entry_of(ptx: str) -> tuple[str, int]:
    """Returns the only kernel's name and how many words it takes."""
    [(entry, parameters)] = re.findall(r"\.entry (\w+)\(([^)]*)\)", ptx)
    return entry, parameters.count(".param .u64")


@pytest.mark.parametrize("name", foxden.games())
def test_the_step_of_every_game_compiles_to_ptx(name: str) -> None:
    # Unoptimised, because that takes a third of the time; the slow test below leaves nothing out.
    game = foxden.game(name)
    ptx = cuda.compile_step(game, optimised=False)
    assert ".target sm_75" in ptx
    assert f".maxntid {cuda.STEP_BLOCK}, 1, 1\n" in ptx
    small = game.state.itemsize <= cuda.SHARED_MOST
    assert (cuda.room_of(game) >= game.state.itemsize) is small
    assert (".extern .shared" in ptx) is small
    assert ("cvta.shared" in ptx) is small  # and its address is used
    lines, grids, numbers = 6, 10, 5
    assert entry_of(ptx) == (cuda.STEP, 7 * lines + 9 * grids + numbers)
    # Sums and products that may be contracted to one rounding choose otherwise than the processor.
    assert not re.search(r"\b(add|sub|mul)\.f(32|64)\b|\bfma\.", ptx)


def test_random_play_compiles_to_ptx() -> None:
    ptx = cuda.compile_random_play(foxden.game(foxden.games()[0]), optimised=False)
    assert entry_of(ptx) == (cuda.ENTRY, 5 * len(cuda.array_arguments(0, 0, 0)) + 3)


@pytest.mark.parametrize("name", foxden.games())
def test_the_step_on_a_card_is_the_processors(name: str) -> None:
    torch = pytest.importorskip("torch", reason="the step on a card needs torch")
    if not torch.cuda.is_available():
        pytest.skip("the step on a card needs a card")
    game = foxden.game(name)
    what: dict[str, Any] = {"truths": True, "standings": True, "advise": True, "skip_forced": True}
    here = VectorEnv(game, 64, **what)
    there = cuda.vector_on_card(game, 64, **what)
    here.reset(seed=6)
    there.reset(6)
    for step in range(300):
        states = there.states.t().contiguous().cpu().numpy().tobytes()
        assert states == b"".join(here.state_bytes(i) for i in range(64))
        for array in ("observations", "truths", "masks", "seats", "advice", "terminations"):
            assert np.array_equal(getattr(there, array).cpu(), getattr(here.arrays, array))
        for array in ("rewards", "scores", "winners", "standings"):
            rows = getattr(there, array)[: here.seats].t().cpu()
            assert np.array_equal(rows, getattr(here.arrays, array))
        actions = here.sample(step)
        here.step(actions)
        there.step(torch.from_numpy(actions))


def test_an_export_tells_all_that_a_card_elsewhere_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = foxden.game(foxden.games()[0])
    monkeypatch.setattr(cuda, "compile_step", lambda game: "// ptx")
    cuda.export(game, tmp_path)
    sheet = json.loads((tmp_path / f"{game.name}.json").read_text())
    assert (tmp_path / f"{game.name}.ptx").read_text() == "// ptx"
    assert sheet["words"] * 8 == game.state.itemsize
    assert (sheet["tensor_hash"], sheet["rules_version"]) == (game.tensor_hash, game.rules_version)
    for table in sheet["tables"]:
        states = np.frombuffer(bytes.fromhex(table["state"]), game.state).copy()
        compiled.start(states, 0, 5, 0)
        match = Match(game, seats=table["seats"], options=table["options"], seed=5, stream="fast")
        assert bytes_of(states, 0) == match.state_bytes()


class Tensor:
    """As much of a tensor as it takes to say what it is."""

    def __init__(self, dtype: str, axes: int) -> None:
        self.dtype, self.axes = f"torch.{dtype}", axes

    def dim(self) -> int:
        return self.axes


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The card's side, with no torch under it."""
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(Tensor=Tensor))
    return load_file("card_without_torch", Path(cuda.__file__).with_name("card.py"))


def test_the_cards_side_compares_what_a_kernel_takes(card: Any) -> None:
    game = foxden.game(foxden.games()[0])
    sheet = cuda.step_sheet(game, {"a.ptx": b"// one", "a.cubin": b"code"})
    assert sheet["block"] == cuda.STEP_BLOCK
    for image in (b"// one", b"code"):
        card.check_kernel(sheet, image)
    with pytest.raises(card.WrongKernel, match=f"kernel of {game.name} is not the one"):
        card.check_kernel(sheet, b"// another")
    for name in ("block", "room", "arguments", "images"):
        older = {key: value for key, value in sheet.items() if key != name}
        with pytest.raises(card.WrongKernel, match=f"lacks {name}: another version"):
            card.check_kernel(older, b"// one")
    told = sheet["arguments"]
    forms = [re.fullmatch(r"(\w+) (\w+?)(?:\[(\d)\])?", line) for line in told]
    given: dict[str, Any] = {
        form[1]: Tensor(form[2], int(form[3])) if form[3] else 7 for form in forms if form
    }
    card.check_arguments(told, given)
    for changed, says in (
        (given | {"rewards": Tensor("float64", 2)}, r"rewards float32\[2\], .* float64\[2\]"),
        (given | {"advice": Tensor("int64", 2)}, r"takes advice int64\[1\]"),
        (given | {"more": 7}, "argument 22 the kernel takes nothing"),
        ({key: value for key, value in given.items() if key != "choices"}, "given nothing"),
        ({"states": 7} | given, "argument 1 the kernel takes tables"),
    ):
        with pytest.raises(card.WrongKernel, match=says):
            card.check_arguments(told, changed)


def test_an_export_of_other_sources_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = foxden.game(foxden.games()[0])
    monkeypatch.setattr(cuda, "compile_step", lambda game: "// ptx")
    assert not cuda.is_exported(game, tmp_path)
    cuda.export(game, tmp_path)
    assert cuda.is_exported(game, tmp_path)
    assert not cuda.is_exported(game, tmp_path, assemble="sm_90")
    monkeypatch.setattr(cuda, "fingerprint", lambda: "other sources")
    assert not cuda.is_exported(game, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", foxden.games())
def test_optimised_kernels_are_assembled_for_a_card(name: str, tmp_path: Path) -> None:
    for ptx in (cuda.compile_random_play(foxden.game(name)), cuda.compile_step(foxden.game(name))):
        (tmp_path / "kernel.ptx").write_text(ptx)
        command = [cuda.assembler(), "-arch=sm_90", "kernel.ptx", "-o", "kernel.cubin"]
        subprocess.run(command, check=True, cwd=tmp_path)


@pytest.mark.parametrize("name", foxden.games())
def test_the_processors_side_plays_the_matches_of_their_seeds(name: str) -> None:
    game = foxden.game(name)
    seed, seats = 77, game.about.usual
    done = cuda.play_on_processor(game, 20, seats=seats, seed=seed)
    out = np.zeros(game.actions, np.int64)
    for number in range(20):
        match = Match(game, seats=seats, seed=seed << 63 | number, stream="fast")
        states = match.truth()
        plies = compiled.play_randomly(states, 0, out)
        points = np.zeros(seats, np.int64)
        compiled.scores_of(states, 0, points)
        assert done.states[number] == bytes_of(states, 0)
        assert done.plies[number] == plies
        assert done.points[number, :seats].tolist() == points.tolist()
        compiled.winners_of(states, 0, points)
        assert done.won[number, :seats].tolist() == points.tolist()


class StandIn:
    """Answers for a driver's library with the processor's memory and rules."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.memory: dict[int, Any] = {}
        self.spoil = False

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: 0  # cuInit, cuCtxSynchronize and the like

    def cuMemAlloc_v2(self, address: Any, size: Any) -> int:
        buffer = ctypes.create_string_buffer(b"?" * size.value, size.value)
        address._obj.value = ctypes.addressof(buffer)
        self.memory[ctypes.addressof(buffer)] = buffer
        return 0

    def cuMemsetD8_v2(self, address: Any, value: Any, size: Any) -> int:
        ctypes.memset(address.value, value.value, size.value)
        return 0

    def cuMemFree_v2(self, address: Any) -> int:
        del self.memory[address.value]
        return 0

    def cuMemcpyHtoD_v2(self, address: Any, data: Any, size: Any) -> int:
        ctypes.memmove(address.value, data, size.value)
        return 0

    def cuMemcpyDtoH_v2(self, data: Any, address: Any, size: Any) -> int:
        ctypes.memmove(data, address.value, size.value)
        return 0

    def cuLaunchKernel(self, *arguments: Any) -> int:
        pointers = arguments[9]
        words = [ctypes.c_int64.from_address(pointer).value for pointer in pointers]
        arrays = []
        for k, dtype in enumerate([self.game.state, self.game.state, *["i8"] * 3]):
            none, nobody, length, itemsize, address, shape, stride = words[7 * k : 7 * k + 7]
            assert (none, nobody, length) == (0, 0, shape)
            assert itemsize == stride == np.dtype(dtype).itemsize
            size = length * itemsize
            assert size <= max(8, len(self.memory[address]))
            arrays.append(np.frombuffer(self.memory[address], dtype, length))
        table, states, plies, points, won = arrays
        first, seed, matches = words[35:]
        most = self.game.most_seats
        own, out = np.zeros(1, self.game.state), np.zeros(self.game.actions, np.int64)
        for i in range(len(plies)):
            plies[i] = cuda.play_numbered(own, 0, table, first + i, seed, out, matches)
            if i < len(states):
                row = slice(i * most, (i + 1) * most)
                cuda.results(own, 0, points[row], won[row])
                states[i] = own[0]
                states[SPARE][i] = 1 + i % 100
        if self.spoil and len(states):
            states["to_act"][3] = 0
        return 0


def load_script() -> Any:
    return load_file("cuda_parity", SCRIPT)


def load_file(name: str, file: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_compares_every_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = foxden.games()[0]
    script = load_script()
    monkeypatch.setattr(script, "MATCHES", 50)
    monkeypatch.setattr(cuda, "compile_random_play", lambda game: "")
    script.export(tmp_path, [name])
    driver = StandIn(foxden.game(name))
    kernel = script.Kernel(script.Card(driver), tmp_path, name)
    assert kernel.check() == (50, 0)
    driver.spoil = True
    assert kernel.check() == (50, len(kernel.sheet["tables"]))
    assert not driver.memory
    _, (plies,) = kernel.play(kernel.sheet["tables"][0]["table"], 8, 3, keep=False)
    assert min(struct.unpack("<8q", plies)) > 3
