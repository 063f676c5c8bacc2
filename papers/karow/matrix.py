"""Sparse symmetric matrices from Matrix Market files, and their products with vectors, in numpy alone."""
import numpy as np


class Sparse:
    """A symmetric matrix of a coordinate file; `matrix @ x` for x of (n) or (n, N)."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            header = file.readline().lower().split()
            line = file.readline()
            while line.startswith("%") or not line.strip():
                line = file.readline()
            self.n, _, entries = (int(word) for word in line.split())
            i, j, value = np.loadtxt(file, max_rows=entries, ndmin=2).T
        i, j = i.astype(int) - 1, j.astype(int) - 1
        if header[4] == "symmetric":
            off = i != j
            i, j, value = np.concatenate([i, j[off]]), np.concatenate([j, i[off]]), np.concatenate([value, value[off]])
        self.i, self.j, self.value = i, j, value

    def __matmul__(self, x):
        if x.ndim == 1:
            return np.bincount(self.i, self.value * x[self.j], self.n)
        return np.stack([self @ column for column in x.T], axis=1)

    def scaled(self, factor, other=None, other_factor=0.0):
        """factor self + other_factor other, as something that multiplies."""
        return Sum([(factor, self), (other_factor, other)])


class Sum:
    def __init__(self, parts):
        self.parts = [(factor, matrix) for factor, matrix in parts if matrix is not None and factor]

    def __matmul__(self, x):
        return sum((factor * (matrix @ x) for factor, matrix in self.parts), np.zeros_like(x))
