"""Compares the solver of equations with a vectorised ETDRK4-B in NumPy, one core each, in alternating rounds:

    python3 docs/etdrk4_speed.py RFM PRESET [ROUNDS]

Same grid, same inputs, same error in u(T): NumPy takes the fewest equal steps for that, on the fastest number of pairs at a
time. Prints the error, the least processor ms a pair of rfm, first with inputs, tables and files, then for the solution alone, of
NumPy for the solution alone, its steps, and the ratio of the last two times. Needs NumPy and SciPy."""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.fft

rfm, preset, rounds, pairs = os.path.abspath(sys.argv[1]), sys.argv[2], int((sys.argv + [3])[3]), 256
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

# Length, time, symbol L(k) and rest N(u, k) in Fourier space, with the parameters of the presets.
convection = lambda u, k: -0.5j*k*scipy.fft.rfft(u*u)
length, T, symbol, rest = {
    "burgers": (1, 1, lambda k: -0.01*k**2, convection),
    "ks": (22, 5, lambda k: k**2 - k**4, convection),
    "kdv": (20, 0.7, lambda k: 1j*k**3, lambda u, k: 6*convection(u, k)),
    "kdv-burgers": (1, 1, lambda k: -0.01*k**2 + 0.0005j*k**3, convection),
    "allen-cahn": (1, 0.5, lambda k: 5 - 0.002*k**2, lambda u, k: scipy.fft.rfft(-5*u*u*u)),
    "swift-hohenberg": (20, 5, lambda k: 0.7 - 1 + 2*k**2 - k**4, lambda u, k: scipy.fft.rfft(-u*u*u)),
    "cahn-hilliard": (1, 0.002, lambda k: k**2 - 4e-4*k**4, lambda u, k: -k**2*scipy.fft.rfft(u*u*u)),
}[preset]
N = 1024 if preset == "burgers" else 256
k = 2*np.pi/length*np.arange(N//2 + 1)
L = symbol(k).astype(complex)
L[-1] = L[-1].real
if preset in ("burgers", "ks", "kdv", "kdv-burgers"):
    k[-1] = 0  # the Nyquist mode has no odd derivative


def phis(z):
    """phi_1 to phi_3 by means over a circle (Kassam & Trefethen 2005)."""
    x = z[:, None] + np.exp(2j*np.pi*(np.arange(64) + 0.5)/64)
    return [np.mean(f, 1) for f in ((np.exp(x) - 1)/x, (np.exp(x) - 1 - x)/x**2, (np.exp(x) - 1 - x - x**2/2)/x**3)]


def tables(steps):
    h = T/steps
    p1, p2, p3 = phis(L*h)
    q1, q2, _ = phis(L*h/2)
    all = [np.exp(L*h/2), np.exp(L*h), h*q1/2, h*(q1/2 - q2), h*q2, h*(p1 - 2*p2), 2*h*p2, h*(p1 - 3*p2 + 4*p3),
           h*(2*p2 - 4*p3), h*(4*p3 - p2)]
    return steps, all if preset.startswith("kdv") else [t.real.copy() for t in all]


def solve(a, tables, size=32):
    """ETDRK4-B of Krogstad (2005) for size functions at a time."""
    steps, (half, whole, aU, bU, bA, cU, cB, nU, nAB, nC) = tables
    n = lambda v: rest(scipy.fft.irfft(v, N), k)
    out = []
    for i in range(0, len(a), size):
        v = scipy.fft.rfft(a[i:i + size])
        for _ in range(steps):
            n0, e, w = n(v), half*v, whole*v
            na = n(e + aU*n0)
            nb = n(e + bU*n0 + bA*na)
            nc = n(w + cU*n0 + cB*nb)
            na += nb
            v = w + nU*n0 + nAB*na + nC*nc
        out.append(scipy.fft.irfft(v, N))
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
    subprocess.run([rfm, "run", preset, "-n", str(pairs), "-m", "16", "--test", "64", "--set", f"train.grid={N + 1}", "--set",
                    "evaluation.baselines=no", "--workers=1", "--runs", ".", "--name", f"{i}", "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    timings = json.load(open(f"{i}/timings.json"))
    whole.append(timings["processor"]["generate"]/(pairs + 64))
    own.extend(r["seconds"] for r in timings["compared"] if r["name"] == "full solve")
    if i == 0:
        data = np.load("0/train.npy")
        a, u, steps = data[:, 0, :-1], data[:32, 1, :-1], 64
        while True:  # until the error of rfm is known
            exact = solve(a[:32], tables(2*steps))
            goal = error(u, exact)
            if error(solve(a[:32], tables(steps)), exact) < goal/5:
                break
            steps *= 2
        steps = 8
        while not error(solve(a[:32], tables(steps)), exact) <= goal:
            steps += 1 + steps//20
        best = tables(steps)
        size = min((16, 32, 64, 256), key=lambda size: min(seconds(lambda: solve(a, best, size)) for _ in range(3)))
    numpy.extend(seconds(lambda: solve(a[:size], best, size))/size for _ in range(10))
print(f"{goal:.0e} | {min(whole)*1e3:.2f} | {min(own)*1e3:.2f} | {min(numpy)*1e3:.2f} | {steps} | {min(numpy)/min(own):.1f}")
