"""Reports: what is in the page. test_report_browser.py opens it."""

import html
import json
import re

import numpy as np
import pytest

import actio
from actio.cli import report
from actio.files import StoredProblem
from actio.report import columns, energy, page, scene, words
from actio.report.text import number, plain, script_json

NASTY = '</script><script>window.broken = 1</script><img src=x onerror="window.broken = 2">\'"&\u202e{{data}}'


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def decoded(text, kind="<f4"):
    import base64

    return np.frombuffer(base64.b64decode(text), kind)


def nasty_run(rows=5):
    """A run whose every name is an attack."""
    names = [NASTY + "x", NASTY + "y"]
    problem = StoredProblem(title=NASTY, path=NASTY, text=NASTY, overrides=[NASTY], method=NASTY, coordinates=names,
                            units=[("time", NASTY), ("length", NASTY), ("energy", NASTY)], families=[(n, i, 1) for i, n in enumerate(names)])
    t = np.arange(rows, dtype=float)
    q = np.stack([np.sin(t), np.cos(t)], axis=1)
    certificate = {"verdict": NASTY, "kept": [NASTY], "not_kept": [], "broken": [NASTY], "unresolved": [NASTY], "error": {"message": NASTY},
                   "momentum": {NASTY: {"initial": 1.0, "max_error": 0.5, "bound": 1.0, "own_max_error": None}}, "energy": {"initial": 1.0}}
    result = {"arrays": {"t": t, "energy": 1 + 0 * t, "q": q, "v": q, "momentum": q[:, :1], "multipliers": q[:, :1]}, "coordinates": names,
              "momentum": [NASTY], "multipliers": [NASTY], "probes": [], "observed": [], "certificate": json.dumps(certificate), "text": NASTY,
              "interrupted": False}
    return actio.Trajectory(problem, result)


def test_numbers_of_the_certificate_are_in_the_page(examples):
    run = actio.run(examples / "oscillator.toml")
    text = page(run)
    certificate = run.certificate.to_dict()
    assert html.escape(str(run.certificate)) in text
    for value, digits in ((certificate["energy"]["initial"], 10), (certificate["energy"]["max_error"], 3),
                          (certificate["energy"]["drift_per_step"], 2), (certificate["symplecticity"]["own_defect"], 2),
                          (certificate["symplecticity"]["defect"], 2), (certificate["reversibility"]["defect"], 2),
                          (certificate["momentum"]["angular momentum"]["own_max_error"], 2), (certificate["solver"]["worst_residual"], 2)):
        assert number(value, digits) in text
    shown = json.loads(html.unescape(re.search(r"as JSON</summary><pre[^>]*>(.*?)</pre>", text, re.S).group(1)))
    assert shown == {name: value for name, value in certificate.items() if name != "final"}
    for claim in certificate["kept"]:
        assert claim[1:] in text and words.meaning(claim, certificate["momentum"]) in text


@pytest.mark.parametrize("name", ["oscillator", "double-pendulum", "heavy-top", "pleiades", "water", "damped-oscillator"])
def test_every_claim_is_explained(examples, name):
    certificate = actio.run(examples / f"{name}.toml").certificate.to_dict()
    for claim in certificate["kept"] + certificate["not_kept"]:
        assert len(words.meaning(claim, certificate["momentum"])) > 20, claim


def test_a_page_needs_nothing_from_elsewhere(examples):
    text = page(actio.run(examples / "water.toml"))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.search(r'(?:src|href|action|srcset)\s*=\s*"(?!#|data:,)', text)
    assert "@import" not in text and "url(" not in text and "fetch(" not in text and "import(" not in text
    assert "default-src 'none'" in text


def test_no_text_becomes_a_part_of_the_page():
    text = page(nasty_run())
    assert "<img" not in text and text.count("<script") == 2 and text.count("</script>") == 2
    assert "\u202e" not in text and "\\u202e" in text
    assert data_of(text)["units"]["time"] == plain(NASTY)
    assert text.count('"columns":[') == 1  # {{data}} in a title is no place of the template


def test_data_stay_json_whatever_they_hold():
    assert json.loads(script_json({"a<b": [float("nan"), float("inf"), 1.5, "</script>\u2028"]})) == {"a<b": [None, None, 1.5, "</script>\u2028"]}
    assert "<" not in script_json("</script>")


def test_the_ledger_adds_up(examples):
    for name in ("damped-oscillator", "water", "oscillator"):
        run = actio.run(examples / f"{name}.toml")
        start, causes, end = energy.flow(run)
        total = start + sum(change for _, change, _ in causes)
        assert total == pytest.approx(end, abs=1e-9 * (abs(start) + abs(end)))
        text = energy.drawing(run)
        for _, change, _ in causes:
            assert f"{change:+.5g}" in text
    assert "Friction" in energy.drawing(actio.run(examples / "damped-oscillator.toml"))


def test_short_runs_are_stored_whole(examples):
    run = actio.run(examples / "oscillator.toml")
    text = page(run)
    data = data_of(text)
    assert data["piece"] == 1 and "thinned" not in text
    np.testing.assert_array_equal(decoded(data["t"], "<f8"), run.t)
    stored = {column["name"]: decoded(column["values"]) for column in data["columns"]}
    np.testing.assert_array_equal(stored["E - E0"], (run.energy - run.energy[0]).astype(np.float32))
    np.testing.assert_array_equal(stored["x"], run["x"].astype(np.float32))
    assert "angular momentum" in stored and "x'" in stored


def test_long_runs_are_thinned_and_keep_their_peaks():
    rows = 300_001
    t = np.linspace(0, 1, rows)
    values = np.zeros(rows)
    values[12345], values[-1], values[7] = 5, -3, np.nan
    chosen = [columns.Column(str(i), "coordinates", values) for i in range(20)]
    stored, notes = columns.stored(t, chosen)
    assert stored["piece"] > 1 and "thinned" in notes[0]
    times, kept = decoded(stored["t"], "<f8"), decoded(stored["columns"][0]["values"])
    assert len(times) == len(kept) and np.nanmax(kept) == 5 and np.nanmin(kept) == -3
    assert abs(times[np.nanargmax(kept)] - t[12345]) <= stored["piece"] / rows
    assert np.all(np.diff(times) >= 0) and times[0] == t[0] and times[-1] == t[-1]
    assert len(script_json(stored)) < 8e6
    noise = np.random.default_rng(1).normal(size=rows)
    stored, _ = columns.stored(t, [columns.Column(str(i), "coordinates", noise) for i in range(20)])
    pairs = decoded(stored["columns"][7]["values"]).reshape(-1, 2)
    for k in (0, 1, 777, len(pairs) - 1):  # of each piece the least and the largest, in the order in which they come
        piece = noise[k * stored["piece"] : (k + 1) * stored["piece"]]
        assert sorted(pairs[k]) == pytest.approx([piece.min(), piece.max()], rel=1e-6)
        assert (pairs[k][0] <= pairs[k][1]) == (piece.argmin() <= piece.argmax())


def test_points_are_found(examples):
    def found(name, **overrides):
        run = actio.run(examples / f"{name}.toml", overrides)
        return run, scene.scene_of(run)

    run, pendulum = found("double-pendulum")
    assert pendulum.places == [[0, 1], [2, 3]] and pendulum.axes == ["x", "y"] and pendulum.labels == ["1", "2"]
    stored, _ = scene.stored(run, pendulum)
    assert sorted(stored["rods"]) == [[0, -1], [0, 1]]
    run, stars = found("pleiades")
    assert len(stars.places) == 7 and stars.places[3] == [3, 10]
    assert scene.stored(run, stars)[0]["rods"] == []
    run, waters = found("water")
    assert len(waters.places) == 21 and waters.labels[5] == "atom[5]" and waters.axes == ["x", "y", "z"]
    assert len(scene.stored(run, waters)[0]["rods"]) == 21  # three a molecule
    assert found("chain", **{"system.parameters.N": 50, "run.end": 1})[1].kind == "chain"
    assert found("pendulum")[1].kind == "plane"
    assert len(found("car-axis", **{"run.end": 0.1})[1].places) == 2  # xl yl xr yr


def test_bodies_turn(examples):
    run = actio.run(examples / "heavy-top.toml")
    stored, _ = scene.stored(run, scene.scene_of(run))
    assert stored["bodies"] == [0] and stored["rods"] == [[0, -1]]
    turn = decoded(stored["R"]).reshape(-1, 3, 3)
    q = decoded(stored["q"]).reshape(-1, 3)
    np.testing.assert_allclose(turn @ turn[0].T @ turn[0] @ np.transpose(turn, (0, 2, 1)), np.broadcast_to(np.eye(3), turn.shape), atol=1e-5)
    np.testing.assert_allclose(q, 0.1 * turn[:, :, 2], atol=1e-6)  # its third axis points from the tip to the centre


def test_solids_show_their_surface(examples):
    run = actio.run(examples / "cantilever.toml", {"run.end": 0.05})
    found = scene.scene_of(run)
    assert len(found.faces) == 4 * 10 + 2 and len(found.places) == 4 * 11  # ten hexahedra in a row
    x = run.q[0][np.array(found.places)]
    centre = x.mean(axis=0)
    for face in found.faces:  # corners go round counter-clockwise, seen from outside
        a, b, c = x[face[:3]]
        assert np.dot(np.cross(b - a, c - b), a - centre) > 0
    run.problem = StoredProblem("", "elsewhere/a.toml", run.problem.text, [], "", run.coordinates, [], run.problem.families)
    nodes = scene.scene_of(run)  # without its mesh
    assert nodes.faces == [] and len(nodes.places) == 128 and nodes.places[1] == [3, 4, 5]
    assert "faces are not drawn" in nodes.words


def test_a_solid_without_nodes_is_not_made_up(examples):
    run = nasty_run()
    run.problem.text = "[system.solid]\nmesh = 'a.msh'\n"
    run.problem.families, run.coordinates = [("s", 0, 1), ("r", 1, 1)], ["s", "r"]
    assert "no view of the solid" in scene.scene_of(run)
    assert "no view of the solid" in page(run)


def test_runs_without_states_have_pages(examples):
    run = actio.run(examples / "oscillator.toml", states="")
    text = page(run)
    assert "nothing moves here" in text and data_of(text)["scene"] is None


def test_columns_can_be_chosen(examples, tmp_path):
    run = actio.run(examples / "oscillator.toml")
    run.report(tmp_path / "r.html", ["x'", "p(y)"])
    data = data_of((tmp_path / "r.html").read_text("utf-8"))
    assert [column["name"] for column in data["columns"] if column["group"] == "coordinates"] == ["x'", "p(y)"]
    with pytest.raises(KeyError, match="did you mean"):
        run.report(tmp_path / "r.html", ["enrgy"])


def test_command_writes_pages(examples, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert report([str(examples / "oscillator.toml"), "run.end=2"]) == 0
    assert capsys.readouterr().out == "oscillator.html\n"
    assert "run.end=2" in (tmp_path / "oscillator.html").read_text("utf-8")
    pytest.importorskip("h5py")
    actio.run(examples / "oscillator.toml", output=tmp_path / "run.h5")
    assert report([str(tmp_path / "run.h5"), "-o", "of-file.html"]) == 0
    text = (tmp_path / "of-file.html").read_text("utf-8")
    assert "0.298784" in text and "Angular momentum" in text and data_of(text)["rows"] == 51


def test_command_writes_the_page_of_a_failed_run(tmp_path, capsys):
    file = tmp_path / "fall.toml"
    file.write_text('title = "Into the centre"\n[system]\ncoordinates = ["x"]\nmass = 1\npotential = "-1/x^2"\n[initial]\nposition = [1.0]\n'
                    'velocity = [-5.0]\n[method]\nname = "midpoint"\n[run]\nstep = 0.01\nend = 10\n')
    assert report([str(file), "-o", str(tmp_path / "r.html")]) == 1
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "verdict-failed" in text and "Do not rely on this run" in text


def test_command_names_what_is_wrong(examples, tmp_path, capsys):
    assert report(["nowhere.toml"]) == 2
    assert "cannot open" in capsys.readouterr().err
    assert report([str(examples / "oscillator.toml"), "other.toml"]) == 2
    assert "KEY=VALUE" in capsys.readouterr().err
    assert report(["run.h5", "run.end=3"]) == 2
    assert "has been run already" in capsys.readouterr().err
    assert report([str(examples / "oscillator.toml"), "-o", str(tmp_path / "no" / "r.html")]) == 2
    assert report([str(examples / "oscillator.toml"), "-o", str(tmp_path / "r.html"), "-c", "enrgy"]) == 2
    assert "did you mean" in capsys.readouterr().err
