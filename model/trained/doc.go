// Package trained keeps trained models in files that need neither the data nor the run they come from, and applies them
// on any grid.
//
// # The file
//
// A model file is a NumPy .npz: a ZIP archive, stored without compression, of float64 arrays and of meta.json. The
// archive's comment is a checksum of every byte before it. Format 1 has, for m features,
//
//	meta.json        {"format": 1, "version": of the program that trained, "problem", "kind", "grid": of the training, K or r,
//	                  "lambda", "rank", ("leave_one_out",) "map": {...}, "config": the complete configuration, TOML}
//	alpha (m)        coefficients: F(a) = (1/m) sum_j alpha_j phi_j(a)
//	eigenvalues      of the Gram matrix, at most m; only if the solve computed them
//	offset (K)       function on any closed grid, (R, R) for fields, that is added to F(a); only if there is one
//
// For the kind "fourier" (feature.Spectral on periodic functions),
//
//	theta (M, K)     parameters on their finest grid, M >= m; the last value of each function repeats the first, and functions
//	                 from m on have no part in F
//	bias (M)         b_j; only if the features have it
//	map              {"activation", "gain", "delta", "beta", "centred"}
//
// for the kind "fourier2", periodic fields, the same with theta (M, R, R), for the kind "cosine", fields on the closed
// square, with theta (m, R, R) and bias (m), and for the kind "flow" (feature.Collapsed), whose alpha is in the fields
// already,
//
//	sigma1, sigma2 (R, R)
//	map              {"mean": abar, "source": f, "eta", "step", "steps", "sweeps"}
//
// Format 2 is that of the other methods (package method). "kind" is the method's name, "map" its parameters and its
// grid: "dims", "periodic", ("cells", "aspect",) "points" along an axis. lambda and rank are missing. With V values of
// a function on that grid, a row each, and n training pairs,
//
//	linear           multiplier (N/2+1, 2): c_k of u_k = c_k a_k, real and imaginary part; or the arrays of kernel without points
//	kernel           mean (V), components (V, M): z = (a - mean) components; constant (V), coefficients (J, V): u = constant +
//	                 sum_j phi_j(z) c_j; points (n, M): phi_j is the kernel at z and point j
//	corrected        the arrays of a kernel, their names after first_, mean_output (V), correction_features (steps*count, 5)
//	                 and corrections: see method.Corrected; map: those of its grid, and first with kind, leave_one_out and map
//	equivariant      inputs, coefficients (n, K) or (n, R, R): see method.Equivariant
//
// Format 3 has channels. Format 4 has "coarse" in meta.json, the points along an axis of the grid on which predictions
// for finer grids are made (Model.Coarsen).
//
// Every format has the checksum and, in meta.json, "format" and "version". Formats that were ever written are read for
// ever.
//
// # With NumPy
//
// A model of the kind "fourier" with ELU features that are not centred, for inputs of shape (n, K) with K-1 a divisor
// of theta's intervals:
//
//	import json, numpy as np
//	model = np.load("model.npz")
//	p, alpha = json.loads(model["meta.json"])["map"], model["alpha"]
//	a = np.load("a.npy")[:, :-1]
//	m, N = len(alpha), a.shape[1]
//	theta, bias = model["theta"][:m, :-1], model["bias"][:m, None] if "bias" in model else 0
//	r = 2*np.pi*np.arange(N//2 + 1)*p["delta"]
//	chi = np.minimum(2*r, (r + 0.5)**-p["beta"])
//	multiplier = p["gain"]/N*chi*np.fft.rfft(theta[:, ::theta.shape[1]//N])
//	z = [np.fft.irfft(multiplier*np.fft.rfft(x), N) + bias for x in a]
//	u = np.array([alpha @ np.where(v > 0, v, np.expm1(v)) / m for v in z])
//	np.save("u.npy", np.hstack([u, u[:, :1]]))
package trained
