"""Training runs: they learn, go on after a kill as if there was none, and refuse what differs."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from foxden.training.exam import Mark  # noqa: E402
from foxden.training.learner import CLOSED, draw  # noqa: E402
from foxden.training.network import Network  # noqa: E402
from foxden.training.offer import offer  # noqa: E402
from foxden.training.plan import Plan, Table, read_settings, read_table  # noqa: E402
from foxden.training.player import UNVEILED, read_player  # noqa: E402
from foxden.training.run import CHECKPOINT, FACTS, PLAYER, Run  # noqa: E402
from tests.training.toy import NUMBERS, ToyEnv  # noqa: E402

torch.set_num_threads(1)  # the networks are tiny, and the tests run side by side
SMALL: dict[str, Any] = {"matches": 96, "steps": 12, "width": 32, "depth": 2, "minibatches": 2}
SMALL |= {"exam_every": 5, "exam_matches": 96, "exam_plies": 20, "save_every": 4, "rate": 1e-2}


def plan(iterations: int, **changed: Any) -> Plan:
    return Plan("toy", (Table(2), Table(3)), iterations, **(SMALL | changed))


def run_of(asked: Plan, folder: Path) -> Run:
    return Run(asked, folder, ToyEnv, facts={"rules_version": 1}, report=lambda line: None)


GUESTS: dict[str, Any] = {"against_greedy": 0.25, "against_past": 0.25, "past": 2}
EVERYTHING = GUESTS | {"magnet": 0.1, "lesson": 3, "choices": 4, "keep_best": True}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"standing": True, "magnet": 0.05},
        {"choices": 5, "hurry": 0.01, "keep_best": True},
        GUESTS | {"warm": 3},
    ],
)
def test_self_play_learns_what_the_observation_tells(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    run = run_of(plan(24, **changed), tmp_path)
    run.begin()
    run.go()
    # Greedy is always right, and so is a network that has learnt it: they share every win.
    for temperature in (0.0, 1.0):
        found = run.final(temperature=temperature)
        assert list(found) == ["greedy", "itself"]
        for mark in found["greedy"].values():
            assert mark.unfinished == 0
            assert mark.wins > mark.fair - 0.06
    assert run.curve[-1]["greedy"]["2"][0] > run.curve[0]["greedy"]["2"][0] - 0.02


def test_a_lesson_alone_teaches_what_greedy_would_play(tmp_path: Path) -> None:
    run = run_of(plan(16, lesson=16), tmp_path)
    run.begin()
    run.go()
    assert run.curve[-1]["taught"] > 0.97


def test_a_stopped_run_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    whole = run_of(plan(12, **EVERYTHING), tmp_path / "whole")
    whole.begin()
    assert whole.go()
    first = run_of(plan(12, **EVERYTHING), tmp_path / "parts")
    first.begin()
    assert not first.go(seconds=0)
    assert first.iteration == 1
    second = run_of(plan(12, **EVERYTHING), tmp_path / "parts")
    assert second.resume()
    assert second.iteration == 1
    assert second.go()
    assert second.curve == whole.curve
    for name in ("whole", "parts"):
        told = json.loads((tmp_path / name / FACTS).read_text())
        assert told["iterations"] == 12
    _, arrays = read_player(tmp_path / "whole" / PLAYER)
    _, others = read_player(tmp_path / "parts" / PLAYER)
    assert all((arrays[name] == others[name]).all() for name in arrays)


def test_a_kill_while_writing_leaves_the_checkpoint_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(plan(12), tmp_path)
    run.begin()
    run.go(seconds=0)
    before = (tmp_path / CHECKPOINT).read_bytes()

    def torn(kept: Any, file: Any) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", torn)
    with pytest.raises(KeyboardInterrupt):
        run.go(seconds=0)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    monkeypatch.undo()
    assert run_of(plan(12), tmp_path).resume()


def test_a_checkpoint_of_another_plan_is_refused(tmp_path: Path) -> None:
    run = run_of(plan(12), tmp_path)
    run.begin()
    run.go(seconds=0)
    with pytest.raises(ValueError, match="rate"):
        run_of(plan(12, rate=0.5), tmp_path).resume()
    assert not run_of(plan(12), tmp_path / "empty").resume()


def test_a_player_is_offered_for_tables_of_its_training(tmp_path: Path) -> None:
    run = run_of(plan(1), tmp_path)
    run.begin()
    run.go()
    offer(tmp_path / PLAYER, tmp_path / "3.npz", [Table(3)])
    told, arrays = read_player(tmp_path / "3.npz")
    (table,) = told["tables"]
    assert (table["seats"], table["options"]) == (3, {})
    assert table["spread"] > 0
    assert len(told["plan"]["tables"]) == 2
    _, before = read_player(tmp_path / PLAYER)
    for name in arrays:  # each weight has been rounded to a byte
        largest = float(abs(before[name]).max())
        assert abs(arrays[name] - before[name].astype("f4")).max() <= largest / 100
    with pytest.raises(ValueError, match="not trained"):
        offer(tmp_path / PLAYER, tmp_path / "4.npz", [Table(4)])


def test_one_network_plays_a_table(tmp_path: Path) -> None:
    run = run_of(plan(1), tmp_path / "run")
    run.begin()
    run.go()
    source, nets = tmp_path / "run" / PLAYER, tmp_path / "nets"
    nets.mkdir()

    def offered() -> dict[str, list[int]]:
        files = sorted(nets.glob("*.npz"))
        return {f.name: [t["seats"] for t in read_player(f)[0]["tables"]] for f in files}

    offer(source, nets / "2-3.npz", [Table(2), Table(3)])
    weights = read_player(nets / "2-3.npz")[1]["w0"]
    offer(source, nets / "2.npz", [Table(2)], most=15)
    assert offered() == {"2-3.npz": [3], "2.npz": [2]}
    assert (read_player(nets / "2-3.npz")[1]["w0"] == weights).all()
    with pytest.raises(ValueError, match=r"2-3\.npz would be left without a table"):
        offer(source, nets / "all.npz", [Table(2), Table(3)])
    assert offered() == {"2-3.npz": [3], "2.npz": [2]}
    with pytest.raises(ValueError, match="1 to 127 steps"):
        offer(source, nets / "2.npz", [Table(2)], most=128)


def test_a_frozen_past_stays_what_the_run_began_with(tmp_path: Path) -> None:
    first = run_of(plan(4), tmp_path / "first")
    first.begin()
    first.go()
    run = run_of(plan(8, against_past=1.0, past=1, frozen=True), tmp_path / "second")
    run.begin(tmp_path / "first" / PLAYER)
    before = [tensor.clone() for tensor in run.learner.past[0].parameters()]
    run.go()
    assert all(map(torch.equal, before, run.learner.past[0].parameters()))
    assert all(map(torch.equal, before, run.saved.parameters()))
    assert not all(map(torch.equal, before, run.learner.calm.parameters()))


def test_plans_are_read_from_text() -> None:
    assert read_table("4 unknown_four=yes") == Table(4, {"unknown_four": "yes"})
    assert read_settings({"lesson": "7", "rate": "0.5", "standing": "yes"}) == {
        "lesson": 7,
        "rate": 0.5,
        "standing": True,
    }
    for wrong in ({"game": "x"}, {"standing": "true"}, {"matches": "many"}):
        with pytest.raises(ValueError, match=r".+"):
            read_settings(wrong)
    with pytest.raises(ValueError, match="Write a table"):
        read_table("four")
    asked = plan(3)
    assert Plan.of(json.loads(json.dumps(asked.to_known()))) == asked


def test_a_run_begins_where_a_player_stands(tmp_path: Path) -> None:
    first = run_of(plan(20), tmp_path / "first")
    first.begin()
    first.go()
    second = run_of(plan(1, seed=2), tmp_path / "second")
    second.begin(tmp_path / "first" / PLAYER)
    # Other inputs' scales, the same play; and the critic guesses as the player's value does.
    seen = second.learner.observations[0].t()
    seen[:, :9] = torch.rand(len(seen), 9) / 16
    before, after = first.learner.calm(seen), second.learner.actor(seen)
    assert not torch.equal(first.learner.calm.mean, second.learner.actor.mean)
    assert torch.allclose(before[0], after[0], rtol=0.01, atol=0.05)
    assert torch.allclose(after[1], second.learner.critic(seen)[0], rtol=0.01, atol=0.01)
    assert second.facts["started_from"]["iterations"] == 20
    against = second.final(temperature=0.0)["start"]
    assert all(abs(mark.wins - mark.fair) < 0.1 for mark in against.values())


def test_lists_of_open_actions_learn_as_masks_do(tmp_path: Path) -> None:
    curves = []
    for choices in (0, 4):  # in the toy all four are always open
        run = run_of(plan(6, choices=choices), tmp_path / str(choices))
        run.begin()
        run.go()
        curves.append(run.curve)
    assert curves[0] == curves[1]


def test_time_costs_every_seat_alike(tmp_path: Path) -> None:
    returns = []
    for hurry in (0.0, 0.25):
        run = run_of(plan(1, hurry=hurry), tmp_path / str(hurry))
        run.begin()
        run.learner.rollout()
        run.learner.credit()
        returns.append(run.learner.returns)
    # Whoever decides first waits for the seats behind it, whose decisions cost it too.
    learner = run.learner
    cost = (learner.places - learner.seats[:-1]) * 0.25
    known = learner.weights > 0
    assert bool(known[:-3].all())
    assert torch.allclose((returns[0] - returns[1])[known], cost[known].float(), atol=1e-5)


def test_guests_play_and_teach_nothing(tmp_path: Path) -> None:
    run = run_of(plan(1, **GUESTS), tmp_path)
    run.begin()
    learner = run.learner
    learner.rollout()
    learner.credit()
    n = learner.plan.matches
    odd = torch.arange(n) // 2 % 2
    guest = ((learner.seats[:-1] + odd) % 2 == 1) & (torch.arange(n) < n // 2)
    assert bool((learner.weights[guest] == 0).all())
    assert bool((learner.weights[:-3][~guest[:-3]] == 1).all())
    # Where the guest is `greedy`, it names every number right.
    seats = torch.arange(3)[:, None]
    greedy = ((seats + odd) % 2 == 1) & (torch.arange(n) < n // 4) & learner.seated
    ended = learner.ended[4:, None] & greedy  # those before were under way
    assert bool(ended.any())
    assert bool((learner.points[4:][ended] == 1).all())


def test_rivals_hold_guests_seats_and_never_change(tmp_path: Path) -> None:
    other = run_of(plan(6, seed=5), tmp_path / "other")
    other.begin()
    other.go()
    _, wanted = read_player(tmp_path / "other" / PLAYER)
    run = run_of(plan(12, **(GUESTS | {"rivals": 1})), tmp_path / "run")
    run.begin(rivals=[tmp_path / "other" / PLAYER])
    run.go()
    own, rival = run.learner.past
    assert run.learner.rivals == [rival]
    assert all(np.allclose(rival.arrays(9)[name], wanted[name], atol=1e-2) for name in wanted)
    assert not np.allclose(own.arrays(9)["w0"], wanted["w0"], atol=1e-2)
    assert list(run.final(temperature=0.0)) == ["greedy", "itself", "rival 1"]
    with pytest.raises(ValueError, match="shorter"):
        run_of(plan(1, **(GUESTS | {"rivals": 1})), tmp_path / "none").begin()


def test_rivals_need_seats_of_the_past() -> None:
    with pytest.raises(ValueError, match="Rivals"):
        plan(1, rivals=1)
    with pytest.raises(ValueError, match="Rivals"):
        plan(1, against_past=0.5, past=1, rivals=2)
    with pytest.raises(ValueError, match="no setting 'rivals'"):
        read_settings({"rivals": "1"})


def test_partners_who_win_together_lead_over_those_who_lose(tmp_path: Path) -> None:
    learner = run_of(plan(1), tmp_path).learner
    learner.seated = torch.tensor([[1, 1], [1, 1], [1, 1], [1, 0]], dtype=torch.bool)
    points = torch.tensor([[5.0, 4], [2, 7], [5, 7], [2, 0]])
    won = torch.tensor([[1.0, 0], [0, 1], [1, 1], [0, 0]])
    assert learner.leads(points, won).tolist() == [[3, -3], [-3, 3], [3, 3], [-3, 0]]
    assert learner.leads(points).tolist() == [[0, -3], [-3, 0], [0, 0], [-3, 0]]
    # Nobody leads where all win.
    assert learner.leads(points, torch.ones(4, 2)).abs().sum() == 0


@pytest.mark.parametrize("temperature", [0.0, 0.3, 1.0, 4.0])
def test_actions_are_drawn_at_a_temperature(temperature: float) -> None:
    logits = torch.tensor([0.0, 0.5, -1.0, CLOSED])
    torch.manual_seed(1)
    drawn = draw(logits.expand(20_000, 4), temperature)
    share = torch.bincount(drawn, minlength=4) / len(drawn)
    first = torch.tensor([0.0, 1.0, 0.0, 0.0])
    due = torch.softmax(logits / temperature, 0) if temperature else first
    assert torch.allclose(share, due, atol=0.02)


def test_guests_at_temperature_0_play_the_first_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(plan(1, against_past=1.0, guests_temperature=0.0), tmp_path)
    run.begin()
    learner, step = run.learner, run.learner.env.step
    taken: list[Any] = []

    def keep(actions: Any) -> None:
        taken.append(actions.clone())
        step(actions)

    monkeypatch.setattr(learner.env, "step", keep)
    learner.rollout()
    # All past networks are the initial one, as is the one that learns.
    seen = learner.observations[:-1].transpose(1, 2)
    best = torch.stack([learner.past[0](row)[0].argmax(1) for row in seen])
    guest, played = learner.guests, torch.stack(taken)
    assert bool((played == best)[guest].all())
    assert not bool((played == best)[~guest].all())


def test_the_best_that_ends_its_matches_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(plan(20, keep_best=True), tmp_path)
    run.begin()
    kept = []

    def sit(network: Any, other: Any = None, **_: Any) -> dict[str, Mark]:
        wins, stuck = {5: (0.8, 0.0), 10: (0.9, 0.01), 15: (0.7, 0.0), 20: (0.8, 0.0)}[
            run.iteration
        ]
        if run.iteration == 5 and other is None:
            kept.append(network.arrays(9))
        return {"2": Mark(wins, 0.5, stuck)}

    monkeypatch.setattr(run.exam, "sit", sit)
    run.go()
    told, arrays = read_player(tmp_path / PLAYER)
    assert told["kept"] == 5
    assert all((arrays[name] == kept[0][name]).all() for name in arrays)


def test_a_larger_network_begins_as_the_player_and_all_of_it_learns() -> None:
    torch.manual_seed(2)
    small, large = Network(20, 32, 2, [7, 1]), Network(20, 48, 3, [7, 1])
    for network in (small, large):
        network.scale_inputs(torch.full((20,), 0.3), torch.rand(20) + 0.5, torch.ones(20))
    torch.nn.init.normal_(small.heads[0].weight)
    large.take(small.arrays(20))
    seen = torch.nn.functional.pad(torch.randn(64, 20), (0, 12))
    for ours, theirs in zip(large(seen), small(seen), strict=True):
        assert torch.allclose(ours, theirs, atol=0.02)
    before = [weight.clone() for weight in large.parameters()]
    optimizer = torch.optim.SGD(large.parameters(), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        large(seen)[0].square().mean().backward()
        optimizer.step()
    for now, then in zip(large.hidden.parameters(), before, strict=False):
        assert bool((now != then)[32:].any())  # the new units


def test_a_network_that_sees_every_seats_cards_is_for_measurements_alone(tmp_path: Path) -> None:
    class Hidden(ToyEnv):
        """The number to name is told to nobody but the critic."""

        def _show(self) -> None:
            super()._show()
            self.observations = self.observations.clone()
            self.observations[:, :NUMBERS] = 0

    def wins(**changed: Any) -> float:
        what = plan(24, exam_every=24, **changed)
        folder = tmp_path / str(len(changed))
        run = Run(what, folder, Hidden, facts={"tensor_hash": "1"}, report=lambda line: None)
        run.begin()
        run.go()
        found: float = run.curve[-1]["greedy"]["2"][0]
        return found

    assert wins() < 0.4 < 0.45 < wins(sees_all=True)
    assert read_player(tmp_path / "0" / PLAYER)[0]["tensor_hash"] == "1"
    assert read_player(tmp_path / "1" / PLAYER)[0]["tensor_hash"] == UNVEILED
    with pytest.raises(ValueError, match="no seat may play by it"):
        offer(tmp_path / "1" / PLAYER, tmp_path / "net.npz", [Table(2)])
    assert not (tmp_path / "net.npz").exists()
