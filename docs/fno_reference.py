"""Trains two small Fourier neural operators with PyTorch in double precision and stores their initial weights, data and
errors of the first 20 steps, which the tests of model/learn/fno compare with theirs.

usage: fno_reference.py DIRECTORY      needs torch and numpy; writes .npy files below functions/ and fields/

The network is that of Li et al. (2021) as published: a linear lift, Fourier layers with pointwise maps and GELU, two
linear maps; padding behind the lift; Adam with a decay of 1e-4, half a cosine from 1e-3, mean relative L2 errors.
"""
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F

STEPS = 20
RATE = 1e-3
torch.set_default_dtype(torch.float64)


class Spectral(torch.nn.Module):
    def __init__(self, width, modes):
        super().__init__()
        self.modes = modes
        halves = 1 if len(modes) == 1 else 2
        draw = [torch.rand(width, width, *modes, 2) / width**2 for _ in range(halves)]
        self.weights = torch.nn.ParameterList([torch.nn.Parameter(w) for w in draw])

    def forward(self, x):
        weights = [torch.view_as_complex(w) for w in self.weights]
        if len(self.modes) == 1:
            (m,) = self.modes
            spectrum = torch.fft.rfft(x)
            out = torch.zeros_like(spectrum)
            out[..., :m] = torch.einsum("bix,iox->box", spectrum[..., :m], weights[0])
            return torch.fft.irfft(out, n=x.shape[-1])
        m1, m2 = self.modes
        spectrum = torch.fft.rfft2(x)
        out = torch.zeros_like(spectrum)
        out[..., :m1, :m2] = torch.einsum("bixy,ioxy->boxy", spectrum[..., :m1, :m2], weights[0])
        out[..., -m1:, :m2] = torch.einsum("bixy,ioxy->boxy", spectrum[..., -m1:, :m2], weights[1])
        return torch.fft.irfft2(out, s=x.shape[-2:])


class Network(torch.nn.Module):
    def __init__(self, inputs, outputs, width, projection, layers, modes, padding):
        super().__init__()
        self.padding = padding
        self.lift = torch.nn.Linear(inputs, width)
        self.spectral = torch.nn.ModuleList([Spectral(width, modes) for _ in range(layers)])
        self.local = torch.nn.ModuleList([torch.nn.Linear(width, width) for _ in range(layers)])
        self.hidden = torch.nn.Linear(width, projection)
        self.last = torch.nn.Linear(projection, outputs)

    def forward(self, x):  # count x points x channels
        points = x.shape[1:-1]
        x = self.lift(x).movedim(-1, 1)
        x = F.pad(x, [n for p in reversed(self.padding) for n in (0, p)])
        for i, (spectral, local) in enumerate(zip(self.spectral, self.local)):
            x = spectral(x) + local(x.movedim(1, -1)).movedim(-1, 1)
            if i < len(self.local) - 1:
                x = F.gelu(x)
        x = x[(..., *(slice(0, n) for n in points))].movedim(1, -1)
        return self.last(F.gelu(self.hidden(x)))


def reference(name, inputs, outputs, width, projection, layers, modes, points, padding, count, batch):
    torch.manual_seed(1)
    net = Network(inputs, outputs, width, projection, layers, modes, padding)
    a = torch.randn(count, *points, inputs)
    u = torch.randn(count, *points, outputs) + 2
    mean = u.mean(0)
    deviation = (u - mean).pow(2).mean().sqrt()
    kept = {"a": a, "u": u}
    for label, linear in [("lift", net.lift), ("hidden", net.hidden), ("last", net.last)]:
        kept[label] = linear.weight
        kept[label + "_shift"] = linear.bias
    for i in range(layers):
        kept[f"local{i}"] = net.local[i].weight
        kept[f"local{i}_shift"] = net.local[i].bias
        # input x output x frequencies x 2, those along the first axis in the order 0 ... m-1, -m ... -1
        kept[f"spectral{i}"] = torch.cat(list(net.spectral[i].weights), 2 if len(modes) == 2 else 0)
    kept = {k: v.detach().numpy().copy() for k, v in kept.items()}
    optimiser = torch.optim.Adam(net.parameters(), RATE, weight_decay=1e-4)
    errors = []
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = RATE * 0.5 * (1 + np.cos(np.pi * step / STEPS)) + 1e-6
        some = [(step * batch + i) % count for i in range(batch)]
        predicted = net(a[some]) * deviation + mean
        missed = (predicted - u[some]).flatten(1).norm(dim=1)
        error = (missed / u[some].flatten(1).norm(dim=1)).mean()
        optimiser.zero_grad()
        error.backward()
        optimiser.step()
        errors.append(error.item())
    directory = pathlib.Path(sys.argv[1]) / name
    directory.mkdir(parents=True, exist_ok=True)
    for label, array in dict(kept, errors=np.array(errors)).items():
        np.save(directory / f"{label}.npy", array)


reference("functions", 2, 1, 8, 12, 3, [5], [22], [3], 12, 8)
reference("fields", 1, 2, 4, 8, 2, [2, 3], [7, 9], [2, 1], 9, 7)
