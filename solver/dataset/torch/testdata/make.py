"""Writes files as torch.save does, without torch: the same pickle instructions and the same archive. python3 make.py DIRECTORY"""
import collections
import io
import os
import pickle
import sys
import types
import zipfile

import numpy as np

torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
sys.modules.update({"torch": torch, "torch._utils": utils})


def _rebuild_tensor_v2():
    raise NotImplementedError


_rebuild_tensor_v2.__module__ = "torch._utils"
utils._rebuild_tensor_v2 = _rebuild_tensor_v2
storages = {"f4": "FloatStorage", "f8": "DoubleStorage", "f2": "HalfStorage", "i8": "LongStorage", "u1": "ByteStorage", "bool": "BoolStorage"}
for name in storages.values():
    setattr(torch, name, type(name, (), {"__module__": "torch"}))


class Storage:
    def __init__(self, numbers, kind):
        self.numbers, self.kind = numbers.astype(kind), kind


class Tensor:
    def __init__(self, storage, offset, shape, stride):
        self.parts = storage, offset, tuple(shape), tuple(stride), False, collections.OrderedDict()

    def __reduce__(self):
        return _rebuild_tensor_v2, self.parts


def tensor(a, kind):
    a = np.asarray(a)
    return Tensor(Storage(a.ravel(), kind), 0, a.shape, [s // a.itemsize for s in np.ascontiguousarray(a).strides])


def save(thing, name):
    out, kept = io.BytesIO(), []

    class Pickler(pickle.Pickler):
        def persistent_id(self, o):
            if not isinstance(o, Storage):
                return None
            if o not in kept:
                kept.append(o)
            return "storage", getattr(torch, storages[o.kind]), str(kept.index(o)), "cpu", o.numbers.size

    Pickler(out, protocol=2).dump(thing)
    base = os.path.splitext(name)[0]
    with zipfile.ZipFile(name, "w") as z:
        z.writestr(base + "/data.pkl", out.getvalue())
        z.writestr(base + "/byteorder", "little")
        for i, s in enumerate(kept):
            z.writestr(f"{base}/data/{i}", s.numbers.tobytes())
        z.writestr(base + "/version", "3\n")


class Evil:
    def __reduce__(self):
        return os.system, ("touch /tmp/torch_was_run",)


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    x = np.arange(12).reshape(3, 4)
    shared = Storage(x.ravel(), "f4")
    save({"x": tensor(x, "f4"), "half": tensor(x / 8, "f2"), "long": tensor(-x, "i8"), "n": 3, "text": "words", "none": None, "float": 1.5,
          "columns": Tensor(shared, 0, (4, 3), (1, 4)), "rest": Tensor(shared, 4, (2, 4), (4, 1)), "list": [tensor([1.5], "f8"), {"u": tensor([True, False], "bool")}]}, "dict.pt")
    save(tensor(x, "f4"), "single.pt")
    save(collections.OrderedDict(weight=tensor(x, "f4")), "state.pth")
    save({"x": Tensor(shared, 0, (3, 2), (4, 2))}, "gaps.pt")
    save({"x": tensor(x, "f4"), "y": Evil()}, "evil.pt")
