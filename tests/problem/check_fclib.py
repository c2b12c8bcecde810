"""Prints every number of an FCLIB file as one line each, read by h5py alone: name, row, column (0 for vectors), value in hex.

Entries of a matrix that stand twice are added up, in the order of the file. Called by fclib_file_test.cpp.
"""

import sys

import h5py


def entries(matrix):
    p, i, x = (matrix[name][:] for name in ("p", "i", "x"))
    nz = int(matrix["nz"][0])
    if nz >= 0:
        yield from zip(i[:nz], p[:nz], x[:nz])
        return
    for outer in range(len(p) - 1):
        for k in range(p[outer], p[outer + 1]):
            yield (outer, i[k], x[k]) if nz == -2 else (i[k], outer, x[k])


def main(path):
    with h5py.File(path, "r") as file:
        (root,) = [name for name in file if name.startswith("fclib_")]
        group = file[root]
        print("kind", root, 0, 0)
        print("spacedim", int(group["spacedim"][0]), 0, 0)
        for name in group:
            if name in "WVRMHG":
                print("size_" + name, int(group[name]["m"][0]), int(group[name]["n"][0]), 0)
                total = {}
                for row, column, value in entries(group[name]):
                    place = int(row), int(column)
                    total[place] = total[place] + float(value) if place in total else float(value)
                for (row, column), value in sorted(total.items()):
                    print(name, row, column, value.hex())
        vectors = [(name, group["vectors"][name]) for name in group["vectors"]]
        vectors += [("solution_" + name, file["solution"][name]) for name in file.get("solution", ())]
        for name, vector in vectors:
            for row, value in enumerate(vector[:]):
                print(name, row, 0, float(value).hex())


main(sys.argv[1])
