"""Gradient and Hessian of a neo-Hookean solid by DOLFINx, into its PETSc vector and matrix: what solid_assembly.cpp does, of the same
mesh, material and state. Processor time of one thread, least of many."""
import sys
import time

import numpy as np
import ufl
from dolfinx import fem, mesh
from mpi4py import MPI
from petsc4py import PETSc


def read_msh(path):
    """Points, and tetrahedra counted from 0, of a mesh in Gmsh's format 2.2."""
    lines = open(path).read().split("\n")
    at = lines.index("$Nodes")
    count = int(lines[at + 1])
    points = np.array([line.split()[1:] for line in lines[at + 2:at + 2 + count]], float)
    at = lines.index("$Elements")
    rows = [line.split() for line in lines[at + 2:at + 2 + int(lines[at + 1])]]
    return points, np.array([row[-4:] for row in rows if row[1] == "4"], np.int64) - 1


def seconds(runs, f):
    least = np.inf
    for _ in range(runs):
        begin = time.process_time()
        f()
        least = min(least, time.process_time() - begin)
    return least


points, cells = read_msh(sys.argv[1])
domain = mesh.create_mesh(MPI.COMM_SELF, cells, points, ufl.Mesh(ufl.VectorElement("Lagrange", ufl.tetrahedron, 1)))
V = fem.VectorFunctionSpace(domain, ("Lagrange", 1))
u, du, w = fem.Function(V), ufl.TrialFunction(V), ufl.TestFunction(V)
u.interpolate(lambda x: 2e-3 * np.stack([np.sin(40 * x[1]), np.sin(40 * x[2]), np.sin(40 * x[0])]))
E, nu = 1e6, 0.4
mu, lam = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
F = ufl.Identity(3) + ufl.grad(u)
J = ufl.det(F)
W = mu / 2 * (ufl.tr(F.T * F) - 3 - 2 * ufl.ln(J)) + lam / 2 * ufl.ln(J)**2
elements = len(cells)


def measure(name, degree, options):
    dx = ufl.Measure("dx", domain=domain, metadata={"quadrature_degree": degree})
    gradient, jit = ufl.derivative(W * dx, u, w), {"cffi_extra_compile_args": options}
    r_form = fem.form(gradient, jit_params=jit)
    K_form = fem.form(ufl.derivative(gradient, u, du), jit_params=jit)
    r, K = fem.petsc.create_vector(r_form), fem.petsc.create_matrix(K_form)

    def first():
        with r.localForm() as local:
            local.set(0)
        fem.petsc.assemble_vector(r, r_form)

    def second():
        K.zeroEntries()
        fem.petsc.assemble_matrix(K, K_form)
        K.assemble()

    one = seconds(20, first)
    two = one + seconds(20, second)
    print(f"{name}: {elements} elements, {3 * V.dofmap.index_map.size_local} coordinates, {K.getInfo()['nz_used'] / 1e6:.1f} million entries")
    energy = fem.assemble_scalar(fem.form(W * dx))
    print(f"  energy {energy:.12g}, |gradient| {r.norm():.12g}, |Hessian| {K.norm(PETSc.NormType.FROBENIUS):.12g}")
    print(f"  gradient             {one / elements * 1e9:8.1f} ns an element")
    print(f"  gradient and Hessian {two / elements * 1e9:8.1f} ns an element")


measure("DOLFINx, one point, kernels by -O3 -march=native", 0, ["-O3", "-march=native"])
measure("DOLFINx, one point, kernels by -O2, its default", 0, ["-O2"])
