"""Compares the processor time of a training step of a Fourier neural operator with PyTorch's, on one core.

usage: fno_speed.py [ROUNDS]      in the repository; needs Go, and Python with torch 1.13 or newer

The network has the usual sizes of the field: functions on 128 points, padded by 8, width 32, 16 modes, four layers, 128
hidden channels, a batch of 20, single precision. Rounds alternate, because the speed of a shared machine drifts; the
least time of each program counts.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

# OpenBLAS would run the kernels of an older processor: they are for faulty builds.
for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(name, None)
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a second thread that waits would count as processor time

import torch
import torch.nn.functional as F

STEPS = 200
torch.set_num_threads(1)


class Spectral(torch.nn.Module):
    def __init__(self, width, modes):
        super().__init__()
        self.modes = modes
        self.weights = torch.nn.Parameter(torch.rand(width, width, modes, 2) / width**2)

    def forward(self, x):
        spectrum = torch.fft.rfft(x)
        out = torch.zeros_like(spectrum)
        low = spectrum[..., : self.modes]
        out[..., : self.modes] = torch.einsum("bix,iox->box", low, torch.view_as_complex(self.weights))
        return torch.fft.irfft(out, n=x.shape[-1])


class Network(torch.nn.Module):
    def __init__(self, width=32, modes=16, layers=4, projection=128, padding=8):
        super().__init__()
        self.padding = padding
        self.lift = torch.nn.Linear(2, width)
        self.spectral = torch.nn.ModuleList([Spectral(width, modes) for _ in range(layers)])
        self.local = torch.nn.ModuleList([torch.nn.Conv1d(width, width, 1) for _ in range(layers)])
        self.hidden = torch.nn.Linear(width, projection)
        self.last = torch.nn.Linear(projection, 1)

    def forward(self, x):
        x = F.pad(self.lift(x).movedim(-1, 1), [0, self.padding])
        for i, (spectral, local) in enumerate(zip(self.spectral, self.local)):
            x = spectral(x) + local(x)
            if i < len(self.local) - 1:
                x = F.gelu(x)
        return self.last(F.gelu(self.hidden(x[..., : -self.padding].movedim(1, -1))))


network = Network()
optimiser = torch.optim.Adam(network.parameters(), 1e-3, weight_decay=1e-4)
a, u = torch.randn(20, 128, 2), torch.randn(20, 128, 1)


def step():
    missed = (network(a) - u).flatten(1).norm(dim=1)
    optimiser.zero_grad()
    (missed / u.flatten(1).norm(dim=1)).mean().backward()
    optimiser.step()


def torch_milliseconds():
    begin = time.process_time()
    for _ in range(STEPS):
        step()
    return 1e3 * (time.process_time() - begin) / STEPS


def own_milliseconds(binary):
    command = [binary, "-test.run", "xxx", "-test.bench", "Step/functions", "-test.benchtime", f"{STEPS}x"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "GOMAXPROCS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / STEPS


rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
with tempfile.TemporaryDirectory() as directory:
    binary = directory + "/fno.test"
    subprocess.run(["go", "test", "-c", "-o", binary, "./model/learn/fno"], check=True)
    for _ in range(20):
        step()
    times = [(own_milliseconds(binary), torch_milliseconds()) for _ in range(rounds)]
own, other = (min(column) for column in zip(*times))
print(f"processor ms a step: rfm {own:.2f}, PyTorch {torch.__version__} {other:.2f}, ratio {other / own:.2f}")
