"""Reads binary glTF 2.0 files: the JSON, accessors, and where a node is at a time of the animation."""

import json
import struct

import numpy as np

COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
TYPES = {5126: "<f4", 5125: "<u4"}


class Gltf:
    def __init__(self, path):
        content = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", content)
        if (magic, version, length) != (b"glTF", 2, len(content)):
            raise ValueError("not a binary glTF file, or cut short")
        size, kind = struct.unpack_from("<I4s", content, 12)
        if kind != b"JSON":
            raise ValueError("the first chunk is not JSON")
        self.json = json.loads(content[20:20 + size])
        self.buffer = content[20 + size + 8:]

    def accessor(self, index):
        entry = self.json["accessors"][index]
        view = self.json["bufferViews"][entry["bufferView"]]
        width = COMPONENTS[entry["type"]]
        start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        numbers = np.frombuffer(self.buffer, TYPES[entry["componentType"]], entry["count"] * width, start)
        return numbers.reshape(-1, width) if width > 1 else numbers

    def node_index(self, name):
        return next(i for i, node in enumerate(self.json["nodes"]) if node.get("name") == name)

    def channel(self, node, path):
        """(times, values, interpolation), or nothing where the node has no such channel."""
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                if channel["target"] == {"node": node, "path": path}:
                    sampler = animation["samplers"][channel["sampler"]]
                    return (self.accessor(sampler["input"]), self.accessor(sampler["output"]),
                            sampler.get("interpolation", "LINEAR"))
        return None

    def value(self, node, path, time):
        """What the path of the node has at a time: interpolated as the specification says, or constant."""
        found = self.channel(node, path)
        if found is None:
            default = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}[path]
            return np.array(self.json["nodes"][node].get(path, default), float)
        times, values, interpolation = found
        at = int(np.searchsorted(times, np.float32(time), side="right")) - 1
        if at < 0 or at == len(times) - 1 or interpolation == "STEP":
            return values[max(at, 0)].astype(float)
        share = (np.float32(time) - times[at]) / (times[at + 1] - times[at])
        mixed = (1 - share) * values[at].astype(float) + share * values[at + 1].astype(float)
        return mixed / np.linalg.norm(mixed) if path == "rotation" else mixed
