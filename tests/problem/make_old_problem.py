"""Makes a contact problem of format 3 one of format 2, as older programs wrote them: python3 make_old_problem.py FILE."""

import sys

import h5py
import numpy as np


def main(path):
    with h5py.File(path, "r+") as file:
        group = file["slipstick_contact_problem"]
        group.attrs.modify("format_version", np.int32(2))
        contacts = group["contacts"]
        part = {name: contacts[name][:].astype(np.uint64) for name in ("shape_a", "shape_b", "feature_a", "feature_b")}
        contacts["key"] = part["shape_a"] << 44 | part["shape_b"] << 24 | part["feature_a"] << 12 | part["feature_b"]
        for name in ("part_a", "part_b", "feature_a", "feature_b"):
            del contacts[name]
        contacts["history/spring_force"] = contacts["memory/values"][:]
        del contacts["memory"]


if __name__ == "__main__":
    main(sys.argv[1])
