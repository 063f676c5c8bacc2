// Two boxes, 1 x 0.5 x 0.25 each, end to end along x: steel, then rubber.
SetFactory("Built-in");
Point(1) = {0, 0, 0, 1}; Point(2) = {0, 0.5, 0, 1}; Point(3) = {0, 0.5, 0.25, 1}; Point(4) = {0, 0, 0.25, 1};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
If (hexahedra)
  Transfinite Curve {1, 2, 3, 4} = 2;
  Transfinite Surface {1};
  Recombine Surface {1};
  a[] = Extrude {1, 0, 0} { Surface{1}; Layers{1}; Recombine; };
  b[] = Extrude {1, 0, 0} { Surface{a[0]}; Layers{1}; Recombine; };
Else
  a[] = Extrude {1, 0, 0} { Surface{1}; };
  b[] = Extrude {1, 0, 0} { Surface{a[0]}; };
EndIf
Physical Volume("steel", 1) = {a[1]};
Physical Volume("rubber", 2) = {b[1]};
Physical Surface("clamped", 3) = {1};
Physical Surface("tip", 4) = {b[0]};
Physical Surface("ends", 5) = {1, b[0]};
Physical Curve(7) = {1};
Physical Point("corner", 6) = {1};
