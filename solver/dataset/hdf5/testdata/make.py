"""Writes the HDF5 files that the tests read, with h5py: python3 make.py DIRECTORY

Element i of every array, in C order, is i % 100, or i % 100 / 8 for floats, i % 2 for bool.
"""
import os
import sys

import h5py
import numpy as np


def fill(shape, kind="f8"):
    i = np.arange(int(np.prod(shape))).reshape(shape)
    if "f" in kind:
        return (i % 100 / 8).astype(kind)
    return (i % 2 if kind == "bool" else i % 100).astype(kind)


def bf16():
    t = h5py.h5t.IEEE_F32LE.copy()
    t.set_fields(15, 7, 8, 0, 7)
    t.set_size(2)
    t.set_ebias(127)
    return t


def write(name, **options):
    with h5py.File(name, "w", **options) as f:
        types = f.create_group("types")
        for kind in "<f2 >f2 <f4 >f4 <f8 >f8 |i1 |u1 <i2 >i2 <u4 >u8 <i8 bool".split():
            types[kind.replace("<", "le ").replace(">", "be ").replace("|", "")] = fill((2, 3), kind)
        types["scalar"] = 0.0
        types["empty"] = np.zeros((0, 4))
        types["null"] = h5py.Empty("f4")
        types["text"] = "words"
        types["c16"] = fill((2, 3)) + 1j * fill((2, 3))
        types["record"] = np.array([(1, 2.5, b"x"), (3, 4.5, b"y")], dtype=[("n", ">i2"), ("v", "<f4"), ("s", "S3")])
        space = h5py.h5s.create_simple((4,))
        d = h5py.h5d.create(types.id, b"bf16", bf16(), space)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([0, 0.125, 0.25, 0.375]))
        types["le f4"].attrs.update(units="m/s", steps=[1, 2, 3], varying=np.array([True, False]))
        chunked = f.create_group("chunked")

        def put(name, shape, chunks, **more):
            chunked.create_dataset(name, data=fill(shape, more.pop("kind", "f4")), chunks=chunks, **more)

        put("plain", (5, 7), (2, 3))
        put("gzip", (5, 7), (2, 3), compression="gzip")
        put("gzip shuffle", (5, 7), (2, 3), compression="gzip", shuffle=True)
        put("fletcher32", (3, 3), (1, 3), fletcher32=True, kind="u1")
        put("single", (5, 7), (5, 7))
        put("single gzip", (5, 7), (5, 7), compression="gzip", shuffle=True)
        put("growing", (30, 4), (1, 2), maxshape=(None, 4), compression="gzip")
        put("growing last", (3, 40), (2, 2), maxshape=(3, None))
        put("growing both", (9, 7), (2, 2), maxshape=(None, None))
        put("growing both gzip", (9, 7), (2, 2), maxshape=(None, None), compression="gzip")
        put("bounded", (5, 6), (2, 3), maxshape=(11, 9), kind=">f8")
        chunked.create_dataset("record", data=np.array([[(1, 0.5), (3, 1.5), (5, 2.5)]], dtype=[("n", "<i4"), ("v", ">f8")]), chunks=(1, 2))
        chunked.create_dataset("lzf", data=fill((8, 8)), chunks=(4, 4), compression="lzf")
        chunked.create_dataset("unwritten", shape=(8, 8), chunks=(4, 4), dtype="f4")
        f.create_dataset("unwritten", shape=(8, 8), dtype="f4")
        deep = f.create_group("deep/er/est")
        deep["a"] = fill((2, 2))
        deep["up"] = f["deep"]  # a cycle
        f["alias"] = deep["a"]
        f["soft"] = h5py.SoftLink("/deep/er/est/a")
        if options["libver"] == "latest":  # makes the root one of links, not of symbols
            f["outside"] = h5py.ExternalLink("other.h5", "/a")
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        d = h5py.h5d.create(f.id, b"compact", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((2, 3)), compact)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, fill((2, 3)))


def many(name, **options):
    """More links and attributes than an object header takes."""
    with h5py.File(name, "w", **options) as f:
        for i in range(40):
            f[f"array {i}"] = fill((2,))
        for i in range(12):
            f["array 0"].attrs[f"attribute {i}"] = i


def matlab(name):
    """As save -v7.3 writes: axes in the opposite order, 512 bytes of MATLAB's own before."""
    with h5py.File(name, "w", userblock_size=512) as f:
        a = f.create_dataset("a", data=fill((4, 3)), chunks=(4, 3), compression="gzip")  # 3 x 4 in MATLAB
        a.attrs["MATLAB_class"] = np.bytes_("double")
        b = f.create_dataset("flags", data=fill((3, 1), "u1"))
        b.attrs["MATLAB_class"] = np.bytes_("logical")
        c = f.create_dataset("title", data=np.array([[72], [105]], dtype="u2"))
        c.attrs["MATLAB_class"] = np.bytes_("char")
        e = f.create_dataset("nothing", data=np.array([0, 4], dtype="u8"))
        e.attrs["MATLAB_class"] = np.bytes_("double")
        e.attrs["MATLAB_empty"] = np.uint8(1)
        z = f.create_dataset("z", data=np.zeros((4, 3), dtype=[("real", "<f8"), ("imag", "<f8")]))
        z.attrs["MATLAB_class"] = np.bytes_("double")
        f.create_group("#refs#")["b"] = 1.0
        f.create_group("s")["field"] = fill((2, 2))
    head = b"MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  5 10:00:00 2026 HDF5 schema 1.00 ."
    with open(name, "r+b") as f:
        f.write(head.ljust(116) + bytes(8) + b"\x00\x02IM")


def large(name, **options):
    """Indices of several levels and pages."""
    with h5py.File(name, "w", **options) as f:
        f.create_dataset("fixed", data=fill((1500, 3), "u1"), chunks=(1, 2))
        f.create_dataset("fixed gzip", data=fill((1500, 3), "u1"), chunks=(1, 3), compression="gzip")
        for i in range(3000):
            f.require_group("groups")[f"array {i}"] = i


def unusual(name):
    """An array that is read, among objects that are not: they must not hide it."""
    with h5py.File(name, "w", libver="latest") as f:
        a = f.create_dataset("ok", data=fill((2, 3)))
        for i in range(10):
            a.attrs[f"attribute {i}"] = i
        a.attrs["history"] = np.zeros(8300)  # more than 64 KiB
        f.create_dataset("large type", shape=(1,), dtype="S2000000")
        f.create_dataset("long/" + "n" * 1025, data=fill((4,)))
        f.create_dataset("compound", data=np.zeros(2, dtype=[("n", "i4"), ("v", "f8")]))


def links(name):
    """Links of both kinds of groups: to arrays, through each other, to groups, to nothing, to themselves."""
    with h5py.File(name, "w", libver="earliest") as f:
        for group in "symbols", "messages":
            g = f.create_group(group)
            g["under/a"] = fill((2, 3))
            if group == "messages":
                g["outside"] = h5py.ExternalLink("other.h5", "/a")  # makes it a group of link messages
            for link, path in {"absolute": f"/{group}/under/a", "relative": "under/./a", "second": "absolute",
                               "through": "back/under/a", "back": f"/{group}/", "gone": "/nowhere", "beyond": "gone/a",
                               "self": "self", "ping": "pong", "pong": f"/{group}/ping", "inside": "under/a/b",
                               "group": "under", "far": "outside"}.items():
                g[link] = h5py.SoftLink(path)


os.chdir(sys.argv[1])
write("earliest.h5", libver="earliest")
write("latest.h5", libver="latest")
many("many.h5", libver="latest")
matlab("matlab.mat")
unusual("unusual.h5")
links("links.h5")
if len(sys.argv) > 2:
    large("large_earliest.h5", libver="earliest")
    large("large_latest.h5", libver="latest")
