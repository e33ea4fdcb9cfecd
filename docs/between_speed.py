"""Compares the solver of equations between ends with a vectorised NumPy program of the same scheme on the preset fisher-front, one
core each, in alternating rounds:

    python3 docs/between_speed.py RFM [ROUNDS]

Legendre polynomials that satisfy the homogeneous conditions, as eigenfunctions of the linear part; a lift; ETDRK4-B (Krogstad
2005) for all pairs of a batch at once, as matrix products. Same inputs, same error in u(T): NumPy takes the fewest polynomials
and the fewest equal steps for that, on the fastest number of pairs at a time. Prints the error, the least processor ms a pair of
rfm, first with inputs, tables and files, then for the solution alone, of NumPy for the solution alone, its steps, and the ratio of
the last two times. Needs NumPy."""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from numpy.polynomial import legendre

rfm, rounds, pairs = os.path.abspath(sys.argv[1]), int((sys.argv + [3])[2]), 128
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

# The diffusion, the time, the derivative that is given at each end with its value, and the rest of the right-hand side.
nu, T, ends = 0.01, 1, ((0, 1), (0, 0))


def reaction(u):
    return 5*u*(1 - u)


def initial(a, x):
    return (1 - x)**4 + 0.5*x*(1 - x)*(1 + np.tanh(a))


def polynomials(s, n, order=0):
    """Orthonormal Legendre polynomials on [0, 1], or their slopes, at 2 x - 1 = s."""
    all = np.diag(np.sqrt(2*np.arange(n) + 1.0))
    return 2**order*np.array([legendre.legval(s, legendre.legder(row, order) if order else row) for row in all]).T


class Space:
    def __init__(self, n):
        s, w = legendre.leggauss(n)
        self.x = (s + 1)/2
        rows = np.array([polynomials(np.array([e]), n, order)[0] for e, (order, _) in zip((-1.0, 1.0), ends)])
        values = np.array([value for _, value in ends])
        lift = np.zeros(n)
        lift[:2] = np.linalg.solve(rows[:, :2], values)
        z = np.linalg.svd(rows)[2][2:].T
        slope = polynomials(s, n, 1)
        self.rates, q = np.linalg.eigh(-nu*(slope@z).T@(w[:, None]/2*(slope@z)))
        z = z@q
        self.at = polynomials(s, n)@z
        self.lift = polynomials(s, n)@lift
        self.project = (self.at*(w[:, None]/2)).T
        self.out = polynomials(np.linspace(-1, 1, K), n)
        self.out, self.outlift = self.out@z, self.out@lift

    def rest(self, v):
        return self.project@reaction(self.at@v + self.lift[:, None])

    def begin(self, a):
        waves, grid = np.pi*np.arange(1, K - 1), np.linspace(0, 1, K)[1:-1, None]
        a = np.sin(waves*self.x[:, None])@np.linalg.solve(np.sin(waves*grid), a.T[1:-1])  # inputs are sums of sines
        return self.project@(initial(a, self.x[:, None]) - self.lift[:, None])


def phis(z):
    """phi_1 to phi_3 by means over a circle (Kassam & Trefethen 2005)."""
    x = z[:, None] + np.exp(2j*np.pi*(np.arange(64) + 0.5)/64)
    return [np.mean(f, 1).real for f in ((np.exp(x) - 1)/x, (np.exp(x) - 1 - x)/x**2, (np.exp(x) - 1 - x - x**2/2)/x**3)]


def tables(space, steps):
    h, L = T/steps, space.rates
    p1, p2, p3 = phis(L*h)
    q1, q2, _ = phis(L*h/2)
    all = [np.exp(L*h/2), np.exp(L*h), h*q1/2, h*(q1/2 - q2), h*q2, h*(p1 - 2*p2), 2*h*p2, h*(p1 - 3*p2 + 4*p3), h*(2*p2 - 4*p3), h*(4*p3 - p2)]
    return space, steps, [t[:, None] for t in all]


def solve(a, tables, size=32):
    space, steps, (half, whole, aU, bU, bA, cU, cB, nU, nAB, nC) = tables
    out = []
    for i in range(0, len(a), size):
        v = space.begin(a[i:i + size])
        for _ in range(steps):
            n0, e, w = space.rest(v), half*v, whole*v
            na = space.rest(e + aU*n0)
            nb = space.rest(e + bU*n0 + bA*na)
            nc = space.rest(w + cU*n0 + cB*nb)
            na += nb
            v = w + nU*n0 + nAB*na + nC*nc
        out.append((space.out@v + space.outlift[:, None]).T)
    return np.concatenate(out)


def error(u, v):
    return np.sqrt(np.mean(np.sum((u - v)**2, 1)/np.sum(v**2, 1)))


def seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


np.seterr(all="ignore")  # too few steps blow up
os.chdir(tempfile.mkdtemp())
whole, own, numpy = [], [], []
for i in range(rounds):
    subprocess.run([rfm, "run", "fisher-front", "-n", str(pairs), "-m", "16", "--test", "32", "--set", "evaluation.baselines=no", "--set",
                    "train.method=kernel", "--workers=1", "--runs", ".", "--name", f"{i}", "-q"], check=True, stdout=subprocess.DEVNULL)
    timings = json.load(open(f"{i}/timings.json"))
    whole.append(timings["processor"]["generate"]/(pairs + 32))
    own.extend(r["seconds"] for r in timings["compared"] if r["name"] == "full solve")
    if i == 0:
        data = np.load("0/train.npy")
        a, u, K, steps = data[:, 0], data[:32, 1], data.shape[2], 64
        fine = Space(128)
        while True:  # until the error of rfm is known
            exact = solve(a[:32], tables(fine, 2*steps))
            goal = error(u, exact)
            if error(solve(a[:32], tables(fine, steps)), exact) < goal/5:
                break
            steps *= 2
        many = 2*steps
        for n in (24, 32, 48, 64, 96, 128):
            space = Space(n)
            if error(solve(a[:32], tables(space, many)), exact) <= goal:
                break
        steps = 8
        while not error(solve(a[:32], tables(space, steps)), exact) <= goal:
            steps += 1 + steps//20
        best = tables(space, steps)
        size = min((16, 32, 64, 128), key=lambda size: min(seconds(lambda: solve(a[:size], best, size))/size for _ in range(3)))
    numpy.extend(seconds(lambda: solve(a[:size], best, size))/size for _ in range(10))
print(f"{goal:.0e} | {min(whole)*1e3:.2f} | {min(own)*1e3:.2f} | {min(numpy)*1e3:.2f} | {steps} | {min(numpy)/min(own):.1f}")
