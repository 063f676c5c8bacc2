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


class IvpResult:
    """t (N) and y (2 n, N), positions above velocities, as SciPy has them; ``trajectory`` has the certificate."""

    def __init__(self, trajectory: Trajectory, t_eval: NDArray[np.float64] | None) -> None:
        import numpy as np

        self.trajectory = trajectory
        q, v = trajectory.q, trajectory.v
        assert q is not None and v is not None
        self.t = trajectory.t
        self.y = np.concatenate([q.T, v.T])
        if t_eval is not None:
            t_eval = t_eval[t_eval <= self.t[-1]]  # a run that was ended says nothing beyond
            self.y = _hermite(self.t, q, v, t_eval) if len(self.t) > 1 else self.y[:, : len(t_eval)]
            self.t = t_eval
        self.success = not trajectory.interrupted
        self.status = 0 if self.success else -1
        self.message = f"certificate: {trajectory.certificate.verdict}"

    def __repr__(self) -> str:
        return f"<IvpResult {self.y.shape[0]} x {self.y.shape[1]}, {self.message}>"


def _hermite(t: NDArray[np.float64], q: NDArray[np.float64], v: NDArray[np.float64], at: NDArray[np.float64]) -> Any:
    """Positions by the cubic that has the positions and velocities of both ends of a step, and its derivative."""
    import numpy as np

    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None]
    s = (at - t[k])[:, None] / h
    q0, q1, v0, v1 = q[k], q[k + 1], h * v[k], h * v[k + 1]
    place = q0 + s * (v0 + s * (3 * (q1 - q0) - 2 * v0 - v1 + s * (2 * (q0 - q1) + v0 + v1)))
    speed = (v0 + s * (2 * (3 * (q1 - q0) - 2 * v0 - v1) + 3 * s * (2 * (q0 - q1) + v0 + v1))) / h
    exact = np.isclose(s, 0, atol=1e-12)
    return np.concatenate([np.where(exact, q[k], place).T, np.where(exact, v[k], speed).T])


def solve_ivp(system: System, t_span: Sequence[float], y0: ArrayLike, method: str | Method | Mapping[str, Any] = "verlet",
              t_eval: ArrayLike | None = None, *, max_step: float, **words: Any) -> IvpResult:
    """Solves a system from y0 = (q0, v0) over t_span with steps of at most ``max_step``, all of one size.

    A variational integrator keeps what it keeps by steps of one size, so there is no rtol: halve the step to see the error, or
    read ``result.trajectory.certificate.accuracy``.

    Args:
        system: in place of SciPy's function: y' = fun(t, y) does not say what is to be kept.
        t_span: (start, end).
        y0: positions, then velocities (2 n).
        method: as for :meth:`System.run`.
        t_eval: times to give the solution at, between steps by cubic interpolation (third order). All steps where it is None.
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
    for name in ("every", "states", "step", "end", "steps", "start", "position", "velocity"):
        if name in words:
            raise TypeError(f"solve_ivp() has no keyword {name!r}")
    times = None if t_eval is None else np.asarray(t_eval, float)
    if times is not None and not ((times >= start) & (times <= end)).all():
        raise ValueError("t_eval leaves t_span")
    steps = max(1, int(np.ceil((end - start) / max_step * (1 - 1e-12))))
    n = len(y) // 2
    trajectory = system.run(method=method, step=(end - start) / steps, steps=steps, start=start, position=list(y[:n]),
                            velocity=list(y[n:]), **words)
    return IvpResult(trajectory, times)
