"""TO 4.5 in numpy: the updates written by hand, with the signs of the variational principle and as they are printed."""
import numpy as np

from magnet import B_MU, BETA, H, OMEGA, OMEGA0

E3 = np.array([0.0, 0.0, 1.0])


def hat(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def a_of(R):
    """(37), which is linear in a, on nine entries."""
    c = 2 * OMEGA**2 * BETA * H**2
    units = np.eye(9).reshape(9, 3, 3)
    curved = units @ (R.T @ R) + R @ np.swapaxes(units, 1, 2) @ R + (R @ R.T) @ units - units
    force = -2 * OMEGA**2 * (R @ R.T @ R - R) - B_MU * np.outer(E3, E3)
    return np.linalg.solve(np.eye(9) + c * curved.reshape(9, 9).T, force.ravel()).reshape(3, 3)


def kick(R, sign=-1, transposed=False):
    """f = a + sign 2 w^2 b^2 h^4 (R a'a + a R'a + a a'R); in print sign is +, and the bracket transposed."""
    a = a_of(R)
    bracket = R @ a.T @ a + a @ R.T @ a + a @ a.T @ R
    return a + sign * 2 * OMEGA**2 * BETA**2 * H**4 * (bracket.T if transposed else bracket)


def zhang_skeel(end, order=2, sign=-1, transposed=False, ahead=False):
    """(N, 3, 3) R and p, until `end` or until an entry is above 10. order 1: p1 = p0 + h f0, R1 = R0 + 2 h p1; 2: with half
    kicks, R1 = R0 + 2 h p_{1/2}. ahead: starts from p0 + h/2 f0, which is where the first order is."""
    R, p = np.eye(3), hat(OMEGA0) / 2
    f = kick(R, sign, transposed)
    if ahead:
        p = p + H / 2 * f
    Rs, ps = [R], [p]
    for _ in range(round(end / H)):
        p = p + (H / 2 if order == 2 else H) * f
        R = R + 2 * H * p
        f = kick(R, sign, transposed)
        if order == 2:
            p = p + H / 2 * f
        Rs.append(R)
        ps.append(p)
        if not np.abs(R).max() < 10:
            break
    return np.array(Rs), np.array(ps)


def about_the_field(Rs, ps):
    """Momentum about z: (p R')_21 - (p R')_12"""
    L = ps @ np.swapaxes(Rs, 1, 2)
    return L[:, 1, 0] - L[:, 0, 1]


def variational_euler(end, h):
    """(34) and (35): (1 + h^2/4 |W|^2) W is the old one and a torque at R_k. Its length is a cubic in |W|, solved in closed form:
    |W| = 4/(h sqrt 3) sinh(asinh(3 sqrt 3 h m/4)/3)."""
    R, m = np.eye(3), (1 + h**2 / 4 * OMEGA0 @ OMEGA0) * OMEGA0
    Rs = [R]
    for _ in range(round(end / h)):
        m = m + h * B_MU * np.cross(R.T @ E3, E3)
        length = 4 / (h * 3**0.5) * np.sinh(np.arcsinh(3 * 3**0.5 * h * np.linalg.norm(m) / 4) / 3)
        W = hat(h / 2 * m / (1 + h**2 / 4 * length**2))
        R = R @ np.linalg.solve(np.eye(3) - W, np.eye(3) + W)
        Rs.append(R)
    return np.array(Rs)


def runge_kutta(end, h):
    """R' = R hat(W), W' = B mu (R'e3) x e3 by the classical method of order 4, observed at multiples of 0.1."""
    def rate(y):
        return np.vstack([y[:3] @ hat(y[3]), B_MU * np.cross(y[2, :], E3)])
    y = np.vstack([np.eye(3), OMEGA0])
    Rs = [y[:3]]
    for k in range(round(end / h)):
        k1 = rate(y)
        k2 = rate(y + h / 2 * k1)
        k3 = rate(y + h / 2 * k2)
        k4 = rate(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (k + 1) % round(H / h) == 0:
            Rs.append(y[:3])
    return np.array(Rs)
