"""Evaluates a model file of rfm, with NumPy alone:

    import numpy as np, rfm
    model = rfm.load("model.npz")
    u = model(np.load("a.npy"))

a is inputs on any grid, (n, points) or (n, rows, columns), with channels after n if there are several. On periodic
domains the last value along an axis repeats the first. u has the same form. Complex numbers are two channels, the real
and the imaginary parts: p[:, 0] + 1j*p[:, 1] are complex predictions. Values at points of any geometry are lists;
inputs at points of their own may come without the values at those of outputs, where they are 0. model.meta is
meta.json, whose "operator" is a tree of parts, each with its "kind" and its numbers; model.arrays are the arrays of the
file. Below, a function named like a kind is its formula: p is the part, x the arrays, a (n, channels, *grid).
"""
import json
import math
import warnings
import numpy as np

class load:
    def __init__(self, name):
        with np.load(name) as file:
            self.arrays = {k: file[k] for k in file.files if k != "meta.json"}
            self.meta = json.loads(file["meta.json"])
        if self.meta["format"] != 6:
            raise ValueError(f"format {self.meta['format']}, want 6: use the rfm.py of that version of rfm")

    def __call__(self, a):
        p, x, coarse = self.meta["operator"], self.arrays, self.meta.get("coarse", 0)
        leaf = p
        while "dims" not in leaf:
            leaf = leaf.get("of") or leaf["map"]
        dims, channels = leaf["dims"], leaf.get("in", 1)
        if np.iscomplexobj(a):
            a = np.stack([np.real(a), np.imag(a)], -dims - 1)
        if channels > 1 and np.shape(a)[-dims - 1:-dims] != (channels,):
            raise ValueError(f"inputs have shape {np.shape(a)}, want {channels} channels before the {dims} last of the axes")
        shape, own = np.shape(a)[-dims:], len(x.get("input_weights", ()))
        if own and shape[-1] == own: # values at the points of inputs alone
            a = np.concatenate([a, np.zeros((*np.shape(a)[:-1], len(x["place_weights"])))], -1)
            shape = np.shape(a)[-1:]
        a = np.asarray(a, float).reshape(-1, channels, *shape)
        if 0 < coarse < shape[0]:
            a = resample(leaf, a, grid(leaf, coarse), low=True)
        u = resample(leaf, predict(p, x, a), shape)[..., own:]
        return u[:, 0] if leaf.get("out", 1) == 1 else u

def predict(p, x, a):
    own = globals()[p["kind"].replace("-", "_")]
    if "points" not in p:
        return own(p, x, a)
    return resample(p, own(p, x, resample(p, a, grid(p, p["points"]))), a.shape[-p["dims"]:])

# Functions on grids: f has the axes of the grid last.

def intervals(p, shape):
    return [k - (not p.get("cells")) for k in shape]

def grid(p, points):
    first, second = p.get("aspect", (1, 1))
    n, = intervals(p, (points,))
    return (points, n//first*second + points - n)[:p["dims"]]

def along(p, f, change):
    """Functions of which change(values, axis) has replaced the values along each axis."""
    for axis in range(p["dims"]):
        f = np.moveaxis(change(np.moveaxis(f, axis - p["dims"], -1), axis), -1, axis - p["dims"])
    return f

def modes(p, points, count, of="cosines"):
    """Values and slopes along an axis of cos or sin of pi k x, with both for each even k if periodic, and k."""
    x, i = (np.arange(points) + 0.5*p.get("cells", False))/intervals(p, (points,))[0], np.arange(count)
    k, odd = (2*((i + 1)//2), i % 2 == 0) if p["periodic"] else (i + (of == "sines"), of == "sines")
    wave = lambda shift: np.sin(np.pi*(np.outer(x, k) + np.where(odd, 0, 0.5) + shift))
    return np.where(k == 0, 1, wave(0)), np.pi*k*wave(0.5), k

def resample(p, f, shape, low=False):
    """Values of the trigonometric interpolants on another grid, low: without modes that it takes for others."""
    own = f.shape[-p["dims"]:]
    n, to = intervals(p, own), intervals(p, shape)
    def change(f, i):
        if n[0] % to[0] == 0 and not low: # the values that are there; of cells, means
            s = n[i]//to[i]
            return f.reshape(*f.shape[:-1], -1, s).mean(-1) if p.get("cells") else f[..., ::s]
        count = n[i] if p["periodic"] else own[i]
        (here, _, k), there = modes(p, own[i], count), modes(p, shape[i], count)[0]
        keep = k < (to if p["periodic"] else shape)[i] if low else 1
        return f[..., :count] @ np.linalg.inv(here[:count]).T @ (keep*there).T
    return f if own == tuple(shape) else along(p, f, change)

def period(p, f):
    """Functions without their last values if they are periodic, else continued evenly across the edges."""
    even = lambda f, _: np.concatenate([f, f[..., ::-1] if p.get("cells") else f[..., -2:0:-1]], -1)
    return along(p, f, (lambda f, _: f[..., :-1]) if p["periodic"] else even)

def cut(p, f, shape=None):
    """The inverse of period."""
    closed = lambda f, axis: f[..., :shape[axis]]
    return along(p, f, (lambda f, _: np.concatenate([f, f[..., :1]], -1)) if p["periodic"] else closed)

def wavenumbers(N):
    return np.meshgrid(*(np.fft.fftfreq(K, 1/K) for K in N), indexing="ij")

def averaged(motions, a, f):
    """The mean over a group of motions g of g^-1 f(g a)."""
    def flipped(u, flip):
        return u[..., ::-1 if flip & 1 else 1][(..., slice(None, None, -1), slice(None)) if flip & 2 else ...]
    total = 0
    for flip, turn, sign in ((m["flip"], m["turn"], 1 - 2*m["odd"]) for m in motions):
        u = flipped(f(sign*flipped(a.swapaxes(-1, -2) if turn else a, flip)), flip)
        total = total + sign*(u.swapaxes(-1, -2) if turn else u)/len(motions)
    return total

# Operators of operators.

def scaled(p, x, a):
    column = lambda v: np.reshape(v, (-1,) + (1,)*(a.ndim - 2))
    a = ((np.log(a) if p.get("log") else a) - column(p["input_shift"]))/column(p["input_unit"])
    return column(p["output_unit"])*predict(p["of"], x, a)

def symmetric(p, x, a):
    return averaged(p["motions"], a, lambda a: predict(p["of"], x, a))

def folded(p, x, a):
    """Functions between sides, continued to a torus twice as long: evenly, or with their sign changed."""
    shape, sign, cells = a.shape[-p["dims"]:], p["input_parity"], p.get("cells", False)
    def doubled(f, _):
        if sign < 0 and not cells:
            if np.abs(f[..., [0, -1]]).max() > 1e-3*np.sqrt(np.mean(a**2)):
                warnings.warn("inputs are not 0 at the sides: the prediction is that of inputs that are")
            f = np.concatenate([0*f[..., :1], f[..., 1:-1], 0*f[..., :1]], -1)
        f = np.concatenate([f, sign*(f[..., ::-1] if cells else f[..., -2:0:-1])], -1)
        return np.concatenate([f, f[..., :1]], -1)
    return along(p, predict(p["of"], x, along(p, a, doubled)), lambda u, axis: u[..., :shape[axis]])

def widened(p, x, a):
    """Functions on an interval, continued across its far end to one twice as long."""
    sign, shared = p["far_parity"], 0 if p.get("cells", False) else 1 # points at the end
    def wide(f):
        if sign < 0 and shared:
            if np.abs(f[..., -1]).max() > 1e-3*np.sqrt(np.mean(a**2)):
                warnings.warn("inputs are not 0 at the right end: the prediction is that of inputs that are")
            f = np.concatenate([f[..., :-1], 0*f[..., -1:]], -1)
        return np.concatenate([f, sign*f[..., ::-1][..., shared:]], -1)
    return predict(p["of"], x, wide(a))[..., :a.shape[-1]]

def within(x, prefix):
    """The arrays of a part of a part, and the places of points of any geometry."""
    places = {k: x[k] for k in ("places", "place_weights") if k in x}
    return {**places, **{k[len(prefix):]: f for k, f in x.items() if k.startswith(prefix)}}

def stacked(p, x, a):
    return predict(p["first"], within(x, "first_"), a) + predict(p["second"], within(x, "second_"), a)

def staged(p, x, a):
    """Low predictions, and what is added to them, which depends on the input and perhaps on them."""
    v = predict(p["low"], within(x, "low_"), a)
    return v + predict(p["rest"], within(x, "rest_"), np.concatenate([a, v], 1) if p.get("sees_low") else a)

def sheared(p, x, a):
    """Outputs whose graphs have been moved sideways, (x, u) -> (x - g(u), u), or logits."""
    u = predict(p["of"], x, a)
    if "levels" not in p:
        z, low, high = (1/(1 + np.exp(-u)) - p["margin"])/(1 - 2*p["margin"]), p.get("least", 0), p.get("most", 0)
        return low + (high - low)*np.clip(z, 0, 1)
    g, v, i = np.array(p["shifts"]), np.array(p["levels"]), np.arange(a.shape[-1] - 1)/(a.shape[-1] - 1)
    for f in u.reshape(-1, a.shape[-1]):
        f[:-1] = i - inverse(i + f[:-1], i)
        order = np.sign(g[1] - g[0])
        j = np.clip(np.searchsorted(order*g, order*f), 1, len(g) - 1)
        f[:] = v[j - 1] + (f - g[j - 1])*(v[j] - v[j - 1])/(g[j] - g[j - 1])
        f[-1] = f[0]
    return u

def inverse(y, at):
    """The inverse of the increasing function with these values, sorted, on [0, 1), by monotone cubics."""
    n, k, whole = len(y), np.arange(-4, len(y) + 4), np.floor(y).sum()
    X, Y = np.sort(y - np.floor(y))[k % n] + k//n + 1e-11*(k + 4), (k - whole)/n
    h, s, d = np.diff(X), np.diff(Y)/np.diff(X), np.zeros(len(X))
    d[1:-1] = 3*(h[:-1] + h[1:])/((2*h[1:] + h[:-1])/s[:-1] + (h[1:] + 2*h[:-1])/s[1:])
    j = np.clip(np.searchsorted(X, at, "right") - 1, 0, len(h) - 1)
    t = (at - X[j])/h[j]
    return ((2*t + 1)*Y[j] + t*h[j]*d[j])*(1 - t)**2 + ((3 - 2*t)*Y[j + 1] + (t - 1)*h[j]*d[j + 1])*t*t

# Random features: u = (1/m) sum_j alpha_j phi_j(a) + offset.

def features(p, x, a):
    q, phi = p["map"], {"spectral": spectral, "predictor-corrector": predictor_corrector}
    u = averaged(q.get("motions", [dict(flip=0, turn=0, odd=0)]), a, lambda a: phi[q["kind"]](q, x, a))
    b = resample(q, x["offset"].reshape(-1, *grid(q, p["offset_points"])), a.shape[-q["dims"]:]) if "offset" in x else 0
    return u + b

ACTIVATIONS = {
    "elu": lambda v: np.where(v > 0, v, np.expm1(np.minimum(v, 0))),
    "relu": lambda v: np.maximum(v, 0),
    "tanh": np.tanh,
    "sigmoid": lambda v: 0.5 + 0.5*np.tanh(v/2),
    "sin": np.sin,
    "softplus": lambda v: np.logaddexp(0, v),
}

def spectral(p, x, a):
    """phi_j(a) = sigma(gain F^-1[chi F a F theta_j] + b_j)."""
    if "laplacian_functions" in x:
        return scattered(p, x, a)
    d, m, shape = p["dims"], len(x["alpha"]), a.shape[-p["dims"]:]
    axes, n = tuple(range(-d, 0)), intervals(p, shape)
    N = [k if p["periodic"] else 2*k for k in n]
    k = wavenumbers(N)
    r = (1 + p["periodic"])*np.pi*p["delta"]*np.hypot(k[0], k[1]*n[0]/n[1] if d == 2 else 0)
    chi = p["gain"]*np.prod(N)*np.minimum(2*r, (r + 0.5)**-p["beta"])
    if p.get("cells"): # half a cell between the first point and the edge
        chi = chi*np.exp(-1j*np.pi*sum(k/K for k, K in zip(k, N)))
    F = lambda f: np.fft.fftn(period(p, f), axes=axes)/np.prod(N)
    a, u = F(a), np.zeros((len(a), 1, *N))
    for j in range(0, m, 16):
        part = slice(j, min(j + 16, m))
        theta = F(resample(p, x["theta"][part][:, None], shape))
        for i in range(len(a)):
            v = np.fft.ifftn(chi*theta*a[i], axes=axes).real
            v = ACTIVATIONS[p["activation"]](v + (x["bias"][part].reshape(-1, *(d + 1)*[1]) if "bias" in x else 0))
            u[i] += np.tensordot(x["alpha"][part], v - p["centred"]*v.mean(axes, keepdims=True), 1)/m
    return cut(p, u, shape)

def scattered(p, x, a):
    """The same with eigenfunctions of the Laplacian at points of any geometry in place of waves."""
    E, m, r = x["laplacian_functions"], len(x["alpha"]), p["delta"]*np.sqrt(x["laplacian_values"])
    F = lambda f: (f*x["place_weights"]) @ E
    theta = p["gain"]/np.sqrt(2)*np.minimum(2*r, (r + 0.5)**-p["beta"])*F(x["theta"][:m])
    sigma, b = ACTIVATIONS[p["activation"]], x["bias"][:m, None] if "bias" in x else 0
    return np.array([x["alpha"] @ sigma(F(f[0])*theta @ E.T + b)/m for f in a])[:, None]

def predictor_corrector(p, x, a):
    """Fixed point iterations for -div(a grad u) = source, random functions averaged with alpha to sigma."""
    n = a.shape[-1] - 1
    k, d = np.arange(1, n), lambda k: 2 - 2*np.cos(np.pi*k/n)
    S, inverse = np.sin(np.pi*np.outer(k, k)/n), 4/n**4/(d(k)[:, None] + d(k))
    P = lambda f: np.pad(S @ (inverse*(S @ f @ S)) @ S, 1) # solves Poisson's equation
    gradient = lambda f: n/2*np.stack([f[2:, 1:-1] - f[:-2, 1:-1], f[1:-1, 2:] - f[1:-1, :-2]])
    sigma1, sigma2 = (resample(p, x[name], a.shape[-2:])[1:-1, 1:-1] for name in ("sigma1", "sigma2"))
    c, u = p["step"]*p["eta"]*n*n, np.zeros_like(a)
    parts = np.ceil(8*c) if c > 0.25 else 1
    heat = (1 - c/parts*sum(d(k) for k in wavenumbers((2*n, 2*n))))**(p["steps"]*parts)
    for i in range(len(a)):
        g = gradient(np.log(cut(p, np.fft.ifft2(heat*np.fft.fft2(period(p, a[i, 0]))).real, a.shape[-2:])))
        f = p["mean"]*p["source"]/a[i, 0, 1:-1, 1:-1]
        u[i, 0] = P(f + sigma1)
        for _ in range(max(1, p["sweeps"])):
            u[i, 0] = P(f + sigma2 + (g*gradient(u[i, 0])).sum(0))
    return u

# Regressions. With coordinates z = (a - mean) components, u = constant + sum_j phi_j(z) coefficients_j.

def expansion(p, x, a, phi):
    z = (a.reshape(len(a), -1) - x["mean"]) @ x["components"]
    u = x["constant"] + np.array([phi(z) for z in z]) @ x["coefficients"]
    return u.reshape(len(a), -1, *a.shape[-p["dims"]:])

def mean(p, x, a):
    u = x["values"].reshape(1, -1, *a.shape[-p["dims"]:])
    return np.repeat(u, len(a), axis=0)

def affine(p, x, a):
    return expansion(p, x, a, lambda z: z)

def multiplier(p, x, a):
    return cut(p, np.fft.irfft(x["multiplier"] @ [1, 1j]*np.fft.rfft(a[..., :-1]), a.shape[-1] - 1))

PROFILES = {"rational": lambda d: 1/(1 + d/2), "gaussian": lambda d: np.exp(-d/2), # d: squared, in units of the length
            "": lambda d: (1 + np.sqrt(5*d) + 5/3*d)*np.exp(-np.sqrt(5*d))}

def kernel(p, x, a):
    k, y, group = PROFILES[p.get("profile", "")], x["coordinates"][:len(x["coefficients"])], p.get("symmetry", 0)
    motions = [dict(flip=i, turn=j, odd=0) for i in range(2**p["dims"] if group else 1) for j in range(max(group, 1))]
    f = lambda z: len(motions)*(1 + k(((z - y)**2).sum(1))) # the sum over all motions of the sums over the pairs
    return averaged(motions, a, lambda a: expansion(p, x, a, f))

def average(p, f):
    """The mean of each function, at all its points."""
    axes = tuple(range(-p["dims"], 0))
    return f*0 + period(p, f).mean(axes, keepdims=True)

def around(x):
    """For each place around points of any geometry, the points in the mean of values there, and their weights."""
    y = x["places"]/np.ptp(x["places"], 0).max()
    count, axes = y.shape
    steps = [np.array(s) - 1 for s in np.ndindex(3, 3, 3)]
    steps = [s/np.sqrt((s*s).sum()) for s in steps if not s[axes:].any() and s.any() and not (axes == 3 and (s*s).sum() == 2)]
    radii = ((1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96), (8, 20, 48, 96), (12, 40))[axes - 1]
    yield np.arange(count)[:, None], np.ones((count, 1))
    for r in radii:
        for s in steps:
            square = sum((y[:, k] - (y[:, k] + r/256*s[k])[:, None])**2 for k in range(axes))
            i = np.argsort(square, -1, kind="stable")[:, :12]
            q = np.take_along_axis(square, i, -1)
            w = np.exp((q[:, :1] - q)/(2*np.maximum((r/4/256)**2, q[:, [min(2, count - 1)]])))
            yield i, w/w.sum(-1, keepdims=True)

def places(p, x, f):
    """The coordinates of points, functions like f."""
    if "places" in x: # of points of any geometry
        return [0*f + 2*np.pi*t for t in x["places"].T/np.ptp(x["places"], 0).max()]
    shape, i = f.shape[-p["dims"]:], int(p["periodic"])
    return [0*f + g(2*np.pi*at/(k - i)) for at, k in zip(np.indices(shape), shape)
            for g in [np.positive, np.cos, np.sin][i:1 + 2*i]]

def pointwise(p, x, a):
    """constant + the mean of sin(v_k . z) over all points times integral_coefficients_k + sum_j c_j sin(w_j . z), z values
    of a at the point, the point and 1."""
    z = [*a.swapaxes(0, 1)]
    z = np.stack(z + places(p, x, z[0]) + [1 + 0*z[0]], -1)
    s = np.moveaxis(np.sin(z @ x["integral_weights"]), -1, 1)
    s = s @ x["place_weights"] if "places" in x else average(p, s).reshape(*s.shape[:2], -1)[..., 0]
    u = x["constant"] + s @ x["integral_coefficients"]
    r = np.sin(z @ x["layer_weights"])*x["layer_coefficients"]
    return u.reshape(len(a), -1, *a.shape[-p["dims"]:]) + np.moveaxis(r.reshape(*z.shape[:-1], p.get("out", 1), -1).sum(-1), -1, 1)

def layer(p, x, a):
    """v + sum_j c_j sin(w_j . z), z values of a and of the prediction v around each point, perhaps their means (whole)
    and the point, and 1."""
    d, n, line = p["dims"], intervals(p, a.shape[-p["dims"]:])[0], dict(p, dims=1)
    first, v = p.get("first"), np.stack([m + 0*a[:, 0] for m in p.get("means", [0])], 1)
    v = predict(first, within(x, "first_"), a) if first else v
    def tap(f, r, angle):
        def change(f, axis):
            e, s = period(line, f), r*(np.cos(angle) if axis == d - 1 else np.sin(angle))
            k = 2*np.pi*np.fft.fftfreq(e.shape[-1])*n/256
            return cut(line, np.fft.ifft(np.fft.fft(e)*np.exp(1j*k*s - (k*max(r/4, 0.5))**2/2)).real, f.shape[-1:])
        return along(p, f, change) if r else f
    angles, radii = (8, (8, 20, 48, 96)) if d == 2 else (2, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96))
    taps = [(0, 0)] + [(r, 2*np.pi*i/angles) for r in radii for i in range(angles)]
    mean = lambda f: average(p, f)
    if "places" in x: # of points of any geometry
        taps, tap = list(around(x)), lambda f, i, w: (f[:, i]*w).sum(-1)
        mean = lambda f: f*0 + f @ x["place_weights"][:, None]
    z = [g for u in ([a, v] if first else [a]) for f in u.swapaxes(0, 1)
         for g in [tap(f, *t) for t in taps] + ([mean(f)] if p.get("whole") else [])]
    if p.get("placed"):
        z += places(p, x, z[0])
    r = np.sin(np.stack(z + [1 + 0*z[0]], -1) @ x["layer_weights"])*x["layer_coefficients"]
    return v + np.moveaxis(r.reshape(*r.shape[:-1], v.shape[1], -1).sum(-1), -1, 1)

def equivariant(p, x, a):
    axes, s = tuple(range(-p["dims"], 0)), p["reflection"]
    F, G = (lambda f: np.fft.fftn(f, axes=axes)), (lambda f: np.fft.ifftn(f, axes=axes).real)
    A, C, X = period(p, x["inputs"]), period(p, x["coefficients"]), period(p, a)
    n, N, k = A.shape[1:], A[0].size, wavenumbers(A.shape[1:])
    nyquist = sum(2*abs(k) == K for k, K in zip(k, n)) > 0
    k = np.hypot(k[0], k[1]*n[0]/n[1] if p["dims"] == 2 else 0)
    w = np.where(nyquist, 0, (1 + (k/p["cutoff"])**2)**-p["decay"])
    Z, H, X = F(A)/N, F(C), F(X)/N
    Z, H = (np.concatenate([f, s*f.conj()]) if s else f for f in (Z, H))
    square = lambda Z: (w*abs(Z)**2).sum(axes, keepdims=True)
    distances = (np.maximum(0, square(X) + square(Z) - 2*N*G(w*X*Z.conj()))/p["length"]**2 for X in X)
    u = [G((F(PROFILES["rational"](d))*H).sum(0))/N + (C.sum(0) if p["offset"] else 0) for d in distances]
    return cut(p, np.array(u)[:, None])

def corrected(p, x, a):
    """Steps v + sum_j alpha_j * phi_j(a, v) from a kernel's prediction v; * convolves in a basis."""
    v = predict(p["first"], within(x, "first_"), a)/p["output"]
    a = ((np.log(a) if p.get("log") else a) - p["shift"])/p["input"]
    if "correction_edges" in x:
        return p["output"]*corrected_at_points(p, x, a, v)
    flat, of, (rows, columns) = p["dims"] == 1, p["basis"], p.get("aspect", (1, 1))
    n = (1,)*flat + a.shape[-p["dims"]:]
    a, v = (f.reshape(len(f), -1, *n).swapaxes(0, 1) for f in (a, v))

    def line(n, count, unit, of):
        """Frequencies, own values, analysis, values and slopes on the inner grid, and the analyses there."""
        if n == 1:
            return np.zeros(1), *(np.full((1, 1), v) for v in (1, 1, 1, 0, 1, 0))
        (own, _, k), (values, slope, _) = modes(p, n, count, of), modes(dict(p, cells=True), count, count, of)
        w = np.ones(n) if p.get("cells") else np.r_[0.5, np.ones(n - 2), 0.5]
        norm, slope = (values**2).sum(0), unit*slope
        return unit*k, own, (own.T*w)/(w @ own**2)[:, None], values, slope, (values/norm).T, -(slope/norm).T

    see, say = ([line(*t, of) for t in zip(n, p["modes"], (1, rows/columns))]
                for of in ("cosines" if of == "sines" else of, of))
    smooth = lambda lines, at, width: [l[at] @ (np.exp(-l[0]**2/(2*width**2))[:, None]*l[2]) for l in lines]
    both = lambda maps, f: maps[0] @ f @ maps[1].T
    S, P, numbers, I, O = [l[5] for l in say], [l[6] for l in say], 1 + (of == "fourier"), len(a), len(v) # channels
    ubar = both(smooth(say, 3, np.inf), x["mean_output"].reshape(O, *n))
    kinds = ("v 1 flux v ubar flux" if flat else "v ubar flux").split()
    for at in range(p["steps"]*p["count"]):
        j, f, q = at % p["count"], x["correction_features"][at], at % p["count"]//len(kinds)
        kind, V, D = kinds[j % len(kinds)], smooth(say, 3, f[1]), smooth(say, 4, f[1])
        w, c = v[q % O], np.cos(f[2]*both(smooth(see, 3, f[0]), a[q//O//O % I]) + f[3]*both(V, v[q//O % O]) + f[4])
        if kind == "flux":
            across, down, m = ((V[0], D[1]), (S[0], P[1])), ((D[0], V[1]), (P[0], S[1])), (O > 1)*(q//O % 3)
            maps = [across] if flat else [(across[0], down[1]), (down[0], across[1])][m - 1:m] if m else [across, down]
            phi = sum(both(to, c*both(of, w)) for of, to in maps)
        else:
            phi = both(S, c*{"v": both(V, w), "ubar": ubar[q % O], "1": 1}[kind])
        b = x["corrections"][numbers*at:numbers*(at + 1)].reshape(numbers, O, 1, *phi.shape[1:])
        step = phi*b[0] + (0 if j == 0 else step)
        if numbers == 2:
            i = np.arange(1, phi.shape[-1])
            step[..., i] += phi[..., i - 1 + 2*(i % 2)]*b[1][..., i]
        v = v + both([l[1] for l in say], step) if j == p["count"] - 1 else v
    return p["output"]*v.swapaxes(0, 1).reshape(-1, O, *n[flat:])

def corrected_at_points(p, x, a, v):
    """The same at points of any geometry, in a basis of eigenfunctions of the Laplacian. Fluxes go over edges between points."""
    w, (i, j), conductance = x["place_weights"], x["correction_edges"][:, :2].T.astype(int), x["correction_edges"][:, 2]
    E, of = x["input_eigenfunctions"], x["input_eigenvalues"]
    G, to = x.get("output_eigenfunctions", E), x.get("output_eigenvalues", of)
    smooth = lambda f, E, values, width: ((f*w) @ E*np.exp(-values/np.pi**2/(2*width**2))) @ E.T
    I, O, kinds = a.shape[1], v.shape[1], "v 1 flux v ubar flux".split()
    ubar = smooth(x["mean_output"].reshape(O, -1), G, to, np.inf)
    for at in range(p["steps"]*p["count"]):
        n, (wide, narrow, s, t, b) = at % p["count"], x["correction_features"][at]
        kind, q = kinds[n % len(kinds)], n//len(kinds)
        c = np.cos(s*smooth(a[:, q//O//O % I], E, of, wide) + t*smooth(v[:, q//O % O], G, to, narrow) + b)
        g = smooth(v[:, q % O], G, to, narrow)
        if kind == "flux":
            flow, phi = conductance*(c[:, i] + c[:, j])/2*(g[:, j] - g[:, i]), np.zeros_like(g)
            np.add.at(phi.T, i, flow.T)
            np.subtract.at(phi.T, j, flow.T)
            phi /= w
        else:
            phi = c*{"v": g, "ubar": ubar[q % O], "1": 1}[kind]
        step = ((phi*w) @ G)[:, None]*x["corrections"][at].reshape(O, -1) + (step if n > 0 else 0)
        v = v + step @ G.T if n == p["count"] - 1 else v
    return v

# Networks.

def neural(p, x, a):
    """Fourier layers v -> GELU(A v + b + F^-1[R F v]) between linear maps at each point; the last layer has no GELU."""
    d, m, axes = p["dims"], p["modes"], tuple(range(-p["dims"], 0))
    if p["periodic"]:
        a = along(p, a, lambda f, _: f[..., :-1])
    n = a.shape[-d:]
    column = lambda v: np.reshape(v, (-1,) + (1,)*d)
    affine = lambda A, b, v: np.einsum("oi,ni...->no...", A, v) + column(b)
    gelu = lambda v: v*(1 + np.vectorize(math.erf)(v/np.sqrt(2)))/2
    a = (a - column(p["input_shift"]))/column(p["input_unit"])
    if p.get("placed"):
        a = np.concatenate([a] + [at/k + 0*a[:, :1] for at, k in zip(np.indices(n), n)], 1)
    padding = [(0, 0 if p["periodic"] else max(4, k//16)) for k in n]
    v = np.pad(affine(x["lift"], x["lift_shift"], a), [(0, 0), (0, 0)] + padding)
    low = (..., *np.ix_(*[np.r_[:m[0], -m[0]:0]][:d - 1], np.arange(m[-1])))
    for l, R in enumerate(x["spectra"] @ [1, 1j]):
        F = np.fft.rfftn(v, axes=axes)
        S = np.zeros_like(F)
        S[low] = np.einsum("oi...,ni...->no...", R.reshape(*R.shape[:2], *F[low].shape[2:]), F[low])
        v = affine(x["local"][l], x["local_shift"][l], v) + np.fft.irfftn(S, v.shape[-d:], axes=axes)
        if l < p["layers"] - 1:
            v = gelu(v)
    v = gelu(affine(x["hidden"], x["hidden_shift"], v[(..., *map(slice, n))]))
    u = p["output_deviation"]*affine(x["last"], x["last_shift"], v) + x["output_mean"].reshape(-1, *n)
    return cut(p, u) if p["periodic"] else u
