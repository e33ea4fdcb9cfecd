"""The same work as `rfm check --bench` in NumPy and SciPy, for comparison: python3 model/check/numpy.py

Needs NumPy, SciPy and a good BLAS. OPENBLAS_NUM_THREADS=1 gives one core; transforms use as many.
"""
import os, sys
sys.path.pop(0)  # this file's name hides the library's
import time
import numpy as np
import scipy.fft
import scipy.linalg

threads = int(os.environ.get("OPENBLAS_NUM_THREADS", os.cpu_count()))
rng = np.random.default_rng(1)


def least(call, budget=1.0):
    call()
    times, begin = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begin < budget:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def report(name, value, unit):
    print(f"  {name:38s} {value:9.4g} {unit}", flush=True)


def chi(k, delta=0.0025, beta=4.0):
    r = 2 * np.pi * k * delta
    return np.minimum(2 * r, (r + 0.5) ** -beta)


def elu(x):  # in place, which is three times as fast as np.where(x < 0, np.expm1(x), x)
    negative = np.minimum(x, 0)
    np.exp(negative, out=negative)
    negative -= 1
    np.maximum(x, 0, out=x)
    x += negative
    return x


def features(spectrum, a_hat, N):
    return elu(scipy.fft.irfft(spectrum * a_hat, n=N, workers=threads))


print(f"NumPy {np.__version__}, SciPy {scipy.__version__}, {threads} threads")
print("kernels")
m = 1024
P = rng.standard_normal((m, 1024))
report("rank-k update, order 1024", m * (m + 1) * 1024 / least(lambda: scipy.linalg.blas.dsyrk(1.0, P.T, trans=1)) / 1e9, "GF/s")
for N in (128, 1024):
    z = scipy.fft.rfft(rng.standard_normal((64, N)))
    report(f"inverse real FFT, N={N}", least(lambda: scipy.fft.irfft(z, n=N, workers=1)) / 64 * 1e6, "us")
x = rng.standard_normal((64, 1024))
report("activation elu", least(lambda: elu(x)) / x.size * 1e9, "ns")
G = P @ P.T + np.eye(m)
b = rng.standard_normal(m)


def truncated():
    w, V = scipy.linalg.eigh(G)
    keep = w > 2.2e-10 * w[-1]
    return V[:, keep] @ ((V[:, keep].T @ b) / w[keep])


report("lambda = 0 solve, m=1024", least(truncated) * 1e3, "ms")
report("lambda > 0 solve, m=1024", least(lambda: scipy.linalg.solve(G, b, assume_a="pos")) * 1e3, "ms")

print("stages")
for K in (129, 1025):
    N, n, mp = K - 1, 16, 256
    spectrum = chi(np.arange(N // 2 + 1)) * 1024 * scipy.fft.rfft(rng.standard_normal((mp, N))) / N
    a_hat = scipy.fft.rfft(rng.standard_normal((n, N)))
    alpha = rng.standard_normal(mp)
    report(f"prediction, one feature, K={K}", least(lambda: [alpha @ features(spectrum, a, N) for a in a_hat]) / n / mp * 1e6, "us")
N, n = 1024, 8
spectrum = chi(np.arange(N // 2 + 1)) * 1024 * scipy.fft.rfft(rng.standard_normal((m, N))) / N
a_hat = scipy.fft.rfft(rng.standard_normal((n, N)))


def train():
    S = np.zeros((m, m), order="F")
    for a in a_hat:
        S = scipy.linalg.blas.dsyrk(1.0, features(spectrum, a, N).T, beta=1.0, c=S, trans=1, overwrite_c=1)
    return S


report("training, m=1024, K=1025", n * N * m * (m + 1) / least(train) / 1e9, "GF/s")
