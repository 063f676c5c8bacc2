"""Certificates side by side."""

import actio


def test_rows_are_those_of_the_certificates():
    kepler = actio.System(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)",
                          symmetry={"name": "angular momentum", "generator": ["-y", "x"]})
    runs = {name: kepler.run(method=name, step=0.05, end=50, position=[1, 0], velocity=[0, 0.8]) for name in ("verlet", "cvode-adams")}
    table = actio.compare(runs)
    for name, run in runs.items():
        assert table["verdict"][name] == run.certificate.verdict
        assert table["energy: largest error"][name] == run.certificate.energy.max_error
        assert table["angular momentum: largest error"][name] == run.certificate.momentum["angular momentum"].max_error
    assert table["symplecticity: defect"]["cvode-adams"] is None  # it chooses its own steps
    assert "loss by the method" not in table  # no friction, no loss: no ledger


def test_it_is_shown_as_a_table():
    pendulum = actio.System(title="<pendulum>", coordinates=["theta"], lagrangian="0.5*theta'^2 + cos(theta)")
    table = actio.compare({"<a>": pendulum.run(method="midpoint", step=0.1, end=10, position=[2.0])})
    lines = str(table).splitlines()
    assert len(lines) == 1 + len(table) and len({len(line) for line in lines}) == 1
    assert "kept" in lines[1]
    assert "&lt;a&gt;" in table._repr_html_() and "<a>" not in table._repr_html_()
