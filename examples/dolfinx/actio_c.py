"""Actio's C interface (include/actio/c/actio.h) by ctypes, for codes that assemble their own forces.

    s = Simulation("newmark", M, pattern, residual=r, tangent=K, energy=V)    # M a = -r(t, q), r = dV/dq
    s.start(0.0, q, v)
    s.advance(100, 1e-3)
    t, q, v = s.state()

M and pattern are CSR matrices of scipy; r(t, q) and K(t, q) return an array of n numbers and the values at the entries of the pattern,
V(t, q) a number. The library is $ACTIO_C_LIBRARY, or one that was built here, or an installed one.
"""
import ctypes as c
import ctypes.util
import math
import os
import sys
import traceback
from pathlib import Path

import numpy as np


def _library():
    here = Path(__file__).resolve().parents[2] / "build"
    built = [str(here / kind / "libactio_c.so") for kind in ("release", "portable", "dev")]
    for name in (os.environ.get("ACTIO_C_LIBRARY"), *built, ctypes.util.find_library("actio_c")):
        if name and (os.sep not in name or Path(name).is_file()):
            return c.CDLL(name)
    sys.exit("no libactio_c.so: ./actio builds one, or set ACTIO_C_LIBRARY")


_double = c.POINTER(c.c_double)
_int = c.POINTER(c.c_int32)
_Energy = c.CFUNCTYPE(c.c_int, c.c_double, _double, _double, c.c_void_p)
_Force = c.CFUNCTYPE(c.c_int, c.c_double, _double, _double, _double, c.c_void_p)
_ForceTangent = c.CFUNCTYPE(c.c_int, c.c_double, _double, _double, c.c_double, c.c_double, _double, c.c_void_p)
_Observer = c.CFUNCTYPE(c.c_int, c.c_int64, c.c_double, c.c_double, c.c_void_p)
ABI, LINEAR, TIME, NO_VELOCITY, SYMMETRIC = 1, 1, 2, 4, 8


class _Code(c.Structure):
    _fields_ = [("abi", c.c_int32), ("flags", c.c_int32), ("n", c.c_int64),
                ("mass_starts", _int), ("mass_columns", _int), ("mass", _double),
                ("starts", _int), ("columns", _int), ("damping", _double), ("fixed", _int), ("fixed_count", c.c_int64),
                ("energy", _Energy), ("residual", _Energy), ("tangent", _Energy),
                ("force", _Force), ("force_tangent", _ForceTangent), ("user", c.c_void_p)]


class Report(c.Structure):
    _fields_ = [("steps", c.c_int64), ("iterations", c.c_int64), ("factorisations", c.c_int64),
                ("residual", c.c_double), ("external", c.c_double), ("dissipated", c.c_double)]


class Agreement(c.Structure):
    _fields_ = [(name, c.c_double) for name in ("energy", "tangent", "symmetry", "force_tangent")]


def _array(pointer, n):
    return np.ctypeslib.as_array(pointer, (n,))


def _guarded(call):
    """An exception must not be lost between C and Python: -1, never again."""
    def guarded(*arguments):
        try:
            return call(*arguments) or 0
        except BaseException:
            traceback.print_exc()
            return -1
    return guarded


class Simulation:
    def __init__(self, method, M, pattern, residual, tangent, energy=None, fixed=(), flags=0):
        self._c = _library()
        self._c.actio_error.restype = self._c.actio_certificate.restype = c.c_char_p
        self._c.actio_certificate.argtypes = [c.c_void_p]
        self._c.actio_close.argtypes = [c.c_void_p]
        self.n = n = M.shape[0]
        entries = pattern.nnz
        if M.shape != (n, n) or pattern.shape != (n, n):
            raise ValueError(f"the mass is {M.shape}, the pattern {pattern.shape}")

        def kept(array, kind):
            array = np.ascontiguousarray(array, kind)
            return array, array.ctypes.data_as(c.POINTER(np.ctypeslib.as_ctypes_type(kind)))

        arrays = [kept(M.indptr, np.int32), kept(M.indices, np.int32), kept(M.data, float), kept(pattern.indptr, np.int32),
                  kept(pattern.indices, np.int32), kept(fixed, np.int32)]
        pointers = [p for _, p in arrays]

        def value(f):
            def call(t, q, V, _):
                V[0] = f(t, _array(q, n))
            return _Energy(_guarded(call))

        def numbers(f, size):
            def call(t, q, out, _):
                _array(out, size)[:] = f(t, _array(q, n))
            return _Energy(_guarded(call))

        self._code = _Code(abi=ABI, flags=flags, n=n, mass_starts=pointers[0], mass_columns=pointers[1], mass=pointers[2],
                           starts=pointers[3], columns=pointers[4], fixed=pointers[5], fixed_count=len(arrays[5][0]),
                           residual=numbers(residual, n), tangent=numbers(tangent, entries))
        if energy:
            self._code.energy = value(energy)
        self._simulation = c.c_void_p()
        self._ask("open", c.byref(self._code), method.encode(), c.byref(self._simulation))

    def __del__(self):
        if getattr(self, "_simulation", None):
            self._c.actio_close(self._simulation)

    def _ask(self, function, *arguments):
        if getattr(self._c, "actio_" + function)(*arguments) != 0:
            raise RuntimeError(self._c.actio_error().decode())

    def _numbers(self, x):
        x = np.ascontiguousarray(x, float)
        if x.shape != (self.n,):
            raise ValueError(f"{x.shape} numbers for {self.n} coordinates")
        return c.c_int64(len(x)), x.ctypes.data_as(_double)

    def start(self, t, q, v):
        n, positions = self._numbers(q)
        self._ask("start", self._simulation, c.c_double(t), n, positions, self._numbers(v)[1])

    def advance(self, steps, h):
        report = Report()
        self._ask("advance", self._simulation, c.c_int64(steps), c.c_double(h), c.byref(report))
        return report

    def run(self, steps, h, every=1, observer=None):
        """Certified; observer(step, t, energy) may return True to end it."""
        report = Report()
        shown = _Observer(_guarded(lambda step, t, energy, _: int(bool(observer(step, t, energy))))) if observer else _Observer()
        self._ask("run", self._simulation, c.c_int64(steps), c.c_double(h), c.c_int64(every), shown, None, c.byref(report))
        return report

    def certificate(self):
        return self._c.actio_certificate(self._simulation).decode()

    def state(self):
        t, q, v = c.c_double(), np.empty(self.n), np.empty(self.n)
        self._ask("state", self._simulation, c.byref(t), *self._numbers(q), self._numbers(v)[1], None)
        return t.value, q, v

    def energy(self):
        energy = c.c_double(math.nan)
        self._ask("energy", self._simulation, c.byref(energy))
        return energy.value

    def frequencies(self, t, q):
        """The lowest and the highest about q at rest [rad/s]."""
        lowest, highest = c.c_double(), c.c_double()
        self._ask("frequencies", self._simulation, c.c_double(t), *self._numbers(q), c.byref(lowest), c.byref(highest))
        return lowest.value, highest.value

    def check(self, t, q, v, length, h):
        """How well energy, residual and tangent agree, by differences."""
        found = Agreement()
        n, positions = self._numbers(q)
        self._ask("check", self._simulation, c.c_double(t), n, positions, self._numbers(v)[1], c.c_double(length), c.c_double(h),
                  c.byref(found))
        return found
