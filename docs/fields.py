"""Pairs of fields at cell centres, for docs/method.md: python3 fields.py darcy|lognormal|helmholtz|layer|unseen CELLS COUNT FILE.npz

or functions on a circle or an interval, for docs/data.md: python3 fields.py circle|interval INTERVALS COUNT FILE.npz

Needs NumPy and SciPy. Equations are solved on twice as many cells along an axis; the file has means of inputs and solutions."""
import sys

import numpy as np
from scipy.fft import dct, idct, idctn
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


def pair(name, rng, n):
    x, g = (np.arange(n) + 0.5)/n, random_field(rng, n, 3, 2)
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


if __name__ == "__main__":
    name, cells, count, file = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
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
    if name not in ("darcy", "lognormal", "helmholtz", "layer"):
        sys.exit(__doc__)
    rng = np.random.default_rng(7)
    pairs = np.array([pair(name, rng, 2*cells) for _ in range(count)])
    pairs = pairs.reshape(count, 2, cells, 2, cells, 2).mean((3, 5))
    np.savez(file, a=pairs[:, 0], u=pairs[:, 1])
