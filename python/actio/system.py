"""Systems in Python words: the keys of a problem file as keyword arguments."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, toml
from .errors import InputError
from .problem import Problem, load, method_words, run

if TYPE_CHECKING:
    from .methods import Method
    from .modes import Modes
    from .simulation import Simulation
    from .trajectory import Trajectory

_RUN = ("step", "end", "steps", "start", "every", "window")
_LISTS = ("term", "constraint", "joint", "load")  # of tables: one table may stand for a list of one
_INITIAL = ("position", "velocity", "project", "static", "temperature", "seed", "xyz")


class System:
    """A mechanical system. Keyword arguments are the keys of [system] in a problem file (docs/problem-file.md).

    >>> kepler = System(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)",
    ...                 symmetry=[{"name": "angular momentum", "generator": ["-y", "x"]}])
    >>> run = kepler.run(method="verlet", step=0.01, end=100, position=[1, 0], velocity=[0, 0.8])

    Args:
        title: of the problem.
        symmetry: one mapping or a list of them, as [[symmetry]].
        observe: one mapping or a list of them, as [[observe]].
        output: columns by their names, as [output]: {"roof": "u[27] - u[0]", "shear": {"value": ..., "unit": "N"}}.
        initial: as [initial]; keywords of :meth:`run` replace its entries.
        **words: coordinates, lagrangian, potential, mass, parameters, term, force, constraints, ... One term, constraint, joint or
            load may be a mapping, several are a list of them.

    Nothing is checked before :meth:`problem`, :meth:`run` or :meth:`simulation`, which then raise InputError with the line.
    """

    def __init__(self, *, title: str = "", symmetry: Any = None, observe: Any = None, output: Mapping[str, Any] | None = None,
                 initial: Mapping[str, Any] | None = None, **words: Any) -> None:
        self.title = title
        self.words = words
        self.symmetry = symmetry
        self.observe = observe
        self.output = dict(output or {})
        self.initial = dict(initial or {})

    @staticmethod
    def from_callbacks(value: Any, gradient: Any, hessian: Any = None, mass: Any = 1.0, *, force: Any = None, pattern: Any = None,
                       linear: bool = False, time: bool = False, title: str = "") -> System:
        """A system of functions: M a = -dV/dq + F, for numpy, JAX, numba, or a code of one's own.

        >>> spring = System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q, lambda q: np.eye(len(q)))
        >>> run = spring.run(method="midpoint", step=0.1, end=10, position=[1.0, 2.0])

        Args:
            value: V(q), a number; None: it is not known, and no claim about the energy is measured.
            gradient: dV/dq (n).
            hessian: (n, n), scipy.sparse or numpy; with ``pattern`` its values there may do. None: explicit methods only.
            mass: a number, its diagonal (n), or a matrix (n, n).
            force: F(t, q, v) (n), what comes from no potential.
            pattern: (rows, columns) of the entries of the Hessian that are not always 0, both triangles. All where it is None.
            linear: the Hessian never changes.
            time: the functions of V take (t, q) in place of (q).

        Exceptions of the functions pass through a run. NaN says that V cannot be evaluated there.

        Raises:
            TypeError, ValueError: when it is run, for keywords and shapes that do not fit. InputError: a function gave another number
            of values.
        """
        from .callbacks import CallbackSystem

        return CallbackSystem(value, gradient, hessian, mass, force, pattern, linear, time, title)

    def to_toml(self, *, method: str | Method | Mapping[str, Any] = "verlet", certificate: Any = None, **words: Any) -> str:
        """The problem file of a run, whose keywords are those of :meth:`run`."""
        document: dict[str, Any] = {"title": self.title} if self.title else {}
        document["system"] = {name: [x] if name in _LISTS and isinstance(x, Mapping) else x for name, x in self.words.items()}
        initial, schedule = dict(self.initial), {}
        for name, value in words.items():
            if value is None:
                continue
            if name in _INITIAL:
                initial[name] = value
            elif name in _RUN:
                schedule[name] = value
            else:
                raise TypeError(f"run() has no keyword {name!r}; it has method, certificate, {', '.join(_RUN + _INITIAL)}")
        for name, rows in (("symmetry", self.symmetry), ("observe", self.observe)):
            if rows is not None:
                document[name] = [rows] if isinstance(rows, Mapping) else list(rows)
        if self.output:
            document["output"] = self.output
        if initial:
            document["initial"] = initial
        document["method"] = method_words(method)
        document["run"] = schedule
        if certificate is not None:
            document["certificate"] = {"level": certificate} if isinstance(certificate, str) else dict(certificate)
        return toml.document(document)

    def problem(self, *, overrides: Sequence[str] = (), **words: Any) -> Problem:
        """The problem of a run, read and checked; ``overrides`` are "key=value". Raises InputError."""
        return _core.load_text(self.to_toml(**words), "system", list(overrides), "")

    def run(self, *, method: str | Method | Mapping[str, Any] = "verlet", certificate: Any = None, progress: Any = False,
            observer: Any = None, states: str = "qvp", kernels: str = "auto", space: str = "automatic",
            output: str | os.PathLike[str] = "", **words: Any) -> Trajectory:
        """Runs the system.

        Args:
            method: a name, a class of :mod:`actio.methods`, or what stands under [method].
            certificate: its level, "quick", "standard" or "full", or what stands under [certificate].
            progress, observer, states, kernels, space, output: as for :func:`actio.run`.
            **words: step, end or steps, start, every of [run]; position, velocity and others of [initial].

        Raises:
            InputError, RunError: as :func:`actio.run`.
        """
        return run(self.problem(method=method, certificate=certificate, **words), progress=progress, observer=observer,
                   states=states, kernels=kernels, space=space, output=output)

    def simulation(self, *, method: str | Method | Mapping[str, Any] = "verlet", h: float, kernels: str = "auto",
                   space: str = "automatic", **words: Any) -> Simulation:
        """The system to be stepped by h. Raises InputError."""
        from .simulation import Simulation

        words.setdefault("steps", 1)
        return Simulation(self.problem(method=method, step=h, **words), kernels=kernels, space=space)

    def modes(self, n: int | None = None, **words: Any) -> Modes:
        """Its lowest n modes; see :func:`actio.modes`."""
        from .modes import modes

        return modes(self, n, **words)

    def matrices(self, **words: Any) -> tuple[Any, Any]:
        """(M, K) of the coordinates that move; see :func:`actio.matrices`."""
        from .modes import matrices

        return matrices(self, **words)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.words.items())})"


class Structure(System):
    """M a + C v + K u = loads, from sparse or dense matrices.

    Args:
        M, K, C: mass, stiffness and damping (n, n), scipy.sparse or numpy; M may be a vector (n), its diagonal.
        fixed: coordinates that never move: numbers from 0, or "u[3..5]".
        load, base, signals, rayleigh, ...: as in [system] (docs/problem-file.md).

    Coordinates are u[0] to u[n-1]: ``run["u"]`` (N, n).

    Raises:
        InputError: as System does; ImportError: without scipy.
    """

    def __init__(self, M: Any, K: Any, C: Any = None, *, fixed: Sequence[Any] | str | None = None, **words: Any) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._matrices = {"mass": M, "stiffness": K, "damping": C}
        n = K.shape[0]
        for (name, matrix), argument in zip(self._matrices.items(), "MKC"):
            if matrix is not None and matrix.shape not in ((n, n), (n,)):
                raise ValueError(f"{argument}, the {name}, has the shape {matrix.shape}, K {K.shape}")
        if fixed is not None:
            words["fixed"] = fixed if isinstance(fixed, str) else list(fixed)
        super().__init__(**words)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the matrices as Matrix Market files, mass.mtx, stiffness.mtx, damping.mtx."""
        import scipy.io
        import scipy.sparse as sparse

        for name, matrix in self._matrices.items():
            if matrix is None:
                continue
            if matrix.ndim == 1:
                matrix = sparse.diags(matrix)
            scipy.io.mmwrite(Path(folder) / f"{name}.mtx", sparse.coo_matrix(matrix), precision=17)

    def to_toml(self, **words: Any) -> str:
        """The problem file of a run, which names the files of :meth:`save`."""
        own = self.words
        self.words = {**{name: f"{name}.mtx" for name, m in self._matrices.items() if m is not None}, **own}
        try:
            return super().to_toml(**words)
        finally:
            self.words = own

    def problem(self, *, overrides: Sequence[str] = (), **words: Any) -> Problem:
        if self._folder is None:  # for as long as there is the structure, whose problems may be read again with other values
            self._folder = tempfile.TemporaryDirectory(prefix="actio-")
            self.save(self._folder.name)
        try:
            return _core.load_text(self.to_toml(**words), str(Path(self._folder.name) / "structure"), list(overrides), "")
        except InputError as error:
            raise self._without_files(error) from None

    def _without_files(self, error: InputError) -> InputError:
        """The same error, which names K where the files of this structure have stiffness.mtx."""
        assert self._folder is not None
        text = str(error).replace(str(Path(self._folder.name)) + os.sep, "")
        out = InputError(text)
        out.__dict__.update(error.__dict__)
        out.message = error.message.replace(str(Path(self._folder.name)) + os.sep, "")
        if error.file:
            out.file = error.file.replace(str(Path(self._folder.name)) + os.sep, "")
        for name, argument in (("mass", "M"), ("stiffness", "K"), ("damping", "C")):
            out.args = (out.args[0].replace(f"{name}.mtx", argument),)
            out.message = out.message.replace(f"{name}.mtx", argument)
            out.file = argument if out.file == f"{name}.mtx" else out.file
        return out
