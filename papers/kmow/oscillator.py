"""The oscillator of KMOW section 4, V = |q|^2 (|q|^2 - 1)^2 with unit mass, in numpy: arrays (..., 2)."""
import numpy as np

Q0, V0, H = np.array([1.2, 0.0]), np.array([0.0, 0.2]), 0.2  # as in oscillator.toml

NEWMARK, EXPLICIT, VARIATIONAL, RK4, BENCHMARK = (
    ("method.name=newmark", "method.beta=0.25"), ("method.name=newmark", "method.beta=0"),
    ("method.name=variational", "method.alpha=0.5", "method.symmetric=true"), ("method.name=rk4",),
    ("method.name=cvode-adams", "method.rtol=1e-12", "method.atol=1e-14"))


def acceleration(q):
    """-grad V"""
    s = np.sum(q * q, axis=-1, keepdims=True)
    return -2 * q * (s - 1) * (3 * s - 1)


def hessian(q):
    """V''(q) of one point, (2, 2)"""
    s = q @ q
    return 2 * (s - 1) * (3 * s - 1) * np.eye(2) + 4 * (6 * s - 4) * np.outer(q, q)


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def rounding(steps):
    """What rounding may make of a trajectory: some ten roundings a step, each growing at most linearly afterwards (the motion in
    a central field is integrable)."""
    return 10 * np.finfo(float).eps * steps**2
