"""Writes a recording as older programs did, format_version 1 or 2: python3 old_recording.py FILE VERSION.

Two frames of a box on the ground, with one contact and then two."""

import sys

import h5py
import numpy as np


def main(path, version):
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "slipstick recording"
        for name, value in (("format_version", version), ("complete", 1)):
            file.attrs.create(name, value, dtype=np.int32)
        for name in ("scene_name", "law", "solver", "stepper", "version"):
            file.attrs[name] = name
        file.attrs["step"] = 0.001
        texts = {"scene_yaml": ["title: old"], "body_names": ["box"], "coordinate_names": ["x"], "velocity_names": ["v"],
                 "scalar_names": [], "shapes/body": ["box", "world"], "shapes/name": ["body", "ground"],
                 "shapes/type": ["box", "plane"]}
        for name, values in texts.items():
            file.create_dataset(name, data=np.array(values, dtype=object), dtype=h5py.string_dtype())
        pose = np.array([1, 0, 0, 0, 0, 0, 0.5])
        numbers = {"shapes/pose": [pose, pose], "shapes/sizes": [0.5, 0.5, 0.5], "frames/time": [0, 0.001],
                   "frames/pose": [[pose], [pose]], "frames/q": [[0.5], [0.25]], "frames/v": [[-1], [-2]],
                   "frames/scalars": np.zeros((2, 0)), "contacts/position": np.zeros((3, 3)),
                   "contacts/normal": [[0, 0, 1]] * 3, "contacts/force": [[0, 0, 1], [0, 0, 2], [0, 0, 3]],
                   "contacts/slip_velocity": np.zeros((3, 3)), "contacts/gap": [0, -1e-6, 0]}
        if version >= 2:
            numbers |= {"contacts/moment": [[0, 0, 0.1]] * 3, "contacts/relaxation_gap": [1e-9] * 3}
        for name, values in numbers.items():
            file[name] = np.asarray(values, dtype=np.float64)
        file["shapes/sizes_end"] = np.array([3, 3], dtype=np.uint64)
        file["frames/contacts_end"] = np.array([1, 3], dtype=np.uint64)
        file["contacts/shapes"] = np.array([[0, 1]] * 3, dtype=np.int32)
        # corner 5 of the box on a face of the ground; then a corner and both sides with their largest numbers
        file["contacts/feature"] = np.array([5 << 12, 8 << 12 | 1, 0xffffff], dtype=np.uint32)
        file["contacts/state"] = np.array([1, 2, 0], dtype=np.int8)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
