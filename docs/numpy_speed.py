"""Compares rfm with the best NumPy that we can write, one core each, in alternating rounds:

    python3 docs/numpy_speed.py RFM [ROUNDS]

Prints minima and medians of processor seconds of the same work with the same errors: whole commands of rfm, from reading to
writing, and functions in this process that read and write the same files. Needs NumPy, SciPy and a good BLAS."""
import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
# Some environments choose the kernels of an older processor, which take twice as long: NumPy shall choose its own.
for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(variable, None)

import json
import resource
import statistics
import subprocess
import tempfile
import time

import numpy as np
import scipy.fft
import scipy.linalg
from scipy.fft._pocketfft.pypocketfft import c2r  # scipy.fft.irfft without its checks, with an output
from scipy.linalg.blas import dsyrk



def blas():
    """The library and the kernels that NumPy's products run, as far as they can be found."""
    try:
        import threadpoolctl

        found = [lib for lib in threadpoolctl.threadpool_info() if lib.get("user_api") == "blas"]
        return ", ".join(f"{lib['internal_api']} {lib['version']}, kernels {lib.get('architecture')}" for lib in found)
    except ImportError:
        return "BLAS unknown: threadpoolctl is not installed"


rfm, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
block = 512  # features at a time: fewer cost more calls, more do not stay in the cache


def command(*arguments):
    """Processor seconds of a command, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([rfm, *arguments, "--workers=1", "--json"], check=True, stdout=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(done.stdout)


def elu(x, negative):
    """In place; np.where(x < 0, np.expm1(x), x) takes three times as long."""
    np.minimum(x, 0, out=negative)
    np.exp(negative, out=negative)
    negative -= 1
    np.maximum(x, 0, out=x)
    x += negative
    return x


def read(run):
    """Coefficients and spectra of the features of a model of `rfm run burgers`."""
    with np.load(f"{run}/model.npz") as file:
        p, alpha, theta = json.loads(file["meta.json"])["operator"]["map"], file["alpha"], file["theta"]
    return p, alpha, theta[:len(alpha)]


def spectra(p, theta):
    N = theta.shape[1] - 1
    r = 2*np.pi*np.arange(N//2 + 1)*p["delta"]
    chi = np.maximum(0, np.minimum(2*r, (r + 0.5)**-p["beta"]))
    return p["gain"]/N*chi*scipy.fft.rfft(theta[:, :N])


def features(spectrum, a, work, phi, negative):
    np.multiply(spectrum, a, out=work)
    return elu(c2r(work, (1,), phi.shape[1], False, 2, phi, 1), negative)


def panels(N):
    return np.empty((block, N//2 + 1), complex), np.empty((block, N)), np.empty((block, N))


def predict(run, inputs, outputs):
    p, alpha, theta = read(run)
    a = np.load(inputs)
    N, spectrum, m = a.shape[1] - 1, spectra(p, theta), len(alpha)
    transformed, u = scipy.fft.rfft(a[:, :N]), np.zeros_like(a)
    work, phi, negative = panels(N)
    for j in range(0, m, block):
        some, weights = spectrum[j:j + block], alpha[j:j + block]/m
        for i, one in enumerate(transformed):
            u[i, :N] += weights @ features(some, one, work, phi, negative)
    u[:, N] = u[:, 0]
    np.save(outputs, u)
    return u


def train(run):
    """The minimum norm solution of G alpha = b, rcond = 1e6 eps; sums sample by sample."""
    p, alpha, theta = read(run)
    pairs = np.load(f"{run}/train.npy")
    N, m = pairs.shape[2] - 1, len(alpha)
    spectrum, transformed, u = spectra(p, theta), scipy.fft.rfft(pairs[:, 0, :N]), np.ascontiguousarray(pairs[:, 1, :N])
    S, b, phi = np.zeros((m, m), order="F"), np.zeros(m), np.empty((m, N))
    work, _, negative = panels(N)
    for one, output in zip(transformed, u):
        for j in range(0, m, block):
            features(spectrum[j:j + block], one, work, phi[j:j + block], negative)
        b += phi @ output
        S = dsyrk(1/N/m, phi.T, beta=1.0, c=S, trans=1, overwrite_c=1)
    values, vectors = scipy.linalg.eigh(S, lower=False, overwrite_a=True, check_finite=False)
    keep = values > 2.0**-52*1e6*values[-1]
    return vectors[:, keep] @ (vectors[:, keep].T @ (b/N)/values[keep]), alpha


def timed(call):
    """Processor seconds of a call."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


def least(call, budget=0.3):
    call()
    begin, times = time.perf_counter(), []
    while len(times) < 3 or time.perf_counter() - begin < budget:
        times.append(timed(call))
    return min(times)


def kernels():
    """Names of `rfm check --bench`, and functions that return its numbers."""
    rng, m = np.random.default_rng(1), 1024
    P, x = rng.standard_normal((m, 1024)), rng.standard_normal((16, 1024))
    z = {N: scipy.fft.rfft(rng.standard_normal((64, N))) for N in (128, 1024)}
    G, b, negative, work = P @ P.T + np.eye(m), rng.standard_normal(m), np.empty_like(x), np.empty_like(x)

    def truncated():
        w, V = scipy.linalg.eigh(G)
        keep = w > 2.2e-10*w[-1]
        return V[:, keep] @ ((V[:, keep].T @ b)/w[keep])

    def activate():
        np.copyto(work, x)
        elu(work, negative)
    return {
        "rank-k update, order 1024": lambda: m*(m + 1)*1024/least(lambda: dsyrk(1.0, P.T, trans=1))/1e9,
        "inverse real FFT, N=128": lambda: least(lambda: scipy.fft.irfft(z[128], n=128))/64*1e6,
        "inverse real FFT, N=1024": lambda: least(lambda: scipy.fft.irfft(z[1024], n=1024))/64*1e6,
        "activation elu": lambda: least(activate)/x.size*1e9,
        "lambda = 0 solve, m=1024": lambda: least(truncated)*1e3,
    }


def stage(run):
    """Processor seconds of training in a run."""
    return json.load(open(f"{run}/timings.json"))["processor"]["train"]


os.chdir(tempfile.mkdtemp())
learn = ["run", "burgers", "--set", "evaluation.baselines=no", "--test", "16", "--runs", "."]
long = ["-n", "128", "-m", "1024", "--set", "train.grid=1025"]
wide = ["-n", "1024", "-m", "1024", "--set", "data.grid=129", "--test", "1000"]
few = ["-n", "1024", "-m", "512", "--set", "data.grid=129", "--test", "1000"]
for name, options in (("long", long), ("wide", wide), ("few", few)):  # pairs and features, once
    command(*learn, *options, "--name", name)
np.save("a.npy", np.concatenate([np.load("wide/train.npy")[:, 0]]*4))
times, errors = {}, {}


def add(name, program, value):
    times.setdefault(name, {}).setdefault(program, []).append(value)


numpy = kernels()
for round in range(rounds):
    for found in command("check", "--bench")[1]["findings"]:
        if found["name"] in numpy:
            value, unit = found["found"].split()
            name = f"{found['name']}, {unit}"
            add(name, "rfm", float(value))
            add(name, "NumPy", numpy[found["name"]]())
    name = "rfm predict: 4096 inputs, m = 1024, K = 129, s"
    add(name, "rfm", command("predict", "wide/model.npz", "--in", "a.npy", "--out", "u.npy", "--force")[0])
    add(name, "NumPy", timed(lambda: predict("wide", "a.npy", "numpy.npy")))
    for name, run, options in (("training: n = 128, m = 1024, K = 1025, s", "long", long),
                               ("training: n = 1024, m = 1024, K = 129, s", "wide", wide),
                               ("training: n = 1024, m = 512, K = 129, s", "few", few),
                               ("the same with train.rows = 16, s", "few", [*few, "--set", "train.rows=16"])):
        again = f"{run}{len(options)}-{round}"
        result = command(*learn, *options, "--train-data", f"{run}/train.npy", "--test-data", f"{run}/test.npy", "--name", again)[1]
        errors[name] = result["test"]["expected_relative"]
        add(name, "rfm", stage(again))
        add(name, "NumPy", timed(lambda: train(run)))
u, own = np.load("u.npy"), np.load("numpy.npy")
assert np.abs(u - own).max() < 1e-9*np.abs(u).max(), "predictions differ"
solved, alpha = train("long")
print(f"NumPy {np.__version__}, SciPy {scipy.__version__}, {blas()}, {rounds} rounds; coefficients differ by "
      f"{np.linalg.norm(solved - alpha)/np.linalg.norm(alpha):.0e}\n\n| one core, least (median) | rfm | NumPy | ratio |\n|---|---|---|---|")
for name, by in times.items():
    best = max if "GF/s" in name else min
    cells = [f"{best(v):.3g} ({statistics.median(v):.3g})" for v in (by["rfm"], by["NumPy"])]
    ratio = [f(by["NumPy"])/f(by["rfm"]) for f in (best, statistics.median)]
    if best is max:
        ratio = [1/r for r in ratio]
    print(f"| {name} | {cells[0]} | {cells[1]} | {ratio[0]:.2f} ({ratio[1]:.2f}) |")
print("\nTest errors: " + ", ".join(f"{e:.5f}" for e in errors.values()))
