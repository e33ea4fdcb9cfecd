"""Sets of pairs of each kind that people bring, and the errors of rfm and of two references on them:

    python3 docs/new_sets.py make DIRECTORY        writes NAME-train.npz and NAME-test.npz
    python3 docs/new_sets.py table RFM DIRECTORY   trains the program RFM on each set, and prints a table
    python3 docs/new_sets.py page RFM DIRECTORY    the same, and writes the rows into docs/results.md

Names of sets behind the arguments select some; rows of other sets stay in the page. Needs NumPy and SciPy. A set has the
arrays input and output. Each is learned by one worker with train.method=best, and by a neural operator in a minute of one
core. The column "choice" is the error of the chosen method over the least error of those that best has trained. The
references are principal components with kernel ridge regression, whose length and ridge have the least leave-one-out error,
and ridge regression."""
import json
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
from scipy.fft import dct
from scipy.linalg import cho_factor, cho_solve, solve_banded

TESTS = 100


def periodic(rng, count, points, modes=10, decay=1.5):
    """Random periodic functions; the last value repeats the first."""
    x = np.linspace(0, 1, points)
    k = np.arange(1, modes + 1)
    c = rng.standard_normal((2, count, modes))/k**decay
    return c[0] @ np.cos(2*np.pi*np.outer(k, x)) + c[1] @ np.sin(2*np.pi*np.outer(k, x))


def closed(rng, count, points, modes=12, decay=1.5):
    """Random functions on an interval, sums of cosines."""
    x = np.linspace(0, 1, points)
    k = np.arange(modes + 1)
    return (rng.standard_normal((count, modes + 1))/np.maximum(1, k)**decay) @ np.cos(np.pi*np.outer(k, x))


def integral(f):
    """The integral from the left end to each point."""
    h = 1/(f.shape[-1] - 1)
    return np.concatenate([0*f[:, :1], np.cumsum((f[:, 1:] + f[:, :-1])*h/2, 1)], 1)


def diffuse(f, time):
    """The heat equation with no flux through both ends."""
    k = np.arange(f.shape[-1])
    return dct(np.exp(-time*(np.pi*k)**2)*dct(f, 1, axis=-1), 1, axis=-1)/(2*(f.shape[-1] - 1))


def local(rng, count):
    """A pointwise law times a function of the place, plus an integral of the whole function."""
    a = closed(rng, count, 129, modes=40, decay=0.8)
    x = np.linspace(0, 1, 129)
    return a, np.sin(a)*np.cos(2*np.pi*x) + integral(a)[:, -1:]


def smoothed(rng, count):
    """Smoothing, a saturating law that depends on the place, smoothing."""
    a = closed(rng, count, 101, modes=40, decay=1)
    x = np.linspace(0, 1, 101)
    return a, diffuse(np.tanh(2*diffuse(a, 2e-3))*(1 + 0.5*np.sin(2*np.pi*x)), 5e-3) + 0.3*diffuse(a, 0.05)


def composition(rng, count):
    """Reaction, transport to the right, integration: laws one after the other on an interval."""
    a = closed(rng, count, 101, modes=25, decay=1)
    x = np.linspace(0, 1, 101)
    v = a + 0.5*np.sin(2*a)
    moved = np.array([np.interp(x - 0.15 - 0.05*np.tanh(m), x, f) for f, m in zip(v, v.mean(1))])
    return a, integral(moved) + 0.2*np.tanh(moved)


def causal(rng, count):
    """A saturating actuator with dead time, then a lag: the output at a time depends on earlier inputs alone."""
    points = 120
    a = np.cumsum(rng.standard_normal((count, points)), 1)/6
    a = (a + np.roll(a, 1, 1) + np.roll(a, 2, 1))/3
    u = np.zeros((count, points))
    for t in range(1, points):
        late = a[:, max(0, t - 9)]
        u[:, t] = u[:, t - 1] + 0.15*(np.tanh(1.5*late) - u[:, t - 1] - 0.3*u[:, t - 1]**3)
    return a, u + 1e-3


def twoin(rng, count):
    """Two functions: a speed and a state, to the state after transport and reaction, on a circle."""
    a, speed = periodic(rng, count, 65), periodic(rng, count, 65, modes=3)
    x = np.linspace(0, 1, 65)
    u = np.array([np.interp((x - 0.1 - 0.05*c) % 1, x, f) for f, c in zip(a, speed)])
    u = u/np.sqrt(np.exp(-1) + (1 - np.exp(-1))*u*u)
    u[:, -1] = u[:, 0]
    return np.stack([speed, a], 1), u


def jumps(rng, count):
    """A coefficient with jumps by a factor of up to 30, to the solution of -(a u')' = 1, u = 0 at both ends."""
    points = 101
    n = points - 1
    a, u = np.empty((count, points)), np.zeros((count, points))
    for i in range(count):
        edges = np.sort(rng.uniform(0, 1, rng.integers(1, 4)))
        values = 30**rng.uniform(0, 1, len(edges) + 1)
        a[i] = values[np.searchsorted(edges, np.linspace(0, 1, points))]
        face = 2*a[i, 1:]*a[i, :-1]/(a[i, 1:] + a[i, :-1])*n*n
        band = np.zeros((3, n - 1))
        band[0, 1:], band[1], band[2, :-1] = -face[1:-1], face[1:] + face[:-1], -face[1:-1]
        u[i, 1:-1] = solve_banded((1, 1), band, np.ones(n - 1))
    return a, u


def membrane(rng, count):
    """Five numbers of scales from 0.1 to 1000 to the field of a loaded membrane, 24 x 24 cells."""
    low, high = np.array([0.05, 0.5, 2, 30, 300]), np.array([0.2, 2, 8, 90, 1200])
    z = rng.uniform(low, high, (count, 5))
    x, y = np.meshgrid((np.arange(24) + 0.5)/24, (np.arange(24) + 0.5)/24, indexing="ij")
    u = np.zeros((count, 24, 24))
    for k in range(1, 6):
        for l in range(1, 6):
            load = z[:, 4]*np.exp(-(k*k + l*l)*z[:, 0]**2)*np.cos(k*z[:, 2])*np.sin(l*z[:, 1])
            stiff = z[:, 3]*(k*k + l*l) + 0.05*z[:, 4]
            u += (load/stiff)[:, None, None]*(np.sin(k*np.pi*x)*np.sin(l*np.pi*y))
    return z, u


def knobs(rng, count):
    """Five numbers of one scale to a curve: amplitude, frequency, phase, decay, offset."""
    z = rng.uniform(-1, 1, (count, 5))
    t = np.linspace(0, 1, 65)
    c = z[:, :, None]
    return z, (2 + c[:, 0])*np.sin(2*np.pi*(2 + c[:, 1])*t + c[:, 2])*np.exp(-(1.5 + c[:, 3])*t) + 0.5*c[:, 4]


def spoilt(rng, count):
    """The set smoothed, with the outputs of 2% of the training pairs exchanged."""
    a, u = smoothed(rng, count)
    if count > TESTS:
        wrong = rng.choice(count, count//50, replace=False)
        u[wrong] = u[np.roll(wrong, 1)]
    return a, u


def few(rng, count):
    """Burgers' equation for a short time, by characteristics, on 257 points."""
    a = periodic(rng, count, 257, modes=6, decay=2)
    x = np.linspace(0, 1, 257)
    u = a.copy()
    for _ in range(200):
        u = 0.5*u + 0.5*np.array([np.interp((x - 0.015*v) % 1, x, f) for f, v in zip(a, u)])
    return a, u


def places(points):
    """Random places on the interval, the same in every set, with both ends."""
    x = np.sort(np.random.default_rng(11).uniform(0, 1, points))
    x[[0, -1]] = 0, 1
    return x


def uneven(rng, count):
    """Resistances from 0.001 to 1000 at uneven points, to the potential along them, which falls by 1."""
    x = places(100)
    k = np.arange(9)
    g = (rng.standard_normal((count, 9))/np.maximum(1, k)**1.5) @ np.cos(np.pi*np.outer(k, x))
    a = 10**np.clip(1.5*g, -3, 3)
    drop = (a[:, 1:] + a[:, :-1])/2*np.diff(x)
    u = np.concatenate([0*a[:, :1], np.cumsum(drop, 1)], 1)
    return a, 1 - u/u[:, -1:]


def noisy(rng, count):
    """The set smoothed, with 5% of noise on the outputs of the training pairs."""
    a, u = smoothed(rng, count)
    if count > TESTS:
        u += 0.05*u.std()*rng.standard_normal(u.shape)
    return a, u


def echo(rng, count):
    """Waves of a random speed from one pulse: the left end reflects, the right end lets them out."""
    points, fine = 129, 513
    speed = np.exp(0.4*closed(rng, count, fine, modes=8, decay=1.2))
    speed = np.minimum(speed, 3)
    x = np.linspace(0, 1, fine)
    h = x[1]
    step = 0.3*h
    u = np.exp(-((x - 0.35)/0.04)**2)*np.ones((count, 1))
    before = u.copy()
    face = ((speed[:, 1:] + speed[:, :-1])/2)**2
    for _ in range(int(0.5/step)):
        flux = face*(u[:, 1:] - u[:, :-1])/h
        after = 2*u - before
        after[:, 1:-1] += step**2*(flux[:, 1:] - flux[:, :-1])/h
        after[:, 0] = 0
        c = speed[:, -1]*step/h
        after[:, -1] = u[:, -2] + (c - 1)/(c + 1)*(after[:, -2] - u[:, -1])
        before, u = u, after
    return speed[:, ::4], u[:, ::4]


def spacetime(rng, count):
    """A function to the field of its reaction and diffusion: 40 times, 48 points."""
    u = 0.8*closed(rng, count, 48, modes=10, decay=1.2)
    a = u.copy()
    times = []
    for _ in range(40):
        for _ in range(5):
            u = diffuse(u, 2e-4)
            growth = np.exp(2*0.04)
            u = u*np.sqrt(growth/(1 + (growth - 1)*u*u))
            u = u + 0.02*np.gradient(u, 1/47, axis=1)*0.2
        times.append(u)
    return a, np.stack(times, 1)


SETS = {  # training pairs, function
    "local": (240, local), "smoothed": (300, smoothed), "composition": (300, composition), "causal": (250, causal),
    "twoin": (300, twoin), "jumps": (350, jumps), "membrane": (250, membrane), "knobs": (500, knobs),
    "spoilt": (300, spoilt), "noisy": (300, noisy), "few": (16, few), "echo": (300, echo), "spacetime": (250, spacetime),
    "uneven": (300, uneven),
}

KINDS = {  # for the page
    "local": "a local law of the place plus an integral", "smoothed": "smoothing, a saturating law, smoothing",
    "composition": "reaction, transport, integration on an interval", "causal": "a saturating actuator with dead time",
    "twoin": "a speed and a state to a state, on a circle", "jumps": "a coefficient with jumps to a solution",
    "membrane": "five numbers of other sizes to a field", "knobs": "five numbers to a curve",
    "spoilt": "2% of the outputs are others'", "noisy": "5% of noise on the training outputs", "few": "fronts on 257 points",
    "echo": "a speed to waves with a wall", "spacetime": "a function to a field of space and time",
    "uneven": "resistances of any size to a potential, at uneven points",
}


WITHOUT_GRID = ["uneven"]  # a neural operator transforms along axes


def make(directory, names):
    os.makedirs(directory, exist_ok=True)
    for name in names:
        count, function = SETS[name]
        for part, n in (("train", count), ("test", TESTS)):
            rng = np.random.default_rng([len(name), sum(map(ord, name)), n])
            a, u = function(rng, n)
            coordinates = {"x": places(a.shape[1])} if name in WITHOUT_GRID else {}
            np.savez(f"{directory}/{name}-{part}.npz", input=a, output=u, **coordinates)


def relative(u, v):
    axes = tuple(range(1, u.ndim))
    return np.mean(np.sqrt(((u - v)**2).sum(axes)/(u**2).sum(axes)))


def components(a, u, b):
    """Principal components and kernel ridge regression, Gaussian or rational quadratic, by the leave-one-out error."""
    n, shape = len(a), u.shape[1:]
    a, b, u = a.reshape(n, -1), b.reshape(len(b), -1), u.reshape(n, -1)
    deviation = np.where(a.std(0) > 0, a.std(0), 1) if a.shape[1] <= 8 else 1
    a, b = (a - a.mean(0))/deviation, (b - a.mean(0))/deviation
    _, _, vectors = np.linalg.svd(a, full_matrices=False)
    best, mean = (np.inf,), u.mean(0)
    for count in (8, 32, len(vectors)):
        z, y = a @ vectors[:count].T, b @ vectors[:count].T
        square = lambda p, q: np.maximum(0, (p*p).sum(1)[:, None] + (q*q).sum(1) - 2*p @ q.T)
        own, other = square(z, z), square(y, z)
        unit = own.mean()
        for profile in (lambda d: np.exp(-d), lambda d: 1/(1 + d)):
            for length in 2.0**np.arange(-3, 8):
                K = profile(own/unit/length**2)
                for ridge in 10.0**np.arange(-10, 0, 2):
                    try:
                        factor = cho_factor(K + ridge*np.eye(n))
                    except np.linalg.LinAlgError:
                        continue
                    inverse = cho_solve(factor, np.eye(n))
                    c = inverse @ (u - mean)
                    error = relative(u, u - c/np.diag(inverse)[:, None])
                    if error < best[0]:
                        best = error, mean + profile(other/unit/length**2) @ c
    return best[1].reshape(-1, *shape)


def linear(a, u, b):
    shape = u.shape[1:]
    a, b, u = a.reshape(len(a), -1), b.reshape(len(b), -1), u.reshape(len(u), -1)
    mean, scale = a.mean(0), np.where(a.std(0) > 0, a.std(0), 1)
    a, b = (a - mean)/scale, (b - mean)/scale
    square = a.T @ a
    c = np.linalg.solve(square + 1e-6*np.trace(square)*np.eye(len(square)), a.T @ (u - u.mean(0)))
    return (u.mean(0) + b @ c).reshape(-1, *shape)


class Learned(NamedTuple):
    """What a run says."""
    error: float
    left_out: float  # the error of pairs that are left out of training
    method: str
    choice: float  # the error over the least of all methods that were trained
    seconds: float  # of processors


class Refusal(Exception):
    """The last line of a run that has trained nothing."""


def learned(program, files, *settings):
    """Runs the program. Raises Refusal."""
    command = [program, "run", files[0], "--test-data", files[1], "--no-save", "--json", "--workers", "1", *settings]
    begin = os.times().children_user
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = os.times().children_user - begin
    if done.returncode:
        raise Refusal(done.stderr.strip().splitlines()[-1])
    r = json.loads(done.stdout)
    error = r["test"]["expected_relative"]
    least = min(method["error"] for method in r["compared"])
    return Learned(error, r.get("leave_one_out", 0), r["method"], error/least, seconds)


def network(program, name, files):
    """The error of a neural operator, or why it has none."""
    if name in WITHOUT_GRID:
        return "needs a grid"
    return learned(program, files, "--set", "train.method=fno", "--set", "train.patience=60",
                   "--set", "evaluation.baselines=no").error


def bold(errors):
    """Errors as text, the least in bold."""
    least = min(e for e in errors if not isinstance(e, str))
    return [e if isinstance(e, str) else f"**{e:.4f}**" if e == least else f"{e:.4f}" for e in errors]


HEADER = """| set | pairs | `best` (left out) | method | choice | CPU s | `fno`, 60 s | components, kernel | linear |
|---|---|---|---|---|---|---|---|---|
"""


def row(program, directory, name):
    files = [f"{directory}/{name}-{part}.npz" for part in ("train", "test")]
    (a, u), (b, v) = ((f["input"], f["output"]) for f in map(np.load, files))
    own = learned(program, files)
    references = [relative(v, method(a, u, b)) for method in (components, linear)]
    best, *others = bold([own.error, network(program, name, files), *references])
    cells = [f"`{name}`: {KINDS[name]}", str(len(a)), f"{best} ({own.left_out:.4f})", f"`{own.method}`", f"{own.choice:.2f}",
             f"{own.seconds:.0f}", *others]
    return "| " + " | ".join(cells) + " |\n"


def table(program, directory, names, page=None):
    print(HEADER, end="", flush=True)
    for name in names:
        text = row(program, directory, name)
        print(text, end="", flush=True)
        if page:
            write(page, name, text)


def write(page, name, text):
    """Replaces the row of a set in a page, or adds it; rows have the order of SETS."""
    begin, end = "<!-- new-sets -->\n", "<!-- end of new-sets -->\n"
    with open(page) as f:
        before, rest = f.read().split(begin)
    old, after = rest.split(end)
    rows = {line.split("`")[1]: line + "\n" for line in old.splitlines() if line.startswith("| `")}
    rows[name] = text
    with open(page, "w") as f:
        f.write(before + begin + HEADER + "".join(rows[n] for n in SETS if n in rows) + end + after)


if __name__ == "__main__":
    command, arguments = (sys.argv[1:] or [""])[0], sys.argv[2:]
    names = [name for name in arguments if name in SETS] or list(SETS)
    arguments = [name for name in arguments if name not in SETS]
    if command == "make" and len(arguments) == 1:
        make(*arguments, names)
    elif command == "table" and len(arguments) == 2:
        table(*arguments, names)
    elif command == "page" and len(arguments) == 2:
        table(*arguments, names, os.path.join(os.path.dirname(__file__), "results.md"))
    else:
        sys.exit(__doc__)
