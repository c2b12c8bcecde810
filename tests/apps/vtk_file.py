"""Reads the part of VTK's XML files that ParaView series need: PolyData with appended, compressed, raw arrays."""

import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np

TYPES = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "Int8": "<i1", "UInt32": "<u4", "Int64": "<i8"}


def unpack_array(data, offset):
    """The bytes of one array: how many blocks, their size, that of the last one, and the compressed sizes come first."""
    count, size, last = struct.unpack_from("<3Q", data, offset)
    sizes = struct.unpack_from(f"<{count}Q", data, offset + 24)
    at, blocks = offset + 24 + 8 * count, []
    for packed in sizes:
        blocks.append(zlib.decompress(data[at:at + packed]))
        at += packed
    for i, block in enumerate(blocks):
        expected = last if i == count - 1 and last else size
        if len(block) != expected:
            raise ValueError(f"block {i} has {len(block)} bytes, its header says {expected}")
    return b"".join(blocks)


def read_poly_data(path):
    """{array's name: numbers, "Points": …, "Polys.connectivity": …} and the counts that the file states."""
    content = path.read_bytes()
    head, mark, rest = content.partition(b'<AppendedData encoding="raw">')
    if not mark:
        raise ValueError("no appended data")
    data = rest[re.match(rb"\s*_", rest).end():]
    tail = b"\n</AppendedData>\n</VTKFile>\n"
    if not data.endswith(tail):
        raise ValueError("the file does not end as it should")
    root = ElementTree.fromstring(head + b"</VTKFile>")
    for key, value in (("type", "PolyData"), ("byte_order", "LittleEndian"), ("header_type", "UInt64"),
                       ("compressor", "vtkZLibDataCompressor")):
        if root.get(key) != value:
            raise ValueError(f"{key} is {root.get(key)}")
    piece = root.find("PolyData/Piece")
    arrays = {}
    for place, prefix in (("PointData", ""), ("CellData", ""), ("Points", ""), ("Verts", "Verts."), ("Polys", "Polys.")):
        for element in piece.findall(f"{place}/DataArray"):
            arrays[prefix + element.get("Name")] = element
    for element in root.findall("PolyData/FieldData/DataArray"):
        arrays[element.get("Name")] = element
    numbers = {}
    for name, element in arrays.items():
        values = np.frombuffer(unpack_array(data, int(element.get("offset"))), TYPES[element.get("type")])
        components = int(element.get("NumberOfComponents"))
        numbers[name] = values.reshape(-1, components) if components > 1 else values
    counts = {key: int(piece.get(key)) for key in ("NumberOfPoints", "NumberOfVerts", "NumberOfPolys")}
    return numbers, counts


def read_series(path):
    """[(time, file)] of a .pvd file."""
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    if root.get("type") != "Collection":
        raise ValueError("no collection")
    return [(float(entry.get("timestep")), path.parent / entry.get("file")) for entry in root.iter("DataSet")]
