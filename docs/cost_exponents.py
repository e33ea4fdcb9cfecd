"""How the time of training grows with the sizes of a problem:

    python3 docs/cost_exponents.py RFM          prints a table for the program RFM
    python3 docs/cost_exponents.py RFM page     the same, and writes it into docs/performance.md

Pairs of periodic functions, whose law is smoothing, saturation and smoothing, are learned by one worker. One of n, m and
K is doubled again and again while the others stay. The exponent of a size is the slope of the logarithm of processor
seconds over two doublings. Seconds are those of a run less those of the mean of the outputs, which reads and
checks the same pairs. A run is repeated if it takes less than two seconds; the least time counts."""
import os
import subprocess
import sys
import tempfile

import numpy as np
from new_sets import periodic

BASE = {"n": 256, "m": 1024, "K": 129}
# Methods that are fast are timed where they take long enough to be seen.
LARGER = {
    "linear": {"n": 2048, "K": 513},
    "kernel": {"n": 1024, "K": 257},
}
METHODS = ["features", "linear", "kernel", "equivariant", "sheared", "corrected", "layers"]


def smooth(f, width):
    """Periodic functions after a Gaussian."""
    spectrum = np.fft.rfft(f[:, :-1])
    spectrum *= np.exp(-(width*np.arange(spectrum.shape[1]))**2/2)
    smoothed = np.fft.irfft(spectrum, f.shape[1] - 1)
    return np.concatenate([smoothed, smoothed[:, :1]], 1)


def pairs(path, count, points):
    """Writes pairs to a file."""
    a = periodic(np.random.default_rng(count), count, points, modes=20, decay=1)
    u = smooth(np.tanh(2*smooth(a, 0.05)), 0.1)
    np.savez(path, input=a, output=u)


def once(program, method, sizes, directory):
    """Processor seconds of a run."""
    path = f"{directory}/{sizes['n']}-{sizes['K']}.npz"
    tests = f"{directory}/tests-{sizes['K']}.npz"
    for file, count in ((path, sizes["n"]), (tests, 4)):
        if not os.path.exists(file):
            pairs(file, count, sizes["K"])
    command = [program, "run", path, "--test-data", tests, "--no-save", "-q", "--json", "--workers", "1", "-m", str(sizes["m"])]
    settings = [f"train.method={method}", f"train.grid={sizes['K']}", "evaluation.baselines=no"]
    if method == "features":
        settings.append("train.lambda=1e-6")
    for setting in settings:
        command += ["--set", setting]
    begin = os.times()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = os.times()
    if done.returncode:
        sys.exit(done.stderr)
    return end.children_user + end.children_system - begin.children_user - begin.children_system


def seconds(program, method, sizes, directory):
    """Processor seconds of training."""
    def least(method):
        times = [once(program, method, sizes, directory)]
        while times[-1] < 2 and len(times) < 3:
            times.append(once(program, method, sizes, directory))
        return min(times)
    return least(method) - least("mean")


def row(program, method, directory):
    """The row of a method."""
    base = {**BASE, **LARGER.get(method, {})}
    first = seconds(program, method, base, directory)
    cells = []
    for size in "nmK":
        if size == "m" and method != "features":
            cells.append("-")
            continue
        times = [first]
        for doubling in (2, 4):
            value = doubling*(base["K"] - 1) + 1 if size == "K" else doubling*base[size]
            times.append(seconds(program, method, {**base, size: value}, directory))
        slope = np.log2(times[-1]/times[0])/2
        cells.append(f"{slope:.1f} ({', '.join(f'{t:.2g}' for t in times)} s)")
    at = f"n = {base['n']}, K = {base['K']}"
    if method == "features":
        at += f", m = {base['m']}"
    return f"| `{method}` | {at} | " + " | ".join(cells) + " |\n"


HEADER = "| method | sizes at first | n | m | K |\n|---|---|---|---|---|\n"


def main(program, page=None):
    rows = HEADER
    print(HEADER, end="", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        for method in METHODS:
            text = row(program, method, directory)
            print(text, end="", flush=True)
            rows += text
    if page:
        begin, end = "<!-- cost-exponents -->\n", "<!-- end of cost-exponents -->\n"
        path = os.path.join(os.path.dirname(__file__), "performance.md")
        with open(path) as f:
            before, rest = f.read().split(begin)
        with open(path, "w") as f:
            f.write(before + begin + rows + end + rest.split(end)[1])


if __name__ == "__main__":
    if len(sys.argv) == 2 or sys.argv[2:] == ["page"]:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
