def write_page(root, folder, pictures, program):
    pass
