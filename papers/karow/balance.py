"""Karow's balance of energy, (13) and (14), and Newmark's equations (2), (5), (6), for a run of M u'' + D u' + S u = p(t).

Everything is computed anew from u and u' of the trajectory, in numpy: the ledger of the run has no part in it.
"""
import numpy as np


class Linear:
    """M, D, S (n, n) dense or sparse, p(t) (N, n) at the times of the run."""

    def __init__(self, M, D, S, p):
        self.M, self.D, self.S, self.p = M, D, S, p

    def energy(self, run):
        return 0.5 * rows(run.v, (self.M @ run.v.T).T) + 0.5 * rows(run.q, (self.S @ run.q.T).T)

    def balance(self, run):
        """What (13) leaves in each step, and (14) times h_j; the size of what rounding acts on."""
        u0, u1, v0, v1, p = run.q[:-1], run.q[1:], run.v[:-1], run.v[1:], (self.p[:-1] + self.p[1:]) / 2
        h, energy = np.diff(run.t), self.energy(run)
        friction = (self.D @ ((v0 + v1) / 2).T).T
        moved = h[:, None] * (v0 + v1) / 2
        by_13 = np.diff(energy) - rows(u1 - u0, p) + rows(u1 - u0, friction)
        by_14 = np.diff(energy) - rows(moved, p) + rows(moved, friction)
        size = energy.max() + (abs(u1) + abs(u0)).max() * abs(p).max() * p.shape[1]
        return by_13, by_14, size

    def equations(self, run, beta, gamma):
        """What (5) and (6) leave, with the accelerations of (2)."""
        a = np.linalg.solve(self.M, (self.p - (self.D @ run.v.T).T - (self.S @ run.q.T).T).T).T
        h = np.diff(run.t)[:, None]
        u0, u1, v0, v1, a0, a1 = run.q[:-1], run.q[1:], run.v[:-1], run.v[1:], a[:-1], a[1:]
        return u1 - u0 - h * v0 - h * h * ((0.5 - beta) * a0 + beta * a1), v1 - v0 - h * ((1 - gamma) * a0 + gamma * a1)


def rows(a, b):
    """a_k . b_k"""
    return np.einsum("kn,kn->k", a, b)
