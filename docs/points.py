"""Sets of pairs at points of any geometry that stand in for public ones, and the errors of rfm on them:

    python3 docs/points.py make DIRECTORY          writes the files of each set, for three seeds
    python3 docs/points.py table RFM DIRECTORY     trains the program RFM on each of them, and prints a table of medians and ranges

Names of sets behind the arguments select some. Needs NumPy and SciPy. Files have the names and shapes of the public sets,
whose numbers are others."""
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import splu
from scipy.spatial import Delaunay
from scipy.special import sph_harm

TRAIN, TESTS = 1000, 200
COUNT = TRAIN + TESTS
SEEDS = (1, 2, 3)


def triangles(points, inside):
    """Delaunay triangles whose centres are inside."""
    cells = Delaunay(points).simplices
    return cells[inside(points[cells].mean(1))]


def stiffness(points, cells):
    """Matrices of each triangle for -div(grad u), and areas."""
    p = points[cells]
    edges = np.stack([p[:, 2] - p[:, 1], p[:, 0] - p[:, 2], p[:, 1] - p[:, 0]], 1)
    area = np.abs(edges[:, 0, 0]*edges[:, 1, 1] - edges[:, 0, 1]*edges[:, 1, 0])/2
    return np.einsum("cid,cjd->cij", edges, edges)/(4*area[:, None, None]), area


def notch(rng, directory):
    """-div(grad u) = 0 on a triangle with a notch; u on its boundary is a random function of x: f_bc -> u."""
    inside = lambda p: (p[:, 1] > 0) & (p[:, 1] < 2*p[:, 0]) & (p[:, 1] < 2*(1 - p[:, 0])) & ~((abs(p[:, 0] - 0.5) < 0.02) & (p[:, 1] < 0.4))
    h = 0.022
    x, y = np.meshgrid(np.arange(0, 1, h), np.arange(0, 1, h*np.sqrt(3)/2))
    x[1::2] += h/2
    p = np.stack([x.ravel(), y.ravel()], 1)
    p = p[inside(p)]
    cells = triangles(p, inside)
    local, _ = stiffness(p, cells)
    K = coo_matrix((local.ravel(), (np.repeat(cells, 3, 1).ravel(), np.tile(cells, (1, 3)).ravel()))).tocsc()
    sides = np.sort(np.concatenate([cells[:, [0, 1]], cells[:, [1, 2]], cells[:, [2, 0]]]), 1)
    sides, times = np.unique(sides, axis=0, return_counts=True)
    edge = np.unique(sides[times == 1])
    free = np.setdiff1d(np.arange(len(p)), edge)
    s, k = np.linspace(0, 1, 101), np.arange(1, 9)
    c = rng.standard_normal((COUNT, 8))/k**1.5
    f = lambda x: c @ np.sin(np.pi*np.outer(k, x))
    u = np.zeros((COUNT, len(p)))
    u[:, edge] = f(p[edge, 0])
    u[:, free] = splu(K[free][:, free]).solve(-K[free][:, edge] @ u[:, edge].T).T
    np.savez(f"{directory}/notch.npz", f_bc=f(s), u_field=u, coords=p, cells=cells)
    return ["notch.npz"]


def corner(rng, directory):
    """Darcy's flow, -div(a grad u) = 1 on an L, u = 0 on its boundary, a = exp(a smooth Gaussian field): a -> u at the nodes."""
    inside = lambda p: (p[:, 0] > -1) & (p[:, 0] < 1) & (p[:, 1] > -1) & (p[:, 1] < 1) & ~((p[:, 0] > 0) & (p[:, 1] > 0))
    steps = 16
    line = np.linspace(-1, 1, 2*steps + 1)
    p = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    p = p[~((p[:, 0] > 1e-9) & (p[:, 1] > 1e-9))]
    edge = (abs(p) > 1 - 1e-9).any(1) | (abs(p[:, 0]) < 1e-9) & (p[:, 1] > -1e-9) | (abs(p[:, 1]) < 1e-9) & (p[:, 0] > -1e-9)
    move = rng.uniform(-0.2, 0.2, p.shape)/steps # so that the nodes form no grid
    p = p + np.where(edge[:, None], 0, move)
    cells = triangles(p, inside)
    local, area = stiffness(p, cells)
    free = np.flatnonzero(~edge)
    rows, columns = np.repeat(cells, 3, 1).ravel(), np.tile(cells, (1, 3)).ravel()
    force = np.bincount(cells.ravel(), np.repeat(area/3, 3), len(p))
    k = np.stack(np.meshgrid(np.arange(6), np.arange(6)), -1).reshape(-1, 2)
    waves = np.cos(np.pi/2*(p[:, 0:1] + 1)*k[:, 0])*np.cos(np.pi/2*(p[:, 1:] + 1)*k[:, 1])
    scale = 1/(1 + (k**2).sum(1))
    scale[0] = 0 # a has about the same mean in all pairs
    a = np.exp(rng.standard_normal((COUNT, len(k)))*scale @ waves.T)
    u = np.zeros((COUNT, len(p)))
    for i in range(COUNT):
        K = coo_matrix(((local*a[i][cells].mean(1)[:, None, None]).ravel(), (rows, columns))).tocsc()
        u[i, free] = splu(K[free][:, free]).solve(force[free])
    np.savez(f"{directory}/corner.npz", a=a, u=u, coords=p, cells=cells)
    return ["corner.npz"]


def sphere(rng, directory):
    """Heat and a cubic reaction on the unit sphere, u_t = 0.02 Laplacian u + u - u^3, to time 1, at Fibonacci's points."""
    points, degree = 1200, 8
    z = 1 - (2*np.arange(points) + 1)/points
    angle = np.pi*(3 - np.sqrt(5))*np.arange(points)
    p = np.stack([np.sqrt(1 - z*z)*np.cos(angle), np.sqrt(1 - z*z)*np.sin(angle), z], 1)
    lm = [(l, m) for l in range(degree + 1) for m in range(-l, l + 1)]
    wave = lambda l, m: (sph_harm(abs(m), l, angle, np.arccos(z)).real if m >= 0 else sph_harm(-m, l, angle, np.arccos(z)).imag)
    Y = np.array([wave(l, m) for l, m in lm])
    l = np.array([l for l, _ in lm])
    u = a = 3*(rng.standard_normal((COUNT, len(lm)))/(1 + l)**2) @ Y
    steps, analysis = 50, np.linalg.pinv(Y)
    for _ in range(steps): # Lie splitting: heat in spherical harmonics, reaction in closed form
        u = (u @ analysis*np.exp(-0.02*l*(l + 1)/steps)) @ Y
        u = u*np.exp(1/steps)/np.sqrt(1 + u*u*(np.exp(2/steps) - 1))
    np.savez(f"{directory}/sphere.npz", a=a, u=u, xyz=p)
    return ["sphere.npz"]


def elasticity(rng, directory):
    """Linear elasticity of a sheet with a random hole that is pulled upwards, on a mesh that moves with the hole: the
    largest principal stress at its nodes. The public set has a hyperelastic sheet."""
    turns, rings = 42, 16
    angle = 2*np.pi*np.arange(turns)/turns
    outer = 0.5/np.maximum(abs(np.cos(angle)), abs(np.sin(angle)))
    k = np.arange(1, 6)
    XY, rr, sigma = [], [], []
    node = np.arange(turns*rings).reshape(rings, turns)
    quads = np.stack([node[:-1], np.roll(node[:-1], -1, 1), np.roll(node[1:], -1, 1), node[1:]], -1).reshape(-1, 4)
    cells = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    young, poisson = 1, 0.3
    D = young/(1 - poisson**2)*np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, (1 - poisson)/2]])
    top, bottom = node[-1][np.isclose(outer*np.sin(angle), 0.5)], node[-1][np.isclose(outer*np.sin(angle), -0.5)]
    for _ in range(COUNT):
        c = rng.standard_normal((2, 5))/k**1.5
        r = 0.2 + 0.2/(1 + np.exp(-(c[0] @ np.cos(np.outer(k, angle)) + c[1] @ np.sin(np.outer(k, angle)))))
        radius = r + np.linspace(0, 1, rings)[:, None]**1.3*(outer - r)
        p = np.stack([radius*np.cos(angle), radius*np.sin(angle)], -1).reshape(-1, 2)
        q = p[cells]
        b = np.stack([q[:, 1, 1] - q[:, 2, 1], q[:, 2, 1] - q[:, 0, 1], q[:, 0, 1] - q[:, 1, 1]], 1)
        d = np.stack([q[:, 2, 0] - q[:, 1, 0], q[:, 0, 0] - q[:, 2, 0], q[:, 1, 0] - q[:, 0, 0]], 1)
        twice = b[:, 0]*d[:, 1] - b[:, 1]*d[:, 0]
        B = np.zeros((len(cells), 3, 6))
        B[:, 0, 0::2], B[:, 1, 1::2], B[:, 2, 0::2], B[:, 2, 1::2] = b, d, d, b
        B /= twice[:, None, None]
        local = np.einsum("cki,kl,clj,c->cij", B, D, B, abs(twice)/2)
        of = np.stack([2*cells, 2*cells + 1], -1).reshape(-1, 6)
        K = coo_matrix((local.ravel(), (np.repeat(of, 6, 1).ravel(), np.tile(of, (1, 6)).ravel()))).tocsc()
        v = np.zeros(2*len(p))
        held = np.concatenate([2*bottom, 2*bottom + 1, 2*top + 1])
        v[2*top + 1] = 0.1
        free = np.setdiff1d(np.arange(len(v)), held)
        v[free] = splu(K[free][:, free]).solve(-(K[free][:, held] @ v[held]))
        stress = np.einsum("kl,clj,cj->ck", D, B, v[of])
        largest = (stress[:, 0] + stress[:, 1])/2 + np.hypot((stress[:, 0] - stress[:, 1])/2, stress[:, 2])
        total, weight = np.zeros(len(p)), np.zeros(len(p))
        for corner in range(3):
            np.add.at(total, cells[:, corner], abs(twice)*largest)
            np.add.at(weight, cells[:, corner], abs(twice))
        XY.append(p), rr.append(r), sigma.append(100*total/weight)
    names = [f"Random_UnitCell_{name}_10.npy" for name in ("XY", "rr", "sigma")]
    for name, values in zip(names, (XY, rr, sigma)):
        np.save(f"{directory}/{name}", np.moveaxis(np.array(values), 0, -1))
    return names


def aerofoil(rng, directory):
    """Speed of the potential flow around random aerofoils of Joukowski with a lift by Kutta's condition, on a mesh around
    each. The public set has the transonic flow of Euler's equations."""
    around, away = 101, 31
    t, s = 2*np.pi*np.arange(around)/(around - 1), np.exp(np.linspace(0, np.log(8), away))
    X, Y, Q = [], [], []
    for _ in range(COUNT):
        centre = -0.05 - 0.1*rng.random() + 0.2j*(rng.random() - 0.3)
        attack = np.deg2rad(6*rng.random())
        radius = abs(1 - centre)
        turn = np.exp(1j*(t + np.angle(1 - centre)))
        z = radius*np.outer(turn, s) # around the centre
        lift = 4*np.pi*radius*np.sin(attack - np.angle(1 - centre))
        W = np.exp(-1j*attack) - radius**2*np.exp(1j*attack)/z**2 + 1j*lift/(2*np.pi*z)
        zeta = z + centre
        slope = 1 - 1/zeta**2
        slope = np.where(abs(slope) < 0.05, 0.05, slope) # at the trailing edge
        place = zeta + 1/zeta
        X.append(place.real), Y.append(place.imag), Q.append(abs(W/slope))
    names = [f"NACA_Cylinder_{name}.npy" for name in "XYQ"]
    for name, values in zip(names, (X, Y, Q)):
        np.save(f"{directory}/{name}", np.array(values))
    return names


SETS = {"notch": notch, "corner": corner, "sphere": sphere, "elasticity": elasticity, "aerofoil": aerofoil}
FILES = {"notch": ["notch.npz"], "corner": ["corner.npz"], "sphere": ["sphere.npz"],
         "elasticity": [f"Random_UnitCell_{name}_10.npy" for name in ("XY", "sigma")],
         "elasticity by rr": [f"Random_UnitCell_{name}_10.npy" for name in ("XY", "rr", "sigma")],
         "aerofoil": [f"NACA_Cylinder_{name}.npy" for name in "XYQ"]}


def train(program, directory, files):
    """Trains on the files of one seed: the report, seconds, and GB of memory."""
    begin = time.time()
    process = subprocess.Popen([program, "run", *files, "--no-save", "--json", "--set", f"data.test={TESTS}", "--set",
                                f"data.train={TRAIN}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=directory)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{directory}: {program} run {' '.join(files)} failed")
    return json.loads(text), time.time() - begin, usage.ru_maxrss/2**20


def span(values, form="{:.4f}"):
    """The median of some values, and their range if they differ."""
    short = lambda v: form.format(v) if v > 1e-3 or form != "{:.4f}" else f"{v:.1e}"
    text = short(statistics.median(values))
    if short(min(values)) != short(max(values)):
        text += f" ({short(min(values))} to {short(max(values))})"
    return text


def table(program, directory, names):
    print("| set | points | error | left out | mean of the outputs | method | seconds | GB |\n|---|---|---|---|---|---|---|---|")
    for name, files in FILES.items():
        if name.split()[0] not in names:
            continue
        runs = [train(program, f"{directory}/{seed}", files) for seed in SEEDS]
        reports = [r for r, _, _ in runs]
        means = [next((c["error"] for c in r["compared"] if c["name"].startswith("mean")), float("nan")) for r in reports]
        print("|", " | ".join([
            name, str(reports[0]["grid"]), span([r["test"]["expected_relative"] for r in reports]),
            span([r.get("leave_one_out", 0) for r in reports]), span(means, "{:.3f}"),
            ", ".join(sorted({r["method"] for r in reports})), span([s for _, s, _ in runs], "{:.0f}"),
            f"{max(m for _, _, m in runs):.1f}"]), "|", flush=True)


if __name__ == "__main__":
    command, arguments = (sys.argv[1:] or [""])[0], sys.argv[2:]
    names = [name for name in arguments if name in SETS] or list(SETS)
    arguments = [name for name in arguments if name not in SETS]
    if command == "make" and len(arguments) == 1:
        for seed in SEEDS:
            os.makedirs(f"{arguments[0]}/{seed}", exist_ok=True)
            for name in names:
                print(seed, name, *SETS[name](np.random.default_rng([seed, *name.encode()]), f"{arguments[0]}/{seed}"))
    elif command == "table" and len(arguments) == 2:
        table(os.path.abspath(arguments[0]), arguments[1], names)
    else:
        sys.exit(__doc__)
