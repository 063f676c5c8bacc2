"""Fails when a build without any family of methods would lack a method, every one of the catalogue having a place in absent.cpp,
or when ./actio does not find the family of one that is named.

usage: check_families.py ROOT BUILD   (BUILD is made anew)
"""
import pathlib, re, shutil, subprocess, sys

root, build = map(pathlib.Path, sys.argv[1:])
shutil.rmtree(build, ignore_errors=True)
subprocess.run(["cmake", "--preset", "release", "-B", str(build), "-DACTIO_TESTS=OFF", "-DACTIO_PETSC=OFF", "-DACTIO_FAMILIES="],
               cwd=root, check=True, stdout=subprocess.DEVNULL)
absent = re.findall(r'^ACTIO_ABSENT_MAKE\("\w+", (\w+)\)$', (build / "absent.cpp").read_text(), re.M)
catalogue = (root / "include/actio/method/catalogue.hpp").read_text()
methods = re.search(r"AnyMethod\s*=\s*OneOf<(.*?)>;", catalogue, re.S).group(1).replace("\n", " ").split(",")
methods = [m.strip() for m in methods]
if sorted(absent) != sorted(methods):
    sys.exit(f"not in src/method/make by ACTIO_MAKE, or twice: {set(absent) ^ set(methods) or absent}")

script = (root / "actio").read_text()
functions = "".join(re.findall(r"^(?:whole|families)\(\) \{\n.*?^\}\n", script, re.S | re.M))
problem = build / "problem.toml"
found_by_name = set()
for header in (root / "include/actio/method/catalogue").glob("*.hpp"):
    for method, name in re.findall(r'^struct (\w+) \{.*?Description description\{\s*"([a-z0-9-]+)"', header.read_text(), re.S | re.M):
        file = [f.stem for f in (root / "src/method/make").glob("*.cpp")
                if re.search(rf"ACTIO_MAKE\({method}\)|make\(const {method}&", f.read_text())]
        found_by_name.add(method)
        problem.write_text(f"[method]\nname='{name}'\n")
        for words in (str(problem), f"method.name={name}", f"verlet,{name}"):
            found = subprocess.run(["bash", "-c", f'root=$1 build=/nowhere\n{functions}\nfamilies run "$2"', "bash", str(root), words],
                                   check=True, capture_output=True, text=True).stdout.strip().split(";")
            if not file or not set(file) <= set(found):
                sys.exit(f"./actio does not find the family {file} of {name} in {words}, but {found}")
if found_by_name != set(methods):
    sys.exit(f"no name found of {set(methods) - found_by_name}")
print(len(methods), "methods")
