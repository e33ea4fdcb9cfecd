// The model: the same formulas as in rfm.py, which comes with every export. A part p of the operator has a kind and
// numbers, x its arrays. A function is a list of channels, each a Float64Array of rows*columns values, row-major.
"use strict";

const decoded = text => new Float64Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);

function make(data) {
  const arrays = {};
  for (const name in data.arrays) {
    arrays[name] = {shape: data.arrays[name].shape, data: decoded(data.arrays[name].data)};
  }
  const [rows, columns] = data.grid;
  const shape = {rows, columns, dims: rows > 1 ? 2 : 1, periodic: data.periodic, cells: data.cells};
  if (data.places) { // values at points of any geometry
    const view = data.places.views[data.places.output];
    shape.weights = decoded(data.places.weights);
    shape.at = decoded(view.at); // the points of outputs
    shape.axes = view.axes;
  }
  return prepared(data.operator, arrays, shape);
}

// prepared returns the function that evaluates a part of the operator.
function prepared(p, x, shape) {
  const kind = {
    mean, affine, kernel, multiplier, equivariant, features, neural, scaled, symmetric, stacked, layer, pointwise, sheared, corrected,
    staged, folded, widened,
  }[p.kind];
  return kind(p, x, shape);
}

// Grids.

// The values that differ: a periodic function repeats its first value at its end.
function distinct(f, s) {
  if (!s.periodic) return f;
  const rows = Math.max(1, s.rows - 1), columns = s.columns - 1, d = new Float64Array(rows*columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) d[i*columns + j] = f[i*s.columns + j];
  }
  return d;
}

function closed(d, s) {
  if (!s.periodic) return d;
  const rows = Math.max(1, s.rows - 1), columns = s.columns - 1, f = new Float64Array(s.rows*s.columns);
  for (let i = 0; i < s.rows; i++) {
    for (let j = 0; j < s.columns; j++) f[i*s.columns + j] = d[(i % rows)*columns + j % columns];
  }
  return f;
}

// The points of a period along an axis, and the place of each of them among the points of the grid: functions that are
// not periodic are continued evenly across their ends.
function period(points, s) {
  const count = s.periodic ? points - 1 : s.cells ? 2*points : 2*(points - 1);
  const mirror = s.cells ? count - 1 : count;
  const from = Array.from({length: count}, (_, i) => i < points ? i : mirror - i);
  return {count, from};
}

// Fourier transforms of complex arrays {re, im} on n1 x n2 points, not normalised.
function transform(n1, n2) {
  const lines = {[n2]: line(n2)};
  if (n1 > 1) lines[n1] = line(n1);
  return (z, sign) => {
    for (let i = 0; i < n1; i++) lines[n2](z.re.subarray(i*n2, (i + 1)*n2), z.im.subarray(i*n2, (i + 1)*n2), sign);
    if (n1 === 1) return z;
    const re = new Float64Array(n1), im = new Float64Array(n1);
    for (let j = 0; j < n2; j++) {
      for (let i = 0; i < n1; i++) { re[i] = z.re[i*n2 + j]; im[i] = z.im[i*n2 + j]; }
      lines[n1](re, im, sign);
      for (let i = 0; i < n1; i++) { z.re[i*n2 + j] = re[i]; z.im[i*n2 + j] = im[i]; }
    }
    return z;
  };
}

// One axis: by halves where the length is a power of two, else by the definition.
function line(n) {
  const cos = new Float64Array(n), sin = new Float64Array(n);
  for (let k = 0; k < n; k++) { cos[k] = Math.cos(2*Math.PI*k/n); sin[k] = Math.sin(2*Math.PI*k/n); }
  if ((n & (n - 1)) === 0) {
    const bits = Math.log2(n), order = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      let r = 0;
      for (let b = 0; b < bits; b++) r |= (i >> b & 1) << (bits - 1 - b);
      order[i] = r;
    }
    return (re, im, sign) => {
      for (let i = 0; i < n; i++) {
        const j = order[i];
        if (i < j) {
          let t = re[i]; re[i] = re[j]; re[j] = t;
          t = im[i]; im[i] = im[j]; im[j] = t;
        }
      }
      for (let size = 2; size <= n; size *= 2) {
        const half = size/2, step = n/size;
        for (let start = 0; start < n; start += size) {
          for (let k = 0; k < half; k++) {
            const c = cos[k*step], s = sign*sin[k*step], a = start + k, b = a + half;
            const r = re[b]*c - im[b]*s, i = re[b]*s + im[b]*c;
            re[b] = re[a] - r; im[b] = im[a] - i;
            re[a] += r; im[a] += i;
          }
        }
      }
    };
  }
  return (re, im, sign) => {
    const r = Float64Array.from(re), i = Float64Array.from(im);
    for (let k = 0; k < n; k++) {
      let sumR = 0, sumI = 0;
      for (let j = 0; j < n; j++) {
        const c = cos[k*j % n], s = sign*sin[k*j % n];
        sumR += r[j]*c - i[j]*s;
        sumI += r[j]*s + i[j]*c;
      }
      re[k] = sumR; im[k] = sumI;
    }
  };
}

// waves has the transform of functions on a grid, continued to a period, and its frequencies.
function waves(s) {
  const across = period(s.columns, s), down = s.rows > 1 ? period(s.rows, s) : {count: 1, from: [0]};
  const n1 = down.count, n2 = across.count, N = n1*n2, run = transform(n1, n2);
  const signed = (k, n) => k <= (n - 1)/2 ? k : k - n;
  const k1 = new Float64Array(N), k2 = new Float64Array(N), nyquist = new Uint8Array(N);
  for (let i = 0; i < N; i++) {
    k1[i] = signed(Math.floor(i/n2), n1);
    k2[i] = signed(i % n2, n2);
    nyquist[i] = 2*Math.abs(k2[i]) === n2 || (n1 > 1 && 2*Math.abs(k1[i]) === n1) ? 1 : 0;
  }
  return {
    n1, n2, N, k1, k2, nyquist, run,
    of(f) { // of a function on the grid
      const z = {re: new Float64Array(N), im: new Float64Array(N)};
      for (let i = 0; i < N; i++) z.re[i] = f[down.from[Math.floor(i/n2)]*s.columns + across.from[i % n2]];
      return run(z, -1);
    },
    cut(re) { // the function on the grid whose values over a period are given
      const f = new Float64Array(s.rows*s.columns);
      for (let i = 0; i < s.rows; i++) {
        for (let j = 0; j < s.columns; j++) f[i*s.columns + j] = re[(i % n1)*n2 + j % n2];
      }
      return f;
    },
  };
}

// The mean over a group of motions g of g^-1 f(g a).
function averaged(motions, s, f) {
  const flipped = (u, flip) => {
    if (!flip) return u;
    const v = new Float64Array(u.length);
    for (let i = 0; i < s.rows; i++) {
      for (let j = 0; j < s.columns; j++) {
        v[i*s.columns + j] = u[(flip & 2 ? s.rows - 1 - i : i)*s.columns + (flip & 1 ? s.columns - 1 - j : j)];
      }
    }
    return v;
  };
  const turned = (u, turn) => {
    if (!turn) return u;
    const v = new Float64Array(u.length);
    for (let i = 0; i < s.rows; i++) {
      for (let j = 0; j < s.columns; j++) v[j*s.rows + i] = u[i*s.columns + j];
    }
    return v;
  };
  return a => {
    let total = null;
    for (const m of motions) {
      const sign = m.odd ? -1 : 1;
      const moved = a.map(c => flipped(turned(c, m.turn), m.flip).map(v => sign*v));
      const u = f(moved).map(c => turned(flipped(c, m.flip), m.turn));
      if (!total) total = u.map(c => new Float64Array(c.length));
      u.forEach((c, i) => c.forEach((v, k) => { total[i][k] += sign*v/motions.length; }));
    }
    return total;
  };
}

// Operators of operators.

function scaled(p, x, s) {
  const of = prepared(p.of, x, s);
  return a => {
    const inner = a.map((c, i) => c.map(v => ((p.log ? Math.log(v) : v) - p.input_shift[i % p.input_shift.length]) /
      p.input_unit[i % p.input_unit.length]));
    return of(inner).map((c, i) => c.map(v => p.output_unit[i % p.output_unit.length]*v));
  };
}

function symmetric(p, x, s) { return averaged(p.motions, s, prepared(p.of, x, s)); }

// Functions between sides, continued to a torus twice as long: evenly, or with their sign changed.
function folded(p, x, s) {
  const across = continued(s.columns, s), down = s.dims === 2 ? continued(s.rows, s) : {from: [0], beyond: [false], side: [false]};
  const torus = {rows: down.from.length, columns: across.from.length, dims: s.dims, periodic: true, cells: false};
  const of = prepared(p.of, x, torus), odd = p.input_parity < 0;
  return a => {
    const whole = of(a.map(f => {
      const w = new Float64Array(torus.rows*torus.columns);
      down.from.forEach((row, i) => across.from.forEach((column, j) => {
        const sign = !odd ? 1 : down.side[i] || across.side[j] ? 0 : down.beyond[i] === across.beyond[j] ? 1 : -1;
        w[i*torus.columns + j] = sign*f[row*s.columns + column];
      }));
      return w;
    }));
    return whole.map(w => {
      const u = new Float64Array(s.rows*s.columns);
      for (let i = 0; i < s.rows; i++) u.set(w.subarray(i*torus.columns, i*torus.columns + s.columns), i*s.columns);
      return u;
    });
  };
}

// Functions on an interval, continued across its far end to one twice as long.
function widened(p, x, s) {
  const count = s.columns, wide = {...s, columns: s.cells ? 2*count : 2*count - 1}, last = wide.columns - 1;
  const of = prepared(p.of, x, wide);
  return a => of(a.map(f => Float64Array.from({length: wide.columns}, (_, k) =>
    k === last - k && p.far_parity < 0 ? 0 : k < count ? f[k] : p.far_parity*f[last - k]))).map(u => u.slice(0, count));
}

// For each point of a torus along an axis: the point between the sides that has its value, whether it lies beyond a side,
// and whether it lies on one.
function continued(points, s) {
  const {count, from} = period(points, s), all = Array.from({length: count + 1}, (_, i) => i % count);
  return {
    from: all.map(i => from[i]),
    beyond: all.map(i => i >= points),
    side: all.map(i => !s.cells && i % (count/2) === 0),
  };
}

// Regressions. With coordinates z = (a - mean) components, u = constant + sum_j phi_j(z) coefficients_j.

function expansion(x, s, phi) {
  const mean = x.mean.data, components = x.components.data, constant = x.constant.data, coefficients = x.coefficients.data;
  const count = components.length/mean.length, outputs = constant.length, points = s.rows*s.columns;
  return a => {
    const z = new Float64Array(count);
    for (let i = 0; i < mean.length; i++) {
      const d = a[Math.floor(i/points)][i % points] - mean[i];
      for (let r = 0; r < count; r++) z[r] += d*components[i*count + r];
    }
    const u = Float64Array.from(constant);
    phi(z).forEach((f, j) => {
      for (let o = 0; o < outputs; o++) u[o] += f*coefficients[j*outputs + o];
    });
    return Array.from({length: outputs/points}, (_, c) => u.subarray(c*points, (c + 1)*points));
  };
}

function mean(p, x, s) {
  const points = s.rows*s.columns, u = x.values.data;
  return () => Array.from({length: u.length/points}, (_, c) => u.slice(c*points, (c + 1)*points));
}

function affine(p, x, s) { return expansion(x, s, z => z); }

const profiles = { // of the squared distance in units of the length
  "": d => (1 + Math.sqrt(5*d) + 5/3*d)*Math.exp(-Math.sqrt(5*d)),
  gaussian: d => Math.exp(-d/2),
  rational: d => 1/(1 + d/2),
};

function kernel(p, x, s) {
  const profile = profiles[p.profile || ""], y = x.coordinates.data, count = x.coefficients.shape[0];
  const size = x.coordinates.shape[1], motions = [];
  for (let flip = 0; flip < (p.symmetry ? 2**s.dims : 1); flip++) {
    for (let turn = 0; turn < Math.max(p.symmetry || 0, 1); turn++) motions.push({flip, turn, odd: 0});
  }
  const phi = z => {
    const all = new Float64Array(count);
    for (let j = 0; j < count; j++) {
      let d = 0;
      for (let r = 0; r < size; r++) d += (z[r] - y[j*size + r])**2;
      all[j] = motions.length*(1 + profile(d));
    }
    return all;
  };
  return averaged(motions, s, expansion(x, s, phi));
}

function multiplier(p, x, s) {
  const w = waves(s), c = x.multiplier.data;
  return a => {
    const z = w.of(a[0]);
    for (let i = 0; i < w.N; i++) {
      const k = Math.min(i, w.N - i), re = c[2*k], im = (2*i > w.N ? -1 : 2*i === w.N ? 0 : 1)*c[2*k + 1];
      const r = z.re[i];
      z.re[i] = (r*re - z.im[i]*im)/w.N;
      z.im[i] = (r*im + z.im[i]*re)/w.N;
    }
    return [w.cut(w.run(z, 1).re)];
  };
}

function equivariant(p, x, s) {
  const w = waves(s), N = w.N, n = x.inputs.shape[0], points = s.rows*s.columns, sign = p.reflection || 0;
  const weights = new Float64Array(N), profile = profiles.rational;
  const n1 = s.rows > 1 ? s.rows - 1 : 1, n2 = s.columns - 1;
  for (let i = 0; i < N; i++) {
    const k = s.dims === 2 ? Math.hypot(w.k1[i], w.k2[i]*n1/n2) : Math.abs(w.k2[i]);
    weights[i] = w.nyquist[i] ? 0 : (1 + (k/p.cutoff)**2)**-p.decay;
  }
  const square = z => {
    let sum = 0;
    for (let i = 0; i < N; i++) sum += weights[i]*(z.re[i]**2 + z.im[i]**2);
    return sum;
  };
  const sources = [];
  let offset = 0;
  const constant = new Float64Array(points);
  for (let j = 0; j < n; j++) {
    const z = w.of(x.inputs.data.subarray(j*points, (j + 1)*points));
    const h = w.of(x.coefficients.data.subarray(j*points, (j + 1)*points));
    for (let i = 0; i < N; i++) { z.re[i] /= N; z.im[i] /= N; }
    sources.push({z, h, square: square(z)});
    if (sign) {
      const mirrored = f => ({re: f.re.map(v => sign*v), im: f.im.map(v => -sign*v)});
      const m = mirrored(z);
      sources.push({z: m, h: mirrored(h), square: square(m)});
    }
    if (p.offset) {
      for (let k = 0; k < points; k++) constant[k] += x.coefficients.data[j*points + k];
    }
  }
  return a => {
    const X = w.of(a[0]);
    for (let i = 0; i < N; i++) { X.re[i] /= N; X.im[i] /= N; }
    const own = square(X), sum = {re: new Float64Array(N), im: new Float64Array(N)};
    for (const {z, h, square: theirs} of sources) {
      const d = {re: new Float64Array(N), im: new Float64Array(N)};
      for (let i = 0; i < N; i++) {
        d.re[i] = weights[i]*(X.re[i]*z.re[i] + X.im[i]*z.im[i]);
        d.im[i] = weights[i]*(X.im[i]*z.re[i] - X.re[i]*z.im[i]);
      }
      w.run(d, 1);
      for (let i = 0; i < N; i++) {
        d.re[i] = profile(Math.max(0, own + theirs - 2*d.re[i])/p.length**2);
        d.im[i] = 0;
      }
      w.run(d, -1);
      for (let i = 0; i < N; i++) {
        sum.re[i] += d.re[i]*h.re[i] - d.im[i]*h.im[i];
        sum.im[i] += d.re[i]*h.im[i] + d.im[i]*h.re[i];
      }
    }
    const u = w.cut(w.run(sum, 1).re);
    return [u.map((v, k) => v/(N*N) + (p.offset ? constant[k] : 0))];
  };
}

// Random features: u = (1/m) sum_j alpha_j phi_j(a) + offset, phi_j(a) = sigma(gain F^-1[chi F a F theta_j] + b_j).

const activations = {
  elu: v => v > 0 ? v : Math.expm1(v),
  relu: v => Math.max(v, 0),
  tanh: Math.tanh,
  sigmoid: v => 0.5 + 0.5*Math.tanh(v/2),
  sin: Math.sin,
  softplus: v => Math.max(v, 0) + Math.log1p(Math.exp(-Math.abs(v))),
};

function features(p, x, s) {
  if (s.weights) return scattered(p, x, s);
  const q = p.map, own = q.kind === "predictor-corrector" ? predictorCorrector(q, x, s) : spectral(q, x, s);
  const phi = averaged(q.motions || [{flip: 0, turn: 0, odd: 0}], s, own);
  return a => phi(a).map(u => x.offset ? u.map((v, k) => v + x.offset.data[k]) : u);
}

function spectral(q, x, s) {
  const w = waves(s), N = w.N, points = s.rows*s.columns, alpha = x.alpha.data, m = alpha.length;
  const activation = activations[q.activation], n1 = s.rows > 1 ? s.rows - (s.cells ? 0 : 1) : 1;
  const n2 = s.columns - (s.cells ? 0 : 1);
  const filters = [];
  for (let j = 0; j < m; j++) {
    const theta = w.of(x.theta.data.subarray(j*points, (j + 1)*points));
    for (let i = 0; i < N; i++) {
      const k = s.dims === 2 ? Math.hypot(w.k1[i], w.k2[i]*n1/n2) : Math.abs(w.k2[i]);
      const r = (s.periodic ? 2 : 1)*Math.PI*q.delta*k;
      const chi = q.gain*Math.min(2*r, (r + 0.5)**-q.beta)/N;
      let re = theta.re[i]*chi, im = theta.im[i]*chi;
      if (s.cells) { // half a cell between the first point and the edge
        const phase = -Math.PI*(w.k2[i]/w.n2 + (s.dims === 2 ? w.k1[i]/w.n1 : 0));
        const c = Math.cos(phase), t = Math.sin(phase), before = re;
        re = before*c - im*t;
        im = before*t + im*c;
      }
      theta.re[i] = re;
      theta.im[i] = im;
    }
    filters.push(theta);
  }
  return a => {
    const z = w.of(a[0]), u = new Float64Array(N), v = {re: new Float64Array(N), im: new Float64Array(N)};
    filters.forEach((f, j) => {
      for (let i = 0; i < N; i++) {
        v.re[i] = (z.re[i]*f.re[i] - z.im[i]*f.im[i])/N;
        v.im[i] = (z.re[i]*f.im[i] + z.im[i]*f.re[i])/N;
      }
      w.run(v, 1);
      const b = x.bias ? x.bias.data[j] : 0;
      let mean = 0;
      for (let i = 0; i < N; i++) { v.re[i] = activation(v.re[i] + b); mean += v.re[i]/N; }
      for (let i = 0; i < N; i++) u[i] += alpha[j]/m*(v.re[i] - (q.centred ? mean : 0));
    });
    return [w.cut(u)];
  };
}

// The same with eigenfunctions of the Laplacian at points of any geometry in place of waves.
function scattered(p, x, s) {
  const q = p.map, points = s.columns, E = x.laplacian_functions.data, lambda = x.laplacian_values.data, modes = lambda.length;
  const alpha = x.alpha.data, m = alpha.length, activation = activations[q.activation];
  const analysis = f => {
    const c = new Float64Array(modes);
    for (let i = 0; i < points; i++) {
      const v = f[i]*s.weights[i];
      for (let k = 0; k < modes; k++) c[k] += v*E[i*modes + k];
    }
    return c;
  };
  const filters = Array.from({length: m}, (_, j) => analysis(x.theta.data.subarray(j*points, (j + 1)*points)).map((c, k) => {
    const r = q.delta*Math.sqrt(lambda[k]);
    return c*q.gain/Math.SQRT2*Math.min(2*r, (r + 0.5)**-q.beta);
  }));
  return a => {
    const c = analysis(a[0]), u = x.offset ? Float64Array.from(x.offset.data) : new Float64Array(points);
    filters.forEach((filter, j) => {
      const own = c.map((v, k) => v*filter[k]), b = x.bias ? x.bias.data[j] : 0;
      for (let i = 0; i < points; i++) {
        let sum = b;
        for (let k = 0; k < modes; k++) sum += own[k]*E[i*modes + k];
        u[i] += alpha[j]/m*activation(sum);
      }
    });
    return [u];
  };
}

// The error function, by its series near zero and a continued fraction farther away.
function erf(v) {
  const z = Math.abs(v);
  if (z > 6) return Math.sign(v);
  if (z < 2.5) {
    let term = z, sum = z;
    for (let k = 1; Math.abs(term) > 1e-17*sum; k++) { term *= -z*z/k; sum += term/(2*k + 1); }
    return Math.sign(v)*2/Math.sqrt(Math.PI)*sum;
  }
  let tail = 0;
  for (let k = 60; k > 0; k--) tail = k/2/(z + tail);
  return Math.sign(v)*(1 - Math.exp(-z*z)/Math.sqrt(Math.PI)/(z + tail));
}

// A Fourier neural operator: layers v -> GELU(A v + b + F^-1[R F v]) between linear maps at each point.
function neural(p, x, s) {
  const rows = s.periodic ? Math.max(1, s.rows - 1) : s.rows, columns = s.periodic ? s.columns - 1 : s.columns;
  const pad = n => s.periodic ? n : n + Math.max(4, Math.floor(n/16));
  const n1 = s.dims === 2 ? pad(rows) : 1, n2 = pad(columns), N = n1*n2, run = transform(n1, n2);
  const width = p.width, m1 = s.dims === 2 ? p.modes[0] : 0, m2 = p.modes[p.modes.length - 1];
  const down = s.dims === 2 ? [...Array(m1).keys(), ...Array.from({length: m1}, (_, k) => n1 - m1 + k)] : [0];
  const gelu = v => v*(1 + erf(v/Math.SQRT2))/2;
  // A x + b at each point, x being a list of channels.
  const mixed = (A, b, x) => Array.from(b, (shift, o) => {
    const u = new Float64Array(x[0].length).fill(shift);
    x.forEach((channel, i) => {
      const factor = A[o*x.length + i];
      for (let k = 0; k < u.length; k++) u[k] += factor*channel[k];
    });
    return u;
  });
  const points = rows*columns, square = width*width;
  return a => {
    let v = a.map((c, i) => distinct(c, s).map(value => (value - p.input_shift[i])/p.input_unit[i]));
    if (p.placed) {
      if (s.dims === 2) v.push(Float64Array.from({length: points}, (_, k) => Math.floor(k/columns)/rows));
      v.push(Float64Array.from({length: points}, (_, k) => k % columns/columns));
    }
    v = mixed(x.lift.data, x.lift_shift.data, v).map(c => {
      const wide = new Float64Array(N);
      for (let i = 0; i < rows; i++) wide.set(c.subarray(i*columns, (i + 1)*columns), i*n2);
      return wide;
    });
    for (let l = 0; l < p.layers; l++) {
      const spectra = v.map(c => run({re: Float64Array.from(c), im: new Float64Array(N)}, -1));
      const next = mixed(x.local.data.subarray(l*square, (l + 1)*square), x.local_shift.data.subarray(l*width, (l + 1)*width), v);
      for (let o = 0; o < width; o++) {
        const z = {re: new Float64Array(N), im: new Float64Array(N)};
        for (let i = 0; i < width; i++) {
          let at = ((l*width + o)*width + i)*down.length*m2*2;
          for (const k1 of down) {
            for (let k2 = 0; k2 < m2; k2++, at += 2) {
              const k = k1*n2 + k2, re = x.spectra.data[at], im = x.spectra.data[at + 1];
              // the real part of a sum over half of the frequencies counts each of the others by its conjugate
              const factor = (k2 === 0 ? 1 : 2)/N;
              z.re[k] += factor*(spectra[i].re[k]*re - spectra[i].im[k]*im);
              z.im[k] += factor*(spectra[i].re[k]*im + spectra[i].im[k]*re);
            }
          }
        }
        run(z, 1);
        for (let k = 0; k < N; k++) {
          const value = next[o][k] + z.re[k];
          next[o][k] = l < p.layers - 1 ? gelu(value) : value;
        }
      }
      v = next;
    }
    v = v.map(c => {
      const own = new Float64Array(points);
      for (let i = 0; i < rows; i++) own.set(c.subarray(i*n2, i*n2 + columns), i*columns);
      return own;
    });
    const hidden = mixed(x.hidden.data, x.hidden_shift.data, v).map(c => c.map(gelu));
    return mixed(x.last.data, x.last_shift.data, hidden).map((c, o) =>
      closed(c.map((value, k) => p.output_deviation*value + x.output_mean.data[o*points + k]), s));
  };
}
