"""Compares the solver of equations between ends with a vectorised NumPy program of the same scheme, one core each, in alternating
rounds:

    python3 docs/between_speed.py RFM [ROUNDS [CASE ...]]

Cases are fisher (the preset fisher-front), burgers (burgers-held with u_x = 0 at the left end and u = -1/2 at the right one) and robin
(allen-cahn-noflux with eps = 0.01, u_x = 2 u at the left end and u_x = -u at the right one), all by default.

Legendre polynomials that satisfy the homogeneous conditions, as eigenfunctions of the linear part; a lift; ETDRK4-B (Krogstad
2005) for all pairs of a batch at once, as matrix products. Same inputs, same error in u(T): NumPy takes the fewest polynomials
and the fewest equal steps for that, on the fastest number of pairs at a time. Prints the case, the error, the least processor ms a
pair of rfm, first with inputs, tables and files, then for the solution alone, of NumPy for the solution alone, its polynomials and
steps, and the ratio of the last two times. Needs NumPy."""
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


class Case:
    """An equation u_t = nu u_xx + f(u), or + f(u)_x if slope. Conditions are c0 u + c1 u_x = value at both ends; inputs are sums of
    waves, whose values on a part of the grid determine them."""
    def __init__(self, preset, settings, nu, T, f, ends, waves, initial=lambda a, x: a, slope=False):
        self.arguments = [preset] + [part for s in settings for part in ("--set", s)]
        self.nu, self.T, self.f, self.ends, self.waves, self.initial, self.slope = nu, T, f, ends, waves, initial, slope


def sines(k, x):
    return np.sin(np.pi*(k + 1)*x)


def mixed(k, x):
    return np.cos(np.pi*(k + 0.5)*x)


def losing(k, x):
    """Waves with u_x = 2 u at 0 and u_x = -u at 1."""
    low, high = np.pi*k, np.pi*(k + 1)
    for _ in range(60):
        middle = (low + high)/2
        below = middle + np.arctan2(middle, 2) + np.arctan2(middle, 1) < np.pi*(k + 1)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.sin(low*x + np.arctan2(low, 2))


cases = {
    "fisher": Case("fisher-front", [], 0.01, 1, lambda u: 5*u*(1 - u), ((1, 0, 1), (1, 0, 0)), (sines, slice(1, -1)),
                   lambda a, x: (1 - x)**4 + 0.5*x*(1 - x)*(1 + np.tanh(a))),
    "burgers": Case("burgers-held", ["equation.left=u_x = 0", "equation.right=u = -0.5"], 0.02, 0.5, lambda u: -u*u/2,
                    ((0, 1, 0), (1, 0, -0.5)), (mixed, slice(0, -1)), lambda a, x: a - 0.5, slope=True),
    "robin": Case("allen-cahn-noflux", ["eps=0.01", "equation.left=u_x = 2*u", "equation.right=u_x = -u"], 0.01, 1,
                  lambda u: 5*(u - u*u*u), ((-2, 1, 0), (1, 1, 0)), (losing, slice(0, None))),
}


def polynomials(s, n, order=0):
    """Orthonormal Legendre polynomials on [0, 1], or their slopes, at 2 x - 1 = s."""
    all = np.diag(np.sqrt(2*np.arange(n) + 1.0))
    return 2**order*np.array([legendre.legval(s, legendre.legder(row, order) if order else row) for row in all]).T


class Space:
    def __init__(self, case, n):
        s, w = legendre.leggauss(n)
        self.case, self.x = case, (s + 1)/2
        ends = [[polynomials(np.array([e]), n, order)[0] for order in (0, 1)] for e in (-1.0, 1.0)]
        rows = np.array([c0*u + c1*slope for (u, slope), (c0, c1, _) in zip(ends, case.ends)])
        lift, rank = np.zeros(n), 2
        while np.linalg.matrix_rank(rows[:, :rank]) < 2:
            rank += 1
        lift[:rank] = np.linalg.lstsq(rows[:, :rank], np.array([value for _, _, value in case.ends]), rcond=None)[0]
        z = np.linalg.svd(rows)[2][2:].T
        at, slope = polynomials(s, n), polynomials(s, n, 1)
        (u0, slope0), (u1, slope1) = [[row@z for row in end] for end in ends]
        second = np.outer(u1, slope1) - np.outer(u0, slope0) - (slope@z).T@(w[:, None]/2*(slope@z))  # by parts
        self.rates, q = np.linalg.eigh(case.nu*(second + second.T)/2)
        z = z@q
        coefficients = (at*(w[:, None]/2)).T
        self.at, self.lift = at@z, at@lift
        self.project = self.start = z.T@coefficients
        if case.slope:
            self.project = z.T@(coefficients@slope)@coefficients
        self.out = polynomials(np.linspace(-1, 1, K), n)
        self.out, self.outlift = self.out@z, self.out@lift

    def rest(self, v):
        return self.project@self.case.f(self.at@v + self.lift[:, None])

    def begin(self, a):
        wave, inside = self.case.waves
        grid = np.linspace(0, 1, K)[inside]
        k = np.arange(min(len(grid), K - 2))
        a = wave(k, self.x[:, None])@np.linalg.lstsq(wave(k, grid[:, None]), a.T[inside], rcond=None)[0]
        return self.start@(self.case.initial(a, self.x[:, None]) - self.lift[:, None])


def phis(z):
    """phi_1 to phi_3 by means over a circle (Kassam & Trefethen 2005)."""
    x = z[:, None] + np.exp(2j*np.pi*(np.arange(64) + 0.5)/64)
    return [np.mean(f, 1).real for f in ((np.exp(x) - 1)/x, (np.exp(x) - 1 - x)/x**2, (np.exp(x) - 1 - x - x**2/2)/x**3)]


def tables(space, steps):
    h, L = space.case.T/steps, space.rates
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


def compare(name, case):
    global K
    whole, own, numpy = [], [], []
    for i in range(rounds):
        run = f"{name}{i}"
        subprocess.run([rfm, "run", *case.arguments, "-n", str(pairs), "-m", "16", "--test", "32", "--set", "evaluation.baselines=no", "--set",
                        "train.method=kernel", "--workers=1", "--runs", ".", "--name", run, "-q"], check=True, stdout=subprocess.DEVNULL)
        timings = json.load(open(f"{run}/timings.json"))
        whole.append(timings["processor"]["generate"]/(pairs + 32))
        own.extend(r["seconds"] for r in timings["compared"] if r["name"] == "full solve")
        if i == 0:
            data = np.load(f"{run}/train.npy")
            a, u, K, steps = data[:, 0], data[:32, 1], data.shape[2], 64
            fine = Space(case, 256)
            while True:  # until the error of rfm is known
                exact = solve(a[:32], tables(fine, 2*steps))
                goal = error(u, exact)
                if error(solve(a[:32], tables(fine, steps)), exact) < goal/5:
                    break
                steps *= 2
            many = 2*steps
            for n in (24, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 160, 192):
                space = Space(case, n)
                if error(solve(a[:32], tables(space, many)), exact) <= goal:
                    break
            steps = 8
            while not error(solve(a[:32], tables(space, steps)), exact) <= goal:
                steps += 1 + steps//20
            best = tables(space, steps)
            size = min((16, 32, 64, 128), key=lambda size: min(seconds(lambda: solve(a[:size], best, size))/size for _ in range(3)))
        numpy.extend(seconds(lambda: solve(a[:size], best, size))/size for _ in range(10))
    times = [min(list)*1e3 for list in (whole, own, numpy)]
    print(f"| {name} | {goal:.0e} | " + " | ".join(f"{t:.2f}" for t in times) + f" | {n} | {steps} | {times[2]/times[1]:.1f} |")


np.seterr(all="ignore")  # too few steps blow up
os.chdir(tempfile.mkdtemp())
for name in sys.argv[3:] or cases:
    compare(name, cases[name])
