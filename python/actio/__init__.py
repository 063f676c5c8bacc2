"""Simulate mechanics by variational integrators, and certify what was kept.

>>> import actio
>>> pendulum = actio.System(coordinates=["theta"], lagrangian="0.5*theta'^2 + cos(theta)")
>>> run = pendulum.run(method="midpoint", step=0.1, end=100, position=[2.0])
>>> run["theta"].shape, run.certificate.verdict
((1001,), 'kept')

A problem file runs by ``actio.run("pendulum.toml", {"run.end": 100})``. Words and units are those of problem files.
"""

from . import methods
from ._core import version as _version
from .advise import Advice, advise
from .certificate import Certificate
from .comparison import Comparison, compare
from .errors import ActioError, CertificateWarning, InputError, RunError
from .ivp import IvpResult, solve_ivp
from .mesh import Mesh
from .modes import Modes, matrices, modes
from .problem import Problem, load, run
from .simulation import Simulation
from .sweep import Sweep, sweep
from .system import Structure, System
from .trajectory import Trajectory

__version__ = _version()
__all__ = [
    "ActioError", "Advice", "Certificate", "CertificateWarning", "Comparison", "InputError", "IvpResult", "Mesh", "Modes", "Problem",
    "RunError", "Simulation", "Structure", "Sweep", "System", "Trajectory", "advise", "compare", "load", "matrices", "methods", "modes", "run",
    "solve_ivp", "sweep",
]
