"""An entry for those who come from scipy.integrate.solve_ivp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any


from .system import System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .methods import Method
    from .trajectory import Trajectory


class DenseSolution:
    """y (2 n) or (2 n, N) at a time or N of them, see Trajectory."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory

    def __call__(self, t: ArrayLike) -> NDArray[np.float64]:
        import numpy as np

        return np.concatenate([x.T for x in self.trajectory(t)])


class IvpResult:
    """t (N) and y (2 n, N), positions above velocities, as SciPy has them; ``trajectory`` has the certificate.

    t_events, y_events: of each event its times (k) and states (k, 2 n); None without events. status: 1 where an event ended the run.
    sol: with ``dense_output``, sol(t) is y (2 n) or (2 n, N) at a time or N of them.
    """

    def __init__(self, trajectory: Trajectory, events: Mapping[str, Any] | None, dense: Trajectory | None) -> None:
        import numpy as np

        self.trajectory = trajectory
        q, v = trajectory.q, trajectory.v
        assert q is not None and v is not None
        self.t = trajectory.t
        self.y = np.concatenate([q.T, v.T])
        self.t_events = self.y_events = None
        if events is not None:
            tables = [trajectory.events[name] for name in events]
            self.t_events = [table["t"] for table in tables]
            self.y_events = [np.column_stack([column for name, column in table.items() if name != "t"]) for table in tables]
        self.success = not trajectory.interrupted
        ended = any(0 < int(getattr(g, "terminal", 0) or 0) <= trajectory.counts[name] for name, g in (events or {}).items())
        self.status = 1 if ended else 0 if self.success else -1
        self.message = f"certificate: {trajectory.certificate.verdict}"
        self.sol = None if dense is None else DenseSolution(dense)

    def __repr__(self) -> str:
        return f"<IvpResult {self.y.shape[0]} x {self.y.shape[1]}, {self.message}>"


def solve_ivp(system: System, t_span: Sequence[float], y0: ArrayLike, method: str | Method | Mapping[str, Any] = "verlet",
              t_eval: ArrayLike | None = None, dense_output: bool = False, events: Any = None, *, max_step: float, **words: Any) -> IvpResult:
    """Solves a system from y0 = (q0, v0) over t_span with steps of at most ``max_step``, all of one size.

    A variational integrator keeps what it keeps by steps of one size, so there is no rtol: halve the step to see the error, or
    read ``result.trajectory.certificate.accuracy``.

    Args:
        system: in place of SciPy's function: y' = fun(t, y) does not say what is to be kept.
        t_span: (start, end).
        y0: positions, then velocities (2 n).
        method: as for :meth:`System.run`.
        t_eval: times to give the solution at, as ``run.at``, and the state of a terminal event; all steps where it is None.
        dense_output: ``result.sol(t)``, as ``trajectory(t)`` of a run that is observed every step.
        events: g(t, y), or a list of them, with the attributes ``terminal`` and ``direction`` that SciPy's have. The terminal one that
            happens first ends the run, and is its last state. A g that is 0 at the start has no event there.
        **words: more keywords of :meth:`System.run`.

    Raises:
        InputError, RunError: as :func:`actio.run`. TypeError: for a function in place of a system.
    """
    import numpy as np

    if callable(system) and not isinstance(system, System):
        raise TypeError("solve_ivp takes a System: a Lagrangian or a potential, so that it can say what was kept")
    start, end = float(t_span[0]), float(t_span[1])
    y = np.asarray(y0, float)
    if y.ndim != 1 or len(y) % 2:
        raise ValueError(f"y0 has the shape {y.shape}; positions, then velocities")
    if not end > start:
        raise ValueError(f"t_span = ({start}, {end})")
    if not 0 < max_step < float("inf"):
        raise ValueError(f"max_step = {max_step}; it must be positive and finite")
    for name in ("every", "every_time", "at", "states", "step", "end", "steps", "start", "position", "velocity"):
        if name in words:
            raise TypeError(f"solve_ivp() has no keyword {name!r}")
    if t_eval is not None and dense_output:
        raise TypeError("t_eval beside dense_output: leave one out, and sol(t_eval) is what the other has")
    steps = max(1, int(np.ceil((end - start) / max_step * (1 - 1e-12))))
    n = len(y) // 2
    named = None
    if events is not None:
        functions = list(events) if isinstance(events, (list, tuple)) else [events]
        named = {f"event{k}": _with_state(g) for k, g in enumerate(functions)}
    if t_eval is not None:
        times = np.asarray(t_eval, float)
        if not ((times >= start) & (times <= end)).all():
            raise ValueError("t_eval leaves t_span")
        words["at"] = times.tolist()
    trajectory = system.run(method=method, step=(end - start) / steps, steps=steps, start=start, position=list(y[:n]),
                            velocity=list(y[n:]), events=named, **words)
    return IvpResult(trajectory, named, trajectory if dense_output else None)


def _with_state(g: Any) -> Any:
    """g(t, y) as a function of (t, q, v), with the attributes of g."""
    import numpy as np

    def of_state(t: float, q: NDArray[np.float64], v: NDArray[np.float64]) -> float:
        return float(g(t, np.concatenate([q, v])))

    for name in ("terminal", "direction"):
        setattr(of_state, name, getattr(g, name, 0))
    return of_state
