"""What `slipstick export` writes, read by others than who wrote it and compared to the recording as h5py reads it."""

import csv
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest
import zipfile

import h5py
import numpy as np

from command_line import BINARY, CommandLineTest
from gltf_file import Gltf
from vtk_file import read_poly_data, read_series

# Every shape, a body that rests, one that comes later, names that need care in a table.
SCENE = """format: slipstick-scene 1
title: One of each
world:
  shapes:
    - {name: ground, type: plane}
bodies:
  - {name: ball, mass: 1, position: [0, 0, 0.5], velocity: [1, 0.5, 0], angular_velocity: [3, 1, 2],
     shapes: [{name: one, type: sphere, radius: 0.1}]}
  - {name: crate, mass: 1, position: [1, 0, 0.3], rotation: {axis: [1, 2, 3], angle: 1},
     shapes: [{type: box, size: [0.2, 0.3, 0.4], position: [0.05, 0, 0]}]}
  - {name: pill, mass: 1, position: [2, 0, 0.5], shapes: [{type: capsule, radius: 0.1, length: 0.3}]}
  - {name: roll, mass: 1, position: [3, 0, 0.2], shapes: [{type: cylinder, radius: 0.1, length: 0.4}]}
  - {name: coin, mass: 1, position: [4, 0, 0.3], shapes: [{type: disk, radius: 0.1}]}
  - {name: stone, mass: 1, position: [5, 0, 0.3], shapes: [{type: hull, points: [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1],
     [-0.1, -0.1, -0.1]]}]}
  - {name: block, mass: 1, position: [6, 0, 0.1], shapes: [{type: box, size: [0.2, 0.2, 0.2]}]}
  - {name: late, mass: 1, position: [7, 0, 0.3], velocity: [0, 0, -1], release: 0.1,
     shapes: [{type: sphere, radius: 0.1}]}
stepper: {step: 0.002, duration: 0.3}
"""
VOLUMES = {"crate": 0.024, "block": 0.008}


class Export(CommandLineTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.run_folder = pathlib.Path(cls.shared.name) / "run"
        scene = pathlib.Path(cls.shared.name) / "shapes.yaml"
        scene.write_text(SCENE, encoding="utf-8")
        subprocess.run([BINARY, "run", scene, "-q", "-o", cls.run_folder], check=True, capture_output=True)
        with h5py.File(cls.run_folder / "recording.h5") as file:
            cls.times = file["frames/time"][:]
            cls.poses = file["frames/pose"][:]
            cls.bodies = [name.decode() for name in file["body_names"][:]]
            cls.data = {}
            file.visititems(lambda name, item: cls.data.update({name: item[:]}) if hasattr(item, "shape") else None)

    def export(self, form, *more):
        return self.passes("export", self.run_folder, "--format", form, "-o", "given", *more)

    def contacts_of(self, frame, name):
        ends = self.data["frames/contacts_end"]
        return self.data[f"contacts/{name}"][ends[frame - 1] if frame else 0:ends[frame]]

    def test_the_recording_has_something_to_compare(self):
        self.assertEqual(len(self.times), 151)
        self.assertGreater(len(self.data["contacts/gap"]), 100)
        self.assertGreater(np.ptp(self.poses[:, 0, 4]), 0.2)

    def test_npz(self):
        self.export("npz")
        with np.load(self.folder / "given") as arrays:
            for name, other in (("time", "frames/time"), ("pose", "frames/pose"), ("q", "frames/q"), ("v", "frames/v"),
                                ("effort", "frames/effort"),
                                ("scalars", "frames/scalars"), ("contact_force", "contacts/force"),
                                ("contact_position", "contacts/position"), ("contact_normal", "contacts/normal"),
                                ("contact_moment", "contacts/moment"), ("contact_shapes", "contacts/shapes"),
                                ("contact_slip_velocity", "contacts/slip_velocity"), ("contact_gap", "contacts/gap"),
                                ("contact_relaxation_gap", "contacts/relaxation_gap"),
                                ("contact_friction", "contacts/friction"),
                                ("contact_angular_velocity", "contacts/angular_velocity"),
                                ("contact_coulomb_residual", "contacts/coulomb_residual"),
                                ("contact_state", "contacts/state"), ("contact_key", "contacts/key"),
                                ("body_releases", "body_releases"), ("shape_pose", "shapes/pose"),
                                ("shape_sizes", "shapes/sizes"), ("shape_faces", "shapes/faces")):
                with self.subTest(name):
                    self.assertEqual(arrays[name].shape, self.data[other].shape)
                    self.assertEqual(arrays[name].tobytes(), self.data[other].tobytes())
            np.testing.assert_array_equal(arrays["contact_offsets"], [0, *self.data["frames/contacts_end"]])
            np.testing.assert_array_equal(arrays["shape_size_offsets"], [0, *self.data["shapes/sizes_end"]])
            for name in ("body_names", "coordinate_names", "velocity_names", "scalar_names"):
                self.assertEqual(list(arrays[name]), [text.decode() for text in self.data[name]])
            for name in ("body", "name", "type"):
                self.assertEqual(list(arrays[f"shape_{name}"]), [text.decode() for text in self.data[f"shapes/{name}"]])
            self.assertEqual(arrays["law"].item(), "coulomb")
            self.assertIn("One of each", arrays["scene_yaml"].item())

    def test_npz_passes_the_check_of_zip_files(self):
        self.export("npz")
        with zipfile.ZipFile(self.folder / "given") as file:
            self.assertIsNone(file.testzip())
            self.assertGreater(len(file.namelist()), 30)

    def test_text_beyond_ascii(self):
        self.write("scene.yaml", SCENE.replace("One of each", "Kügelchen 球 𝄞, \\\"quoted\\\"").replace(
            "title: ", "title: \"").replace("quoted\\\"", "quoted\\\"\""))
        self.passes("run", "scene.yaml", "--time", "0.004", "-o", "out")
        self.passes("export", "out", "--format", "npz")
        with np.load(self.folder / "out/recording.npz") as arrays:
            self.assertIn('Kügelchen 球 𝄞', arrays["scene_yaml"].item())

    def table(self, name):
        with open(self.folder / "given" / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_csv(self):
        self.export("csv")
        poses = self.table("poses.csv")
        self.assertEqual(len(poses), len(self.times) * len(self.bodies))
        for i, row in enumerate(poses):
            frame, body = divmod(i, len(self.bodies))
            self.assertEqual(float(row["time"]), self.times[frame])
            self.assertEqual(row["body"], self.bodies[body])
            numbers = [float(row[key]) for key in ("qw", "qx", "qy", "qz", "x", "y", "z")]
            self.assertEqual(numbers, list(self.poses[frame, body]))
            self.assertEqual(row["released"], "0" if row["body"] == "late" and self.times[frame] < 0.1 else "1")
        for table, names, values in (("scalars", "scalar_names", "frames/scalars"),
                                     ("coordinates", "coordinate_names", "frames/q"),
                                     ("velocities", "velocity_names", "frames/v")):
            rows = self.table(f"{table}.csv")
            columns = [text.decode() for text in self.data[names]]
            np.testing.assert_array_equal([[float(row[name]) for name in columns] for row in rows], self.data[values])
        rows = self.table("contacts.csv")
        self.assertEqual(len(rows), len(self.data["contacts/gap"]))
        np.testing.assert_array_equal([[float(row[f"force_{axis}"]) for axis in "xyz"] for row in rows],
                                      self.data["contacts/force"])
        for name in ("gap", "coulomb_residual"):
            np.testing.assert_array_equal([float(row[name]) for row in rows], self.data[f"contacts/{name}"])
        np.testing.assert_array_equal([[float(row[name]) for name in
                                        ("friction_static", "friction_kinetic", "rolling", "spinning")] for row in rows],
                                      self.data["contacts/friction"])
        keys = self.data["contacts/key"]
        np.testing.assert_array_equal(keys[:, 0] >> 32, self.data["contacts/shapes"][:, 0])
        for side, place in (("a", keys[:, 1] >> 32), ("b", keys[:, 1] & 0xffffffff)):
            places = [int(row[f"part_{side}"]) << 12 | int(row[f"feature_{side}"]) for row in rows]
            np.testing.assert_array_equal(places, place)
        self.assertGreater(len(set(keys[:, 1])), 3)  # corners of boxes
        shapes = self.data["shapes/body"]
        self.assertEqual([row["body_a"].encode() for row in rows],
                         [shapes[a] for a in self.data["contacts/shapes"][:, 0]])
        self.assertEqual([row["state"] for row in rows],
                         [("open", "stick", "slip")[state] for state in self.data["contacts/state"]])

    def test_vtp(self):
        self.export("vtp")
        for series in ("bodies", "contacts"):
            times = [moment for moment, _ in read_series(self.folder / f"given/{series}.pvd")]
            self.assertEqual(times, list(self.times))
        contacts = read_series(self.folder / "given/contacts.pvd")
        for frame, (moment, file) in enumerate(contacts):
            arrays, counts = read_poly_data(file)
            self.assertEqual(arrays["TimeValue"][0], moment)
            self.assertEqual(counts["NumberOfPoints"], len(self.contacts_of(frame, "gap")))
            self.assertEqual(counts["NumberOfVerts"], counts["NumberOfPoints"])
            for name, other in (("Points", "position"), ("force", "force"), ("normal", "normal"), ("gap", "gap"),
                                ("slip_velocity", "slip_velocity"), ("moment", "moment"), ("state", "state"), ("coulomb_residual", "coulomb_residual")):
                np.testing.assert_array_equal(arrays[name], self.contacts_of(frame, other).reshape(arrays[name].shape))
            np.testing.assert_array_equal(arrays["friction"], self.contacts_of(frame, "friction")[:, 0])  # μ is one here
            np.testing.assert_array_equal(arrays["Verts.connectivity"], np.arange(counts["NumberOfPoints"]))

    def test_vtk_itself_reads_the_same(self):
        try:
            import vtk
            from vtk.util.numpy_support import vtk_to_numpy
        except ImportError:
            self.skipTest("VTK is missing (python3-vtk9, large: not among what ./test installs)")
        self.export("vtp", "--every", "0.05")
        for series in ("bodies", "contacts"):
            for _, file in read_series(self.folder / f"given/{series}.pvd"):
                arrays, counts = read_poly_data(file)
                reader = vtk.vtkXMLPolyDataReader()
                reader.SetFileName(str(file))
                reader.Update()
                self.assertEqual(reader.GetErrorCode(), 0)
                data = reader.GetOutput()
                self.assertEqual(data.GetNumberOfPoints(), counts["NumberOfPoints"])
                self.assertEqual(data.GetNumberOfCells(), counts["NumberOfPolys"] + counts["NumberOfVerts"])
                if data.GetNumberOfPoints() > 0:
                    points = vtk_to_numpy(data.GetPoints().GetData())
                    np.testing.assert_array_equal(points, arrays["Points"].reshape(points.shape))
                for fields in (data.GetPointData(), data.GetCellData()):
                    for number in range(fields.GetNumberOfArrays()):
                        values = vtk_to_numpy(fields.GetArray(number))
                        np.testing.assert_array_equal(values, arrays[fields.GetArrayName(number)].reshape(values.shape))

    def test_vtp_bodies(self):
        self.export("vtp", "--every", "0.05")
        series = read_series(self.folder / "given/bodies.pvd")
        np.testing.assert_allclose([moment for moment, _ in series], np.arange(7) * 0.05, atol=1e-12)
        for moment, file in series:
            frame = int(np.argmin(abs(self.times - moment)))
            arrays, counts = read_poly_data(file)
            triangles = arrays["Polys.connectivity"].reshape(-1, 3)
            np.testing.assert_array_equal(arrays["Polys.offsets"], 3 * np.arange(1, len(triangles) + 1))
            self.assertEqual(len(triangles), counts["NumberOfPolys"])
            self.assertEqual(7 in arrays["body"], moment >= 0.1 - 1e-12)
            points = arrays["Points"].astype(float)
            for number, name in enumerate(self.bodies):
                mine = triangles[arrays["body"] == number]
                if len(mine) == 0:
                    continue
                place = self.poses[frame, number, 4:]
                a, b, c = (points[mine[:, k]] - place for k in range(3))
                pieces = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
                with self.subTest(f"{name} at {moment}"):
                    if name in VOLUMES:
                        self.assertAlmostEqual(pieces.sum(), VOLUMES[name], delta=1e-6)
                    if name != "coin":
                        self.assertGreater(pieces.sum(), 0)  # faces look outward
                    corners = points[np.unique(mine)]
                    if name == "ball":
                        np.testing.assert_allclose(np.linalg.norm(corners - place, axis=1), 0.1, atol=1e-6)

    def check_gltf(self, path):
        """The Khronos validator, where it is there."""
        validator = os.environ.get("SLIPSTICK_GLTF_VALIDATOR")
        if not validator:
            self.skipTest("gltf-validator of npm is missing, which ./test installs")
        done = subprocess.run([os.environ["SLIPSTICK_NODE"], validator, path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_gltf(self):
        self.passes("export", self.run_folder, "--format", "gltf", "-o", "given.glb")
        gltf = Gltf(self.folder / "given.glb")
        root = gltf.json["nodes"][gltf.json["scenes"][0]["nodes"][0]]
        x, y, z, w = root["rotation"]  # turns z to y
        np.testing.assert_allclose([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], [0, 1, 0],
                                   atol=1e-12)
        for number, name in enumerate(self.bodies):
            node = gltf.node_index(name)
            self.assertIn(node, root["children"])
            for frame, moment in enumerate(self.times):
                pose = self.poses[frame, number]
                np.testing.assert_allclose(gltf.value(node, "translation", moment), pose[4:], atol=1.2e-4)
                w, *xyz = pose[:4]
                self.assertGreater(abs(gltf.value(node, "rotation", moment) @ [*xyz, w]), 1 - 1e-7)
                shown = 0 if name == "late" and np.float32(moment) < np.float32(0.1) else 1
                np.testing.assert_array_equal(gltf.value(node, "scale", moment), [shown] * 3)

    def test_gltf_is_valid(self):
        self.passes("export", self.run_folder, "--format", "gltf", "-o", "given.glb")
        self.check_gltf(self.folder / "given.glb")

    def test_gltf_meshes_are_shared_and_keys_thinned(self):
        self.passes("export", self.run_folder, "--format", "gltf", "-o", "given.glb")
        gltf = Gltf(self.folder / "given.glb")
        positions = {p["attributes"]["POSITION"] for mesh in gltf.json["meshes"] for p in mesh["primitives"]}
        self.assertEqual(len(positions), 8)  # two spheres of the same radius
        self.assertIsNone(gltf.channel(gltf.node_index("block"), "translation"))  # rests
        self.assertEqual(len(gltf.channel(gltf.node_index("ball"), "translation")[0]), len(self.times))
        late = len(gltf.channel(gltf.node_index("late"), "translation")[0])
        self.assertLess(late, len(self.times) - 45)
        self.assertGreater(late, 50)

    def test_gltf_of_a_scene_without_bodies(self):
        self.write("empty.yaml", "format: slipstick-scene 1\nstepper: {step: 0.01, duration: 0.02}\n")
        self.passes("run", "empty.yaml", "-o", "out")
        for form in ("gltf", "vtp", "csv", "npz"):
            self.passes("export", "out", "--format", form)
        self.check_gltf(self.folder / "out/recording.glb")

    def test_a_recording_that_was_cut_short(self):
        self.interrupted("run", "wheel", "--time", "100000", "--set", "output.every=1", "-o", "out",
                         wait_for="out/recording.h5")
        self.assertIn("out/csv", self.passes("export", "out", "--format", "csv").stdout)
        # killed: the file itself says that it is not complete
        process = subprocess.Popen([BINARY, "run", "wheel", "--time", "1000", "-q", "-o", "killed"], cwd=self.folder)
        deadline = time.monotonic() + 60
        done = None
        while time.monotonic() < deadline:
            done = self.slipstick("export", "killed", "--format", "npz")
            if done.returncode == 0:
                break
            time.sleep(0.1)
        process.kill()
        process.wait()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cut short", done.stdout)
        with np.load(self.folder / "killed/recording.npz") as arrays:
            self.assertGreater(len(arrays["time"]), 1)
            self.assertEqual(len(arrays["pose"]), len(arrays["time"]))

    def test_what_is_refused(self):
        self.write("taken/file.txt", "mine")
        self.write("file.txt", "mine")
        for arguments, message in (
                (("export", self.run_folder, "--format", "obj"), "one of vtp, csv, npz, gltf"),
                (("export", "nowhere", "--format", "npz"), "no such file"),
                (("export", "taken", "--format", "npz"), "recording.h5"),
                (("export", "file.txt", "--format", "npz"), "recording"),
                (("export", self.run_folder, "--format", "vtp", "-o", "taken"), "empty"),
                (("export", self.run_folder, "--format", "vtp", "-o", "file.txt"), "folder"),
                (("export", self.run_folder, "--format", "npz", "-o", "taken"), "folder"),
                (("export", self.run_folder, "--format", "csv", "--every", "-1"), "--every"),
                (("export", self.run_folder), "--format")):
            with self.subTest(arguments):
                self.assertIn(message, self.refused(*arguments))

    def test_nothing_half_written_remains_where_the_room_ends(self):
        for form in ("vtp", "npz", "csv", "gltf"):
            done = subprocess.run([BINARY, "export", self.run_folder, "--format", form, "-o", "given"], cwd=self.folder,
                                  capture_output=True, text=True, preexec_fn=forbid_long_files, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("File too large", done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])


def forbid_long_files():
    """As on a full disk: writing beyond 2 KB of a file fails."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))


if __name__ == "__main__":
    unittest.main()
