#!/usr/bin/env python3
"""A record like an earthquake's, always the same: record.py > record.csv

White noise through the filters of Kanai and Tajimi (the soil: 15.6 rad/s, damping 0.6; Tajimi 1960) and of Clough and Penzien
(which keeps long periods out: 1.5 rad/s, 0.6; Dynamics of Structures, 1975), under an envelope like that of Jennings et al.
(1968): rises as t^2 for 4 s, stays until 15 s, then decays as exp(-0.25 t). Scaled to a largest acceleration of 0.3 g.
"""
import math

STEP, DURATION, LARGEST = 0.01, 40.0, 0.3 * 9.81  # s, s, m/s^2
SOIL, LONG_PERIODS = (15.6, 0.6), (1.5, 0.6)  # rad/s, of critical


def noise(count, seed=1999):
    """Sums of 12 uniform numbers of Park and Miller's generator: whole numbers only, so the same everywhere."""
    for _ in range(count):
        total = 0
        for _ in range(12):
            seed = seed * 16807 % 2147483647
            total += seed
        yield total / 2147483647 - 6


def filtered(values, frequency, damping, absolute):
    """x'' + 2 z w x' + w^2 x = -value by average acceleration; yields x'' + value (what the ground feels) or x''."""
    x, v, a = 0.0, 0.0, 0.0
    for value in values:
        x_star, v_star = x + STEP * v + STEP**2 / 4 * a, v + STEP / 2 * a
        a = (-value - 2 * damping * frequency * v_star - frequency**2 * x_star) / (
            1 + STEP * damping * frequency + STEP**2 / 4 * frequency**2)
        x, v = x_star + STEP**2 / 4 * a, v_star + STEP / 2 * a
        yield a + value if absolute else a


def envelope(t):
    return (t / 4)**2 if t < 4 else 1.0 if t < 15 else math.exp(-0.25 * (t - 15))


def record():
    """(t, ground acceleration) [s], [m/s^2]"""
    t = [STEP * k for k in range(round(DURATION / STEP) + 1)]
    shaped = (w * envelope(s) for w, s in zip(noise(len(t)), t))
    a = list(filtered(filtered(shaped, *SOIL, absolute=True), *LONG_PERIODS, absolute=False))
    scale = LARGEST / max(map(abs, a))
    a[0] = a[-1] = 0.0
    return [(s, scale * value) for s, value in zip(t, a)]


if __name__ == "__main__":
    print("t,a")
    for s, value in record():
        print(f"{s:.2f},{value:.5f}")
