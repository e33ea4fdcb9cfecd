"""Writes small sets with the layouts of other programs and of published data, with NumPy, SciPy and h5py: python3 make.py DIRECTORY

Values are smooth functions of random coefficients and what a simple operator makes of them; they are no solutions of the
equations after which the files are called.
"""
import os
import sys

import h5py
import numpy as np
import scipy.io

n = 24
random = np.random.default_rng(0)


def points(count, kind):
    """Grid on the unit interval: "closed" with both ends, "open" without the right one, "cells" at centres."""
    if kind == "closed":
        return np.linspace(0, 1, count)
    return (np.arange(count) + (0.5 if kind == "cells" else 0)) / count


def functions(count, kind, times=(0, 1)):
    """Periodic functions of one variable, (n, time, x): a decaying travelling wave."""
    x, k = points(count, kind), np.arange(1, 5)
    c = (random.normal(size=(n, 4)) + 1j * random.normal(size=(n, 4))) / k**2
    return np.stack([np.real((c * np.exp(-0.1 * k * t)) @ np.exp(2j * np.pi * np.outer(k, x - 0.1 * t))) for t in times], 1)


def fields(count, kind="closed", times=(0, 1)):
    """Fields on the square, (n, time, x, y)."""
    x, k = points(count, kind), np.arange(3)
    c = random.normal(size=(n, 3, 3)) / (1 + k[:, None] ** 2 + k**2)
    waves = np.cos(np.pi * np.outer(k, x))
    return np.stack([np.einsum("nkl,kx,ly->nxy", c * np.exp(-0.3 * t * (k[:, None] + k)), waves, waves) for t in times], 1)


os.chdir(sys.argv[1])

# PDEBench: trajectories (n, t, x) at cell centres, coordinates beside them, times with one more.
with h5py.File("pdebench_burgers.h5", "w") as f:
    f["tensor"] = functions(32, "cells", range(5)).astype("f4")
    f["x-coordinate"], f["t-coordinate"] = points(32, "cells").astype("f4"), np.arange(6, dtype="f4")

# PDEBench's Darcy flow: nu (n, x, y), tensor (n, 1, x, y).
with h5py.File("pdebench_darcy.h5", "w") as f:
    a = fields(9)
    f["nu"], f["tensor"] = a[:, 0].astype("f4"), a[:, 1:].astype("f4")
    f["x-coordinate"] = f["y-coordinate"] = points(9, "closed").astype("f4")
    f.attrs["beta"] = 1.0

# The Well: groups of scalar and vector fields, (n, t, x, y) and (n, t, x, y, 2), dimensions, attributes.
with h5py.File("the_well.hdf5", "w") as f:
    f.attrs.update(dataset_name="stand-in", n_trajectories=n, n_spatial_dims=2, grid_type="cartesian")
    f.create_group("dimensions").attrs["spatial_dims"] = ["x", "y"]
    f["dimensions/time"], f["dimensions/x"], f["dimensions/y"] = np.arange(4.0), points(9, "closed"), points(9, "closed")
    u = fields(9, times=range(4)).astype("f4")
    p = f.create_dataset("t0_fields/pressure", data=u, compression="gzip", shuffle=True, chunks=(6, 2, 9, 9))
    p.attrs.update(dim_varying=np.array([True, True]), sample_varying=True, time_varying=True)
    f["t0_fields"].attrs["field_names"] = ["pressure"]
    f.create_dataset("t1_fields/velocity", data=np.stack([u**2, u], -1), compression="gzip")
    f.create_group("t2_fields")
    f["scalars/viscosity"] = 0.1

# The neural-operator benchmark: 1-D Burgers in MATLAB 5 without the right end, Darcy flow in MATLAB 7.3.
u = functions(64, "open").astype("f4")
scipy.io.savemat("burgers_data_R10.mat", {"a_smooth": u[:, 0], "a_smooth_x": u[:, 0], "a": u[:, 0], "a_x": u[:, 0], "u": u[:, 1]}, do_compression=True)
v = fields(11)
with h5py.File("piececonst_r421.mat", "w", userblock_size=512) as f:
    for name, a in dict(coeff=np.where(v[:, 0] > 0, 12, 3), sol=v[:, 1]).items():
        d = f.create_dataset(name, data=a.T, compression="gzip", shuffle=True, chunks=a.T.shape)
        d.attrs["MATLAB_class"] = np.bytes_("double")
with open("piececonst_r421.mat", "r+b") as f:
    f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  5 10:00:00 2026 HDF5 schema 1.00 .".ljust(116) + bytes(8) + b"\x00\x02IM")
# Its Navier-Stokes: a (n, x, y), u (n, x, y, t), t.
w = fields(9, times=range(4))
scipy.io.savemat("navier_stokes.mat", {"a": w[:, 0].astype("f4"), "u": np.moveaxis(w[:, 1:], 1, 3).astype("f4"), "t": np.arange(1.0, 4)}, do_compression=True)

# Aligned DeepONet data, channels of length one, training and test arrays in one file, half precision.
u = functions(33, "closed")
np.savez_compressed("deeponet.npz", branch=u[:, 0], trunk=points(33, "closed")[:, None], outputs=u[:, 1])
np.savez_compressed("channels.npz", x=u[:, None, 0], y=u[:, None, 1])
np.savez_compressed("channels_last.npz", inputs=u[:, 0, :, None], targets=u[:, 1, :, None])
np.savez_compressed("parts.npz", x_train=u[:16, 0], y_train=u[:16, 1], x_test=u[16:, 0], y_test=u[16:, 1])
np.savez_compressed("half.npz", a=u[:, 0].astype("f2"), u=u[:, 1].astype("f2"))
np.savez_compressed("scaled.npz", a=u[:, 0] * 2.0**-100, u=u[:, 1] * 2.0**100)
# Two files, samples last; inputs and outputs as a second axis; trajectories without names.
np.save("stacked.npy", u.astype("f4"))
np.save("stacked_last.npy", np.moveaxis(u, 0, 2).astype("f4"))
np.save("trajectories.npy", functions(33, "closed", range(5)).astype("f4"))

# PDEBench's reaction and diffusion: a group for each trajectory, data (t, x, y, field) and the grid.
u = fields(8, "cells", range(3)).astype("f4")
with h5py.File("pdebench_reaction.h5", "w") as f:
    for i in range(8):
        f[f"{i:04}/data"] = np.stack([u[i], u[i]**2], -1)
        f[f"{i:04}/grid/x"] = f[f"{i:04}/grid/y"] = points(8, "cells").astype("f4")
        f[f"{i:04}/grid/t"] = np.arange(3, dtype="f4")
