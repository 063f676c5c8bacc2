#pragma once
#include <models/mesh.hpp>

#include "support.hpp"

namespace actio::io::test {

// A bar 2 x 1 x 1 m of two elements, steel and rubber, held at x = 0.
class Bar {
 public:
  Bar() {
    system::Mesh mesh = models::mesh_of({system::Cell::hexahedron8, {2, 1, 1}, {2, 1, 1}});
    mesh.groups[0] = {"steel", 3, {{0, 0}}};
    mesh.groups.push_back({"rubber", 3, {{0, 1}}});
    models::write_msh(mesh, folder / "bar.msh");
    mesh.blocks[0].nodes = {0, 3, 2, 1, 4, 7, 6, 5, 1, 8, 9, 2, 5, 10, 11, 6};
    models::write_msh(mesh, folder / "inverted.msh");
    mesh.blocks[0].nodes = {0, 1, 2, 3, 4, 5, 6, 7, 1, 2, 9, 8, 5, 6, 11, 10};
    models::write_msh(mesh, folder / "rubber.msh");
    folder.write("flat.msh",
                 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
                 "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n");
    text = with(R"toml([system]
parameters = { T = 0.5, E0 = 3 }
units = { length = "mm", mass = "t", time = "s" }
[system.solid]
name = "bar"
mesh = "FOLDER/bar.msh"
scale = 1000
mass = "lumped"
fixed = [{ group = "x0", components = ["x", "y"] }]
gravity = [0, 0, -9810]
driven = { group = "x0", z = "5*sin(4*t) + 0*X" }
traction = { group = "x1", value = ["2*t", 0, 1] }
pressure = { group = "y1", value = "0.1*t" }
damping = { rayleigh = [0.1, 1e-4] }
probe = [{ name = "tip", group = "x1" }, { name = "corner", at = [2000, 0, 0] }]
momentum = ["linear"]
[[system.solid.material]]
group = "steel"
model = "neo-hookean"
E = { value = 210, unit = "GPa" }
nu = 0.3
density = { value = 7850, unit = "kg/m^3" }
[[system.solid.material]]
group = "rubber"
energy = "E0*(I1 - 3 - 2*log(J)) + 5*(J - 1)^2"
density = 1.1e-9
viscosity = { value = 2, unit = "kPa*s" }
[initial.solid]
velocity = ["0.01*X", 0, 0]
[method]
name = "midpoint"
[run]
step = 0.01
steps = 10
)toml",
                "FOLDER/", folder / "");
  }
  Folder folder;
  std::string text;
};

}  // namespace actio::io::test
