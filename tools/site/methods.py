def write_pages(root, folder, program):
    return ["verlet"]
