"""The cantilever of ../cantilever.toml, assembled by DOLFINx and stepped by Actio.

    /usr/bin/python3 examples/dolfinx/cantilever.py            # Debian's python3-dolfinx-real

The mesh is the same, ten hexahedra, and so are the element (serendipity, 20 nodes) and the 27 points of integration: the two
discretisations are one, and `actio run examples/cantilever.toml` with the same method ends in the same place.
"""
import argparse

import numpy as np
import scipy.sparse
import ufl
from dolfinx import fem, mesh
from mpi4py import MPI
from petsc4py import PETSc

from actio_c import Simulation

E, nu, density, g = 5e6, 0.4, 1100.0, 9.81  # [Pa], [kg/m^3], [m/s^2]
mu, lam = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))

domain = mesh.create_box(MPI.COMM_SELF, [[0, 0, 0], [0.5, 0.05, 0.05]], [10, 1, 1], mesh.CellType.hexahedron)
V = fem.FunctionSpace(domain, ufl.VectorElement("S", domain.ufl_cell(), 2))
u, du, w = fem.Function(V), ufl.TrialFunction(V), ufl.TestFunction(V)  # u: displacements
dx = ufl.Measure("dx", domain=domain, metadata={"quadrature_degree": 5})
F = ufl.Identity(3) + ufl.grad(u)
J = ufl.det(F)
W = mu / 2 * (ufl.tr(F.T * F) - 3 - 2 * ufl.ln(J)) + lam / 2 * ufl.ln(J)**2 + density * g * u[2]
energy_form = fem.form(W * dx)
residual_form = fem.form(ufl.derivative(W * dx, u, w))
tangent_form = fem.form(ufl.derivative(ufl.derivative(W * dx, u, w), u, du))
mass_form = fem.form(density * ufl.inner(du, w) * dx)

n = 3 * V.dofmap.index_map.size_local
clamp = fem.locate_dofs_topological(V, 2, mesh.locate_entities_boundary(domain, 2, lambda x: np.isclose(x[0], 0)))
fixed = (3 * clamp[:, None] + np.arange(3)).ravel()


def csr(A):
    A.assemble()
    starts, columns, values = A.getValuesCSR()
    return scipy.sparse.csr_matrix((values, columns, starts), shape=A.size)


M = csr(fem.petsc.assemble_matrix(mass_form))
r, K = fem.petsc.create_vector(residual_form), fem.petsc.create_matrix(tangent_form)


def energy(t, q):
    u.x.array[:] = q
    return fem.assemble_scalar(energy_form)


def residual(t, q):
    u.x.array[:] = q
    with r.localForm() as local:
        local.set(0)
    fem.petsc.assemble_vector(r, residual_form)
    return r.array


def tangent(t, q):
    u.x.array[:] = q
    K.zeroEntries()
    fem.petsc.assemble_matrix(K, tangent_form)
    K.assemble()
    return K.getValuesCSR()[2]


tangent(0, np.zeros(n))
pattern = csr(K)

# The nodes of the mesh file's group "tip", where displacements are looked at.
tip = np.array([[0.5, y, z] for y in (0, 0.025, 0.05) for z in (0, 0.025, 0.05) if (y, z) != (0.025, 0.025)])
last = mesh.locate_entities(domain, 3, lambda x: x[0] > 0.44)[:1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--method", default="midpoint", help="a name, or what stands under [method] in a problem file")
    parser.add_argument("--step", type=float, default=0.01)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--no-energy", action="store_true", help="keep the energy to DOLFINx: the certificate says what is missing")
    options = parser.parse_args()

    simulation = Simulation(options.method, M, pattern, residual, tangent, None if options.no_energy else energy, fixed)
    at_rest = np.zeros(n)
    lowest, highest = simulation.frequencies(0, at_rest)
    print(f"frequencies at rest {lowest / (2 * np.pi):.6g} to {highest / (2 * np.pi):.6g} Hz")
    found = simulation.check(0, at_rest, at_rest, 1e-4, options.step)
    print(f"residual from energy {found.energy:.0e}, tangent from residual {found.tangent:.0e}, symmetric {found.symmetry:.0e}")
    simulation.start(0, at_rest, at_rest)
    report = simulation.run(options.steps, options.step, every=1)
    t, q, v = simulation.state()
    u.x.array[:] = q
    moved = u.eval(tip, np.repeat(last, len(tip))).mean(axis=0) + tip.mean(axis=0)
    print(simulation.certificate())
    print(f"tip at t = {t:g}: {moved[0]:.10f}, {moved[1]:.10f}, {moved[2]:.10f} m")
    print(f"{report.iterations} iterations of Newton's method, {report.factorisations} factorisations")


if __name__ == "__main__":
    main()
