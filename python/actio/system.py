"""Systems in Python words: the keys of a problem file as keyword arguments."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, toml
from .errors import InputError
from .mesh import Mesh, mesh_of
from .problem import Problem, load, method_words, run

if TYPE_CHECKING:
    from .advise import Advice
    from .methods import Method
    from .modes import Modes
    from .simulation import Simulation
    from .trajectory import Trajectory

_RUN = ("step", "end", "steps", "start", "every", "every_time", "at", "window", "columns")
_MEANT = {"dt": "step", "h": "step", "timestep": "step", "max_step": "step", "t_end": "end", "tend": "end", "t1": "end", "tmax": "end", "t0": "start", "t_eval": "at", "saveat": "at",
          "x0": "position", "q0": "position", "y0": "position", "v0": "velocity", "n": "steps", "rtol": "step", "atol": "step"}
_LISTS = ("term", "constraint", "contact", "joint", "load", "bodies")  # of tables: one table may stand for a list of one
_INITIAL = ("position", "velocity", "project", "static", "temperature", "seed", "xyz", "bodies", "solid")


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
        event: one mapping or a list of them, as [[event]]: {"when": "theta", "direction": "up"}.
        initial: as [initial]; keywords of :meth:`run` replace its entries.
        **words: coordinates, lagrangian, potential, mass, parameters, term, force, constraints, ... One term, constraint, joint, load
            or body may be a mapping, several are a list of them. A solid's mesh is the name of a file, a meshio.Mesh, or an actio.Mesh.

    Nothing is checked before :meth:`problem`, :meth:`run` or :meth:`simulation`, which then raise InputError with the line.
    """

    def __init__(self, *, title: str = "", symmetry: Any = None, observe: Any = None, output: Mapping[str, Any] | None = None,
                 event: Any = None, initial: Mapping[str, Any] | None = None, **words: Any) -> None:
        self.title = title
        self.words = words
        self.symmetry = symmetry
        self.observe = observe
        self.output = dict(output or {})
        self.event = event
        self.initial = dict(initial or {})
        self._meshes: dict[str, Mesh] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._take_meshes()

    @staticmethod
    def from_callbacks(value: Any, gradient: Any, hessian: Any = None, mass: Any = 1.0, *, force: Any = None, pattern: Any = None,
                       linear: bool = False, time: bool = False, title: str = "", symmetry: Any = None, observe: Any = None,
                       output: Mapping[str, Any] | None = None) -> System:
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
            title, symmetry, observe, output: as of a System; expressions call the coordinates "q[0]", "q[1]", ...

        Exceptions of the functions pass through a run. NaN says that V cannot be evaluated there.

        Raises:
            TypeError, ValueError: when it is run, for keywords and shapes that do not fit. InputError: a function gave another number
            of values.
        """
        from .callbacks import CallbackSystem

        return CallbackSystem(value, gradient, hessian, mass, force, pattern, linear, time, title=title, symmetry=symmetry,
                              observe=observe, output=output)

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
                near = _MEANT.get(name.lower()) or next(iter(difflib.get_close_matches(name, _RUN + _INITIAL, 1)), None)
                raise TypeError(f"run() has no keyword {name!r}; " + (f"did you mean {near!r}? " if near else "") +
                                f"It has method, certificate, {', '.join(_RUN + _INITIAL)}")
        for name, rows in (("symmetry", self.symmetry), ("observe", self.observe), ("event", self.event)):
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
        text, path = self.text_of(**words)
        files = self._files()
        if not files:
            try:
                return _core.load_text(text, path, list(overrides), "")
            except InputError as error:
                raise _in_keywords(error) from None
        folder = path.removesuffix("system")
        try:
            return _core.load_text(text, path, list(overrides), "")
        except InputError as error:
            raise _renamed(_in_keywords(error), {**{folder + name: argument for name, argument in files.items()}, folder: ""}) from None

    def text_of(self, **words: Any) -> tuple[str, str]:
        """The problem file of a run, and the path beside which the files are that it names. Keywords are those of :meth:`run`."""
        text = self.to_toml(**words)
        if not self._files():
            return text, "system"
        if self._folder is None:  # for as long as there is the system, whose problems may be read again with other values
            self._folder = tempfile.TemporaryDirectory(prefix="actio-")
            self.save(self._folder.name)
        return text, self._folder.name + os.sep + "system"

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the files that :meth:`to_toml` names: the meshes that were given as objects, x.vtu or x.msh by the solid's name."""
        for name, mesh in self._meshes.items():
            mesh.save(Path(folder) / name)

    def _files(self) -> dict[str, str]:
        """The names of what :meth:`save` writes, and of the arguments they are."""
        return dict.fromkeys(self._meshes, "mesh")

    def _take_meshes(self) -> None:
        """Puts names of files in the place of meshes that are objects."""
        given = self.words.get("solid")
        if given is None:
            return
        solids = [dict(solid) for solid in ([given] if isinstance(given, Mapping) else given)]
        for solid in solids:
            mesh = mesh_of(solid.get("mesh"))
            if mesh is not None:
                solid["mesh"] = solid.get("name", "x") + mesh.extension
                self._meshes[solid["mesh"]] = mesh
        self.words["solid"] = solids[0] if isinstance(given, Mapping) else solids

    def run(self, *, method: str | Method | Mapping[str, Any] = "verlet", certificate: Any = None, progress: Any = False,
            observer: Any = None, events: Any = None, states: str = "qvp", kernels: str = "auto", space: str = "automatic",
            output: str | os.PathLike[str] = "", **words: Any) -> Trajectory:
        """Runs the system.

        Args:
            method: a name, a class of :mod:`actio.methods`, or what stands under [method].
            certificate: its level, "quick", "standard" or "full", or what stands under [certificate].
            progress, observer, events, states, kernels, space, output: as for :func:`actio.run`.
            **words: step, end or steps, start, every of [run]; position, velocity and others of [initial].

        Raises:
            InputError, RunError: as :func:`actio.run`.
        """
        return run(self.problem(method=method, certificate=certificate, **words), progress=progress, observer=observer, events=events,
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

    def advise(self, *, error: float = 1e-4, tries: int = 3, seconds: float = 10, methods: Sequence[str] = (), kernels: str = "auto",
               **words: Any) -> Advice:
        """Which method, what step; see :func:`actio.advise`."""
        from .advise import advise

        return advise(self, error=error, tries=tries, seconds=seconds, methods=methods, kernels=kernels, **words)

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
        self._matrices = {"mass": M, "stiffness": K, "damping": C}
        n = K.shape[0]
        for argument, matrix in (("M", M), ("K", K), ("C", C)):
            if matrix is not None and matrix.shape not in ((n, n), (n,)):
                raise ValueError(f"{argument} has the shape {matrix.shape}, K {K.shape}")
        if fixed is not None:
            words["fixed"] = fixed if isinstance(fixed, str) else list(fixed)
        super().__init__(**words)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the matrices as Matrix Market files, mass.mtx, stiffness.mtx, damping.mtx."""
        super().save(folder)
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

    def _files(self) -> dict[str, str]:
        arguments = {"mass": "M", "stiffness": "K", "damping": "C"}
        return {**super()._files(), **{f"{name}.mtx": arguments[name] for name, m in self._matrices.items() if m is not None}}


def _in_keywords(error: InputError) -> InputError:
    """The same where a start is missing, which has other words here than in a file."""
    if error.message not in ("[initial] is missing", "initial.position is missing"):
        return error
    new = InputError("error: the system has no start\n  give position=[...] (and velocity=[...]), or initial={\"position\": [...]} of the System")
    new.message, new.hint = "the system has no start", "give position=[...] (and velocity=[...]), or initial={\"position\": [...]} of the System"
    return new


def keywords_of_run() -> tuple[str, ...]:
    """What :meth:`System.run` takes of a problem."""
    return ("method", "certificate", *_RUN, *_INITIAL)


def _renamed(error: InputError, names: Mapping[str, str]) -> InputError:
    """The error with other names of files."""
    def renamed(text: str) -> str:
        for name, by in names.items():
            text = text.replace(name, by)
        return text

    new = InputError(renamed(str(error)))
    new.message, new.hint = renamed(error.message), renamed(error.hint)
    new.file, new.line, new.column = error.file and renamed(error.file), error.line, error.column
    return new
