"""Pairs of fields at cell centres, for docs/results.md: python3 fields.py darcy|lognormal|helmholtz|layer|elasticity|unseen CELLS COUNT FILE.npz

or functions on a circle or an interval: python3 fields.py circle|interval INTERVALS COUNT FILE.npz

or files like those of public benchmarks, with fewer functions, for docs/compare.md:
python3 fields.py navier-stokes|advection|ape-burgers|ape-kdv|ape-ks TRAIN TEST FILE

or adds noise to the training pairs of an export: python3 fields.py noise inputs|outputs|both SHARE RUN-export/data.npz FILE

or prints GMean100 of a rollout from the last: python3 fields.py gmean PREDICTIONS.npy TEST.npz

Needs NumPy and SciPy, advection h5py. Equations are solved on twice as many cells along an axis; the file has means of inputs and solutions."""
import sys

import numpy as np
from scipy.fft import dct, idct, idctn, irfft2, rfft2
from scipy.io import savemat
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import spsolve


def random_field(rng, n, tau, alpha):
    """A Gaussian field with homogeneous Neumann boundaries, of deviation one over its points."""
    k = np.arange(n)
    size = tau**(alpha - 1)*((k[:, None]**2 + k**2)*np.pi**2 + tau**2)**(-alpha/2)
    size[0, 0] = 0
    g = idctn(rng.standard_normal((n, n))*size*2*n, 2, norm="ortho")
    return g/g.std()


def matrix(entries, n):
    rows, columns, values = (np.concatenate([np.ravel(part) for part in parts]) for parts in zip(*entries))
    return csr_matrix((values, (rows, columns)), shape=(n*n, n*n))


def diffusion(a):
    """-div(a grad u), u = 0 on the boundary: finite volumes, harmonic means of a at the faces."""
    n = len(a)
    cells, diagonal, entries = np.arange(n*n).reshape(n, n), np.zeros((n, n)), []
    for a, cell, d in ((a, cells, diagonal), (a.T, cells.T, diagonal.T)):
        flux = n*n*2*a[:-1]*a[1:]/(a[:-1] + a[1:])
        entries += [(cell[:-1], cell[1:], -flux), (cell[1:], cell[:-1], -flux)]
        d[:-1] += flux
        d[1:] += flux
        d[0] += 2*n*n*a[0]
        d[-1] += 2*n*n*a[-1]
    return matrix(entries + [(cells, cells, diagonal)], n)


def transport(n):
    """du/dx1 by central differences, u = 0 on the boundary."""
    cells, diagonal, half = np.arange(n*n).reshape(n, n), np.zeros((n, n)), np.full((n - 1, n), n/2)
    diagonal[0], diagonal[-1] = n/2, -n/2
    return matrix([(cells[:-1], cells[1:], half), (cells[1:], cells[:-1], -half), (cells, cells, diagonal)], n)


def displacements(modulus, ratio=0.3, force=(1, 0.5)):
    """Means over cells of (u, v) for plane stress: bilinear elements, one side held, a force along the opposite one."""
    n = len(modulus)
    law = np.array([[1, ratio, 0], [ratio, 1, 0], [0, 0, (1 - ratio)/2]])/(1 - ratio**2)
    stiffness, g = np.zeros((8, 8)), 3**-0.5
    for p, q in ((-g, -g), (-g, g), (g, -g), (g, g)):  # Gauss points
        dx, dy = np.array([[q - 1, 1 - q, 1 + q, -1 - q], [p - 1, -1 - p, 1 + p, 1 - p]])/2
        strain = np.zeros((3, 8))
        strain[0, ::2], strain[1, 1::2], strain[2, ::2], strain[2, 1::2] = dx, dy, dy, dx
        stiffness += strain.T @ law @ strain/4
    nodes, (i, j) = np.arange((n + 1)**2).reshape(n + 1, n + 1), np.indices((n, n)).reshape(2, -1)
    corners = np.stack([nodes[i, j], nodes[i, j + 1], nodes[i + 1, j + 1], nodes[i + 1, j]], 1)
    unknowns = np.stack([2*corners, 2*corners + 1], 2).reshape(-1, 8)
    rows, columns = np.repeat(unknowns, 8, 1).ravel(), np.tile(unknowns, (1, 8)).ravel()
    whole = csr_matrix(((modulus.reshape(-1, 1, 1)*stiffness).ravel(), (rows, columns)))
    load, u, free = np.zeros((n + 1, n + 1, 2)), np.zeros((n + 1, n + 1, 2)), 2*nodes[:, 1:, None] + np.arange(2)
    load[:, -1] = np.outer(np.where(np.arange(n + 1) % n, 1, 0.5)/n, force)
    u[:, 1:] = spsolve(whole[free.ravel()][:, free.ravel()], load[:, 1:].ravel()).reshape(n + 1, n, 2)
    return (u[:-1, :-1] + u[1:, :-1] + u[:-1, 1:] + u[1:, 1:])/4


def pair(name, rng, n):
    x, g = (np.arange(n) + 0.5)/n, random_field(rng, n, 3, 2)
    if name == "elasticity":
        modulus = np.exp(2*random_field(rng, n, 3, 2.5))
        return modulus, displacements(modulus)
    if name in ("darcy", "lognormal"):
        a = np.where(g > 0, 12.0, 3.0) if name == "darcy" else np.exp(g)
        return a, spsolve(diffusion(a), np.ones(n*n)).reshape(n, n)
    if name == "helmholtz":
        a = 1 + 0.3*np.tanh(random_field(rng, n, 3, 3))
        source = np.exp(-40*((x[:, None] - 0.5)**2 + (x - 0.3)**2))
        return a, spsolve((diffusion(np.ones((n, n))) - diags(144*a.ravel())).tocsr(), source.ravel()).reshape(n, n)
    a = 1 + 0.5*random_field(rng, n, 3, 2.5)
    linear, u = 0.03*diffusion(np.ones((n, n))) + transport(n), np.zeros(n*n)
    for _ in range(8):  # Newton's method
        u = u - spsolve((linear + diags(9*u**2)).tocsr(), linear @ u + 3*u**3 - a.ravel())
    return a, u.reshape(n, n)


def functions(name, intervals, count, fine=8):
    """u = tanh(2a) + a^2/2, both smoothed, a of one stationary law on a circle of length 1, or on half of one of length 2."""
    rng, length, n = np.random.default_rng(5), 2 - (name == "circle"), fine*intervals
    x, a = np.linspace(0, 1, n + 1), np.zeros((count, n + 1))
    for k in range(40*length):
        size = (0.5**0.5 if k == 0 else 1)/(1 + (2*np.pi*k/length/7)**2)**1.25/length**0.5
        a += size*(rng.normal(size=(count, 1))*np.cos(2*np.pi*k*x/length) + rng.normal(size=(count, 1))*np.sin(2*np.pi*k*x/length))

    def smooth(f):
        if name == "interval":
            return idct(dct(f, 1)*np.exp(-(np.pi*np.arange(n + 1)*0.05)**2/2), 1)
        f = np.fft.irfft(np.fft.rfft(f[:, :-1])*np.exp(-(2*np.pi*np.arange(n//2 + 1)*0.05)**2/2), n)
        return np.hstack([f, f[:, :1]])
    return a[:, ::fine], (smooth(np.tanh(2*a)) + smooth(a)**2/2)[:, ::fine]


def vorticity(count, n=64, frames=20, viscosity=1e-3, step=0.02):
    """u[i, y, x, t - 1], t = 1, ..., frames: Li et al., ICLR 2021, section 5.3. Crank-Nicolson for viscosity, RK4 otherwise."""
    rng, k = np.random.default_rng(13), np.fft.fftfreq(n, 1/n)
    kx, ky = np.meshgrid(np.fft.rfftfreq(n, 1/n), k)
    square = (2*np.pi)**2*(kx**2 + ky**2)
    inverse = np.where(square > 0, 1/np.maximum(square, 1), 0)
    x = np.arange(n)/n
    force = 0.1*(np.sin(2*np.pi*(x[:, None] + x)) + np.cos(2*np.pi*(x[:, None] + x)))
    keep = (np.abs(kx) < n/3)*(np.abs(ky) < n/3)
    multipliers = np.array([2j*np.pi*ky*inverse, -2j*np.pi*kx*inverse, 2j*np.pi*kx, 2j*np.pi*ky])*keep  # u, v, w_x, w_y
    half = np.exp(-viscosity*square*step/2)
    forced = rfft2(force)

    def change(w):
        u, v, wx, wy = irfft2(multipliers*w, s=(n, n))
        return forced - rfft2(u*wx + v*wy)
    size = 2**0.5*7**1.5*(square + 49)**-1.25*(square > 0)
    all = np.empty((count, n, n, frames), np.float32)
    for trajectory in all:
        w = size*rfft2(rng.standard_normal((n, n)))*n  # variance size^2 for each mode of a real field
        for t in range(frames):
            for _ in range(round(1/step)):
                a = change(w)
                b = change(half*(w + step/2*a))
                c = change(half*w + step/2*b)
                d = change(half*half*w + step*half*c)
                w = half*half*w + step/6*(half*half*a + 2*half*(b + c) + d)
            trajectory[:, :, t] = irfft2(w, s=(n, n))
    return all


def advected(count, speed=0.1, n=1024, time=2):
    """u(x - speed t) at t = 0 and t = 2 in cells of (0, 1): Takamoto et al., PDEBench, NeurIPS 2022, appendix D.1."""
    rng, x = np.random.default_rng(17), (np.arange(n) + 0.5)/n
    tensor = np.empty((count, 2, n), np.float32)
    for pair in tensor:
        waves, sizes, phases = rng.integers(1, 9, 2), rng.random(2), 2*np.pi*rng.random(2)
        absolute, sign, window = rng.random() < 0.1, rng.choice([-1, 1]), rng.random() < 0.1
        left, right = rng.uniform(0.1, 0.45), rng.uniform(0.55, 0.9)
        for out, at in zip(pair, (x, (x - speed*time) % 1)):
            u = np.sin(2*np.pi*waves*at[:, None] + phases) @ sizes
            u = sign*np.abs(u) if absolute else u
            out[:] = u*(np.tanh((at - left)/0.01) - np.tanh((at - right)/0.01))/2 if window else u
    return tensor


# Normalised coefficients of -(u^2)_x/2, u_xx, u_xxx, u_xxxx, and steps before the first state, from difficulties of
# Koehler et al., APEBench, NeurIPS 2024: 160 points, time step 1 on the unit torus.
emulated = {"ape-burgers": (1.5, 1.5, 0, 0, 0), "ape-kdv": (2, 0, -14, -9, 0), "ape-ks": (1, -2, 0, -18, 500)}


def trajectories(name, count, steps, seed, n=160, within=20):
    """States at times 0, ..., steps: ETDRK4 of Cox and Matthews, with contours of Kassam and Trefethen."""
    convection, diffusion, dispersion, hyper, before = emulated[name]
    rng, x = np.random.default_rng(seed), np.arange(n)/n
    waves = np.arange(1, 6)[:, None]
    u = np.array([np.sum(rng.uniform(-1, 1, (5, 1))*np.sin(2*np.pi*waves*x + rng.uniform(0, 2*np.pi, (5, 1))), 0)
                  for _ in range(count)])
    u /= np.abs(u).max(1, keepdims=True)
    k = 2j*np.pi*np.arange(n//2 + 1)
    linear = diffusion/(2*n**2)*k**2 + dispersion/(4*n**3)*k**3 + hyper/(8*n**4)*k**4
    nonlinear = -convection/n*k/2*(np.abs(k) < 2*np.pi*n/3)
    h = 1/within
    circle = h*linear[:, None] + np.exp(2j*np.pi*(np.arange(32) + 0.5)/32)
    grow, half = np.exp(h*linear), np.exp(h*linear/2)
    q = h*np.mean((np.exp(circle/2) - 1)/circle, 1)
    f = [h*np.mean(part/circle**3, 1) for part in (-4 - circle + np.exp(circle)*(4 - 3*circle + circle**2),
         2 + circle + np.exp(circle)*(circle - 2), -4 - 3*circle - circle**2 + np.exp(circle)*(4 - circle))]
    v = np.fft.rfft(u)

    def change(v):
        return nonlinear*np.fft.rfft(np.fft.irfft(v, n)**2)
    all = np.empty((count, steps + 1, n))
    for t in range(-before, steps + 1):
        if t >= 0:
            all[:, t] = np.fft.irfft(v, n)
        for _ in range(within):
            a = change(v)
            start = half*v + q*a
            b = change(start)
            c = change(half*v + q*b)
            d = change(half*start + q*(2*c - a))
            v = grow*v + f[0]*a + 2*f[1]*(b + c) + f[2]*d
    return all


def write_benchmark(name, train, test, file):
    """Writes a file with the arrays of the public one; the training functions come first, the test functions last."""
    if name == "navier-stokes":
        savemat(file, {"u": vorticity(train + test)})
    elif name == "advection":
        import h5py
        with h5py.File(file, "w") as f:
            f["tensor"] = advected(train + test)
    else:  # the second file has whole trajectories
        u, tests = trajectories(name, train, 50, 0), trajectories(name, test, 100, 773)
        np.savez(file, a=u[:, :-1].reshape(-1, 160), u=u[:, 1:].reshape(-1, 160))
        np.savez(file.replace(".npz", "_test.npz"), a=tests[:, 0], u=tests[:, 1:])


def gmean(predictions, tests):
    """The geometric mean over steps of the mean relative error, of a rollout by `rfm predict --steps 100`."""
    predicted, true = np.load(predictions).swapaxes(0, 1), np.load(tests)["u"]
    norm = np.linalg.norm
    print(np.exp(np.mean(np.log(np.mean(norm(predicted - true, axis=2)/norm(true, axis=2), 0)))))


def add_noise(where, share, data, file):
    """White noise on pairs of functions, its deviation a share of their root mean square; the right end repeats the left."""
    pairs, rng = dict(np.load(data)), np.random.default_rng(1)
    for name, spared in (("a_train", "outputs"), ("u_train", "inputs")):
        noise = rng.standard_normal(pairs[name].shape)
        noise[:, -1] = noise[:, 0]
        if where != spared:
            pairs[name] += float(share)*np.sqrt((pairs[name]**2).mean())*noise
    np.savez(file, **pairs)


if __name__ == "__main__":
    if sys.argv[1] == "noise":
        add_noise(*sys.argv[2:])
        sys.exit()
    if sys.argv[1] == "gmean":
        gmean(*sys.argv[2:])
        sys.exit()
    name, cells, count, file = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    if name in ("navier-stokes", "advection", *emulated):
        write_benchmark(name, cells, count, file)
        sys.exit()
    if name in ("circle", "interval"):
        a, u = functions(name, cells, count)
        np.savez(file, a=a, u=u)
        sys.exit()
    if name == "unseen":  # a of 0.7 or 12 on 48 x 48 cells for 16 x 16, every third of which are in the file
        rng, a, u = np.random.default_rng(11), [], []
        for _ in range(count):
            fine = np.where(random_field(rng, 3*cells, 3, 2) > 0, 12.0, 0.7)
            a.append(fine[1::3, 1::3])
            u.append(spsolve(diffusion(fine), np.ones(fine.size)).reshape(fine.shape)[1::3, 1::3])
        np.savez(file, a=np.array(a), u=np.array(u))
        sys.exit()
    if name not in ("darcy", "lognormal", "helmholtz", "layer", "elasticity"):
        sys.exit(__doc__)
    rng = np.random.default_rng(7)
    pairs = zip(*(pair(name, rng, 2*cells) for _ in range(count)))
    a, u = (np.reshape(part, (count, cells, 2, cells, 2, -1)).mean((2, 4)).squeeze() for part in pairs)
    np.savez(file, a=a, u=u)
