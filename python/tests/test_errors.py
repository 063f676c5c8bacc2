"""Wrong input: exceptions with file, line and what to try."""

import pytest

import actio


def test_a_typo_in_a_file_has_its_line(tmp_path, examples):
    text = (examples / "oscillator.toml").read_text().replace("velocity", "velocty")
    file = tmp_path / "typo.toml"
    file.write_text(text)
    with pytest.raises(actio.InputError) as caught:
        actio.run(file)
    error = caught.value
    assert error.line == 1 + text[: text.index("velocty")].count("\n")
    assert error.file.endswith("typo.toml") and "did you mean" in error.hint
    assert isinstance(error, ValueError) and "velocty" in str(error)


def test_overrides_are_checked(examples):
    with pytest.raises(actio.InputError, match="nam"):
        actio.run(examples / "oscillator.toml", {"method.nam": "verlet"})


def test_missing_file():
    with pytest.raises(actio.InputError, match="cannot open"):
        actio.run("nowhere.toml")


@pytest.mark.parametrize("words", [{"kernels": "fast"}, {"space": "outer"}])
def test_wrong_choices(examples, words):
    with pytest.raises(actio.InputError):
        actio.run(examples / "oscillator.toml", **words)


def test_words_of_a_system():
    with pytest.raises(actio.InputError, match="potental") as caught:
        actio.System(coordinates=["x"], mass=1, potental="x^2").run(step=0.1, end=1, position=[1])
    assert 'did you mean "potential"' in str(caught.value)
    with pytest.raises(TypeError, match="stp"):
        actio.System(coordinates=["x"], mass=1).run(stp=0.1)
    with pytest.raises(TypeError, match="no form"):
        actio.System(coordinates=["x"], mass=object()).run(step=0.1, end=1)


def test_methods_refuse_unknown_fields():
    with pytest.raises(TypeError, match="beta, gamma"):
        actio.methods.Newmark(beat=0.25)
    with pytest.raises(AttributeError, match="Newmark"):
        actio.methods.Newmrk
    with pytest.raises(actio.InputError, match="beta"):
        actio.System(coordinates=["x"], mass=1, potential="x^2").run(
            method=actio.methods.Newmark(beta=-3.0), step=0.1, end=1, position=[1])
