// Operators that change the prediction of another one, and the features of a solver. As in core.js, p is a part of the
// operator, x its arrays, s the grid.

// The arrays of a part of a part.
function within(x, prefix) {
  const own = {};
  for (const name in x) {
    if (name.startsWith(prefix)) own[name.slice(prefix.length)] = x[name];
  }
  return own;
}

function stacked(p, x, s) {
  const first = prepared(p.first, within(x, "first_"), s), second = prepared(p.second, within(x, "second_"), s);
  return a => {
    const u = first(a), v = second(a);
    return u.map((c, i) => c.map((value, k) => value + v[i][k]));
  };
}

// A prediction of low fidelity, and what is added to it, which depends on the input and perhaps on that prediction.
function staged(p, x, s) {
  const low = prepared(p.low, within(x, "low_"), s), rest = prepared(p.rest, within(x, "rest_"), s);
  return a => {
    const v = low(a);
    return rest(p.sees_low ? [...a, ...v] : a).map((c, i) => c.map((w, k) => w + v[i][k]));
  };
}

// Local layers: v + sum_j c_j sin(w_j . z), where z has values of a and of the prediction v around each point, perhaps the
// point, and 1.
function layer(p, x, s) {
  const points = s.rows*s.columns, look = s.at ? lookAround(s, p.whole) : lookAlong(s, p.whole);
  const first = p.first ? prepared(p.first, within(x, "first_"), s) : null;
  const weights = x.layer_weights.data, coefficients = x.layer_coefficients.data, m = coefficients.length;
  return a => {
    const means = p.means || [0];
    const v = first ? first(a) : means.map(value => new Float64Array(points).fill(value));
    const seen = [];
    for (const f of first ? [...a, ...v] : a) seen.push(...look(f));
    if (p.placed) seen.push(...(s.at ? placesAmong(s) : places(s)));
    seen.push(new Float64Array(points).fill(1));
    const each = m/v.length, sum = new Float64Array(m), u = v.map(c => Float64Array.from(c));
    for (let k = 0; k < points; k++) {
      sum.fill(0);
      seen.forEach((f, i) => {
        for (let j = 0; j < m; j++) sum[j] += f[k]*weights[i*m + j];
      });
      for (let j = 0; j < m; j++) u[Math.floor(j/each)][k] += Math.sin(sum[j])*coefficients[j];
    }
    return u;
  };
}

// A law of the value at each point and the point, plus means of features over all points times functions: z has values of a
// at a point, the point, and 1.
function pointwise(p, x, s) {
  const points = s.rows*s.columns, at = s.at ? placesAmong(s) : places(s), quadrature = means(s);
  const law = x.layer_weights.data, coefficients = x.layer_coefficients.data;
  const weights = x.integral_weights.data, functions = x.integral_coefficients.data, constant = x.constant.data;
  const one = new Float64Array(points).fill(1), channels = constant.length/points;
  return a => {
    const seen = [...a, ...at, one], count = weights.length/seen.length, m = coefficients.length;
    const u = Float64Array.from(constant), own = new Float64Array(m), all = new Float64Array(count);
    const integrals = new Float64Array(count);
    const phases = (to, w, k) => {
      to.fill(0);
      seen.forEach((f, i) => {
        for (let j = 0; j < to.length; j++) to[j] += f[k]*w[i*to.length + j];
      });
    };
    for (let k = 0; k < points; k++) {
      phases(all, weights, k);
      for (let j = 0; j < count; j++) integrals[j] += quadrature[k]*Math.sin(all[j]);
      phases(own, law, k);
      for (let j = 0; j < m; j++) u[Math.floor(j*channels/m)*points + k] += Math.sin(own[j])*coefficients[j];
    }
    for (let j = 0; j < count; j++) {
      for (let o = 0; o < u.length; o++) u[o] += integrals[j]*functions[j*u.length + o];
    }
    return Array.from({length: channels}, (_, c) => u.subarray(c*points, (c + 1)*points));
  };
}

// The weights of the mean of a function.
function means(s) {
  if (s.at) return s.weights;
  const line = n => Array.from({length: n}, (_, i) => {
    if (n === 1) return 1;
    if (s.cells) return 1/n;
    return (i === 0 || i === n - 1 ? 0.5 : 1)/(n - 1);
  });
  const across = line(s.columns);
  return line(s.rows).flatMap(v => across.map(w => v*w));
}

// What a layer sees of a function on a grid: its values, those at places around each point, and perhaps its mean.
function lookAlong(s, whole) {
  const w = waves(s), N = w.N, points = s.rows*s.columns;
  const intervals = (s.dims === 2 ? s.rows : s.columns) - (s.cells ? 0 : 1);
  const taps = tapsAround(w, s.dims, intervals);
  return f => {
    const seen = [f], z = w.of(f);
    for (const t of taps) {
      const moved = {re: new Float64Array(N), im: new Float64Array(N)};
      for (let i = 0; i < N; i++) {
        moved.re[i] = (z.re[i]*t.re[i] - z.im[i]*t.im[i])/N;
        moved.im[i] = (z.re[i]*t.im[i] + z.im[i]*t.re[i])/N;
      }
      seen.push(w.cut(w.run(moved, 1).re));
    }
    if (whole) seen.push(new Float64Array(points).fill(z.re[0]/N)); // its mean
    return seen;
  };
}

// The same for a function at points of any geometry.
function lookAround(s, whole) {
  s.around ??= meansAround(s); // all layers look around the same points
  const {around, weights} = s, total = f => weights.reduce((sum, v, i) => sum + v*f[i], 0);
  return f => [f, ...around.map(mean => mean(f)), ...(whole ? [new Float64Array(f.length).fill(total(f))] : [])];
}

// Maps of a function to its values at places around each point, which are means of the points near them.
function meansAround(s) {
  const {axes} = s, count = s.at.length/axes, side = longest(s.at, axes);
  const at = s.at.map(v => v/side), nearest = boxed(at, axes), maps = [];
  for (const distance of [[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96], [8, 20, 48, 96], [12, 40]][axes - 1]) {
    for (const direction of directions(axes)) {
      const points = [], shares = [];
      for (let i = 0; i < count; i++) {
        const found = nearest(direction.map((d, k) => at[i*axes + k] + distance/256*d), 12);
        const width = Math.max(distance/4/256, Math.sqrt(found[Math.min(2, found.length - 1)].square));
        const each = found.map(f => Math.exp((found[0].square - f.square)/(2*width*width)));
        const total = each.reduce((sum, v) => sum + v, 0);
        points.push(found.map(f => f.point));
        shares.push(each.map(v => v/total));
      }
      maps.push(f => f.map((_, i) => points[i].reduce((sum, point, k) => sum + shares[i][k]*f[point], 0)));
    }
  }
  return maps;
}

// Directions of length one: both of a line, eight in the plane, in space those to the faces and corners of a cube.
function directions(axes) {
  const all = [], steps = [-1, 0, 1], none = [0];
  for (const x of steps) {
    for (const y of axes > 1 ? steps : none) {
      for (const z of axes > 2 ? steps : none) {
        const square = x*x + y*y + z*z;
        if (square > 0 && !(axes === 3 && square === 2)) all.push([x, y, z].slice(0, axes).map(v => v/Math.sqrt(square)));
      }
    }
  }
  return all;
}

// The least and the largest coordinate along each axis.
function sidesOf(at, axes) {
  return Array.from({length: axes}, (_, k) => {
    let low = Infinity, high = -Infinity;
    for (let i = k; i < at.length; i += axes) {
      low = Math.min(low, at[i]);
      high = Math.max(high, at[i]);
    }
    return [low, high];
  });
}

// The longest side.
const longest = (at, axes) => Math.max(...sidesOf(at, axes).map(([low, high]) => high - low));

// boxed returns a function that finds the points nearest to a place, in boxes of equal size as the program has them, so
// that the same ones are found far outside.
function boxed(at, axes) {
  const count = at.length/axes, sides = sidesOf(at, axes), lengths = sides.map(([low, high]) => high - low);
  const long = lengths.filter(v => v > 0), each = 3;
  const volume = long.reduce((product, v) => product*v, 1);
  const size = Math.max((each*volume/count)**(1/Math.max(1, long.length)), Math.max(...lengths)/count);
  const most = [0, 1, 2].map(k => k < axes ? Math.floor(lengths[k]/size) : 0), boxes = new Map();
  const boxOf = place => [0, 1, 2].map(k =>
    k < axes ? Math.max(0, Math.min(most[k], Math.floor((place[k] - sides[k][0])/size))) : 0);
  for (let i = 0; i < count; i++) {
    const key = boxOf(at.subarray(i*axes, (i + 1)*axes)).join();
    if (!boxes.has(key)) boxes.set(key, []);
    boxes.get(key).push(i);
  }
  return (place, wanted) => {
    const centre = boxOf(place), found = [];
    for (let ring = 0, enough = -1, inside = true; inside && !(enough >= 0 && ring > enough + 1); ring++) {
      inside = false;
      const range = k => [Math.max(0, centre[k] - ring), Math.min(most[k], centre[k] + ring)], [xs, ys, zs] = [0, 1, 2].map(range);
      for (let x = xs[0]; x <= xs[1]; x++) {
        for (let y = ys[0]; y <= ys[1]; y++) {
          for (let z = zs[0]; z <= zs[1]; z++) {
            if (Math.max(Math.abs(x - centre[0]), Math.abs(y - centre[1]), Math.abs(z - centre[2])) < ring) continue;
            inside = true;
            for (const point of boxes.get([x, y, z].join()) || []) {
              let square = 0;
              for (let k = 0; k < axes; k++) square += (at[point*axes + k] - place[k])**2;
              found.push({point, square});
            }
          }
        }
      }
      if (enough < 0 && found.length >= wanted) enough = ring;
    }
    return found.sort((a, b) => a.square - b.square || a.point - b.point).slice(0, wanted);
  };
}

// The coordinates of points of any geometry, in the longest side.
function placesAmong(s) {
  const {at, axes} = s, side = longest(at, axes);
  return Array.from({length: axes}, (_, k) => Float64Array.from({length: at.length/axes}, (_, i) => 2*Math.PI*at[i*axes + k]/side));
}

// The Fourier multipliers that move functions by distances in several directions, and smooth them the more the farther.
function tapsAround(w, dims, intervals) {
  const angles = dims === 2 ? 8 : 2;
  const radii = dims === 2 ? [8, 20, 48, 96] : [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96];
  // at the highest frequency of an even number of points only the real part counts
  const factor = (frequency, count, distance, width) => {
    const k = 2*Math.PI*frequency/count*intervals/256, decay = Math.exp(-((k*width)**2)/2);
    const highest = 2*Math.abs(frequency) === count;
    return [decay*Math.cos(k*distance), highest ? 0 : decay*Math.sin(k*distance)];
  };
  const taps = [];
  for (const radius of radii) {
    for (let i = 0; i < angles; i++) {
      const angle = 2*Math.PI*i/angles, width = Math.max(radius/4, 0.5);
      const t = {re: new Float64Array(w.N), im: new Float64Array(w.N)};
      for (let f = 0; f < w.N; f++) {
        const [re, im] = factor(w.k2[f], w.n2, radius*Math.cos(angle), width);
        const [down, up] = dims === 2 ? factor(w.k1[f], w.n1, radius*Math.sin(angle), width) : [1, 0];
        t.re[f] = re*down - im*up;
        t.im[f] = re*up + im*down;
      }
      taps.push(t);
    }
  }
  return taps;
}

// Functions that tell the place of a point: its coordinates, or waves of them on periodic domains.
function places(s) {
  const all = [], add = f => all.push(Float64Array.from({length: s.rows*s.columns}, (_, k) => f(k)));
  const axes = [[k => k % s.columns, s.columns]];
  if (s.dims === 2) axes.unshift([k => Math.floor(k/s.columns), s.rows]);
  for (const [at, count] of axes) {
    const angle = k => 2*Math.PI*at(k)/(count - (s.periodic ? 1 : 0));
    if (s.periodic) {
      add(k => Math.cos(angle(k)));
      add(k => Math.sin(angle(k)));
    } else {
      add(angle);
    }
  }
  return all;
}

// Outputs whose graphs have been moved sideways, (x, u) -> (x - g(u), u), or logits.
function sheared(p, x, s) {
  const of = prepared(p.of, x, s);
  if (!p.levels) {
    const low = p.least || 0, high = p.most || 0, margin = p.margin || 0;
    return a => of(a).map(c => c.map(u => {
      const z = (1/(1 + Math.exp(-u)) - margin)/(1 - 2*margin);
      return low + (high - low)*Math.min(Math.max(z, 0), 1);
    }));
  }
  const g = p.shifts, v = p.levels, order = Math.sign(g[1] - g[0]);
  const level = shift => { // linear between the known ones
    let j = g.findIndex(value => order*value >= order*shift);
    j = Math.min(Math.max(j < 0 ? g.length : j, 1), g.length - 1);
    return v[j - 1] + (shift - g[j - 1])*(v[j] - v[j - 1])/(g[j] - g[j - 1]);
  };
  return a => of(a).map(c => {
    const n = c.length - 1, at = Float64Array.from({length: n}, (_, i) => i/n);
    const back = inverse(at.map((t, i) => t + c[i]), at), u = new Float64Array(n + 1);
    for (let i = 0; i < n; i++) u[i] = level(at[i] - back[i]);
    u[n] = u[0];
    return u;
  });
}

// The inverse of the increasing function with these values on [0, 1), by monotone cubics.
function inverse(y, at) {
  const n = y.length, whole = y.reduce((sum, v) => sum + Math.floor(v), 0);
  const sorted = y.map(v => v - Math.floor(v)).sort(), X = [], Y = [];
  for (let k = -4; k < n + 4; k++) {
    X.push(sorted[(k % n + n) % n] + Math.floor(k/n) + 1e-11*(k + 4));
    Y.push((k - whole)/n);
  }
  const h = [], slopes = [], d = new Float64Array(X.length);
  for (let k = 0; k + 1 < X.length; k++) {
    h.push(X[k + 1] - X[k]);
    slopes.push((Y[k + 1] - Y[k])/h[k]);
  }
  for (let k = 1; k + 1 < X.length; k++) {
    d[k] = 3*(h[k - 1] + h[k])/((2*h[k] + h[k - 1])/slopes[k - 1] + (h[k] + 2*h[k - 1])/slopes[k]);
  }
  return at.map(place => {
    let j = X.findIndex(value => value > place) - 1;
    j = Math.min(Math.max(j < -1 ? X.length : j, 0), h.length - 1);
    const t = (place - X[j])/h[j];
    return ((2*t + 1)*Y[j] + t*h[j]*d[j])*(1 - t)**2 + ((3 - 2*t)*Y[j + 1] + (t - 1)*h[j]*d[j + 1])*t*t;
  });
}

// Matrices {rows, columns, data}, row-major.

function matrix(rows, columns, value) {
  const data = new Float64Array(rows*columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) data[i*columns + j] = value(i, j);
  }
  return {rows, columns, data};
}

function times(A, B) {
  const C = matrix(A.rows, B.columns, () => 0);
  for (let i = 0; i < A.rows; i++) {
    for (let k = 0; k < A.columns; k++) {
      const factor = A.data[i*A.columns + k];
      if (factor === 0) continue;
      for (let j = 0; j < B.columns; j++) C.data[i*B.columns + j] += factor*B.data[k*B.columns + j];
    }
  }
  return C;
}

const turnedMatrix = A => matrix(A.columns, A.rows, (i, j) => A.data[j*A.columns + i]);

// A map along each of both axes of a function.
const both = ([down, across], f) => times(times(down, f), turnedMatrix(across));

// Values and slopes along an axis of cos or sin of pi k x, with both for each even k if periodic, and k.
function modesAlong(points, count, of, periodic, cells) {
  const k = [], odd = [];
  for (let i = 0; i < count; i++) {
    k.push(periodic ? 2*Math.floor((i + 1)/2) : i + (of === "sines" ? 1 : 0));
    odd.push(periodic ? i % 2 === 0 : of === "sines");
  }
  const place = i => (i + (cells ? 0.5 : 0))/(points - (cells ? 0 : 1));
  const wave = (i, j, shift) => Math.sin(Math.PI*(place(i)*k[j] + (odd[j] ? 0 : 0.5) + shift));
  return {
    k,
    values: matrix(points, count, (i, j) => k[j] === 0 ? 1 : wave(i, j, 0)),
    slopes: matrix(points, count, (i, j) => Math.PI*k[j]*wave(i, j, 0.5)),
  };
}

// One axis of the basis of corrections: frequencies, own values and their analysis, values and slopes on the inner grid, and
// the analyses there.
function basisAlong(points, count, unit, of, s) {
  const one = value => matrix(1, 1, () => value);
  if (points === 1) {
    return {k: [0], own: one(1), analysis: one(1), values: one(1), slopes: one(0), synthesis: one(1), weak: one(0)};
  }
  const outer = modesAlong(points, count, of, s.periodic, s.cells), inner = modesAlong(count, count, of, s.periodic, true);
  const weight = i => s.cells || (i > 0 && i < points - 1) ? 1 : 0.5;
  const norms = new Float64Array(count), ownNorms = new Float64Array(count);
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < count; i++) norms[j] += inner.values.data[i*count + j]**2;
    for (let i = 0; i < points; i++) ownNorms[j] += weight(i)*outer.values.data[i*count + j]**2;
  }
  return {
    k: outer.k.map(k => unit*k),
    own: outer.values,
    analysis: matrix(count, points, (j, i) => outer.values.data[i*count + j]*weight(i)/ownNorms[j]),
    values: inner.values,
    slopes: matrix(count, count, (i, j) => unit*inner.slopes.data[i*count + j]),
    synthesis: matrix(count, count, (j, i) => inner.values.data[i*count + j]/norms[j]),
    weak: matrix(count, count, (j, i) => -unit*inner.slopes.data[i*count + j]/norms[j]),
  };
}

// Eigenfunctions of the Laplacian at points of any geometry: coefficients of functions, and smoothed functions of coefficients.
function eigenbasis(functions, values, weights) {
  const E = functions.data, modes = values.data.length, points = weights.length;
  const analysis = f => {
    const c = new Float64Array(modes);
    for (let i = 0; i < points; i++) {
      const v = f[i]*weights[i];
      for (let k = 0; k < modes; k++) c[k] += v*E[i*modes + k];
    }
    return c;
  };
  const synthesis = c => {
    const f = new Float64Array(points);
    for (let i = 0; i < points; i++) {
      let sum = 0;
      for (let k = 0; k < modes; k++) sum += c[k]*E[i*modes + k];
      f[i] = sum;
    }
    return f;
  };
  const smooth = (c, width) => synthesis(c.map((v, k) => v*Math.exp(-values.data[k]/Math.PI**2/(2*width*width))));
  return {analysis, synthesis, smooth, modes};
}

// Corrections at points of any geometry. Fluxes go over edges between points.
function correctedAtPoints(p, x, s) {
  const first = prepared(p.first, within(x, "first_"), s), points = s.columns, weights = s.weights;
  const inputs = eigenbasis(x.input_eigenfunctions, x.input_eigenvalues, weights);
  const basis = x.output_eigenfunctions ? eigenbasis(x.output_eigenfunctions, x.output_eigenvalues, weights) : inputs;
  const edges = x.correction_edges.data, features = x.correction_features.data, alpha = x.corrections.data;
  const outputs = x.mean_output.data.length/points, kinds = ["v", "1", "flux", "v", "ubar", "flux"];
  const channel = (f, c) => f.subarray(c*points, (c + 1)*points);
  const means = Array.from({length: outputs}, (_, c) => basis.smooth(basis.analysis(channel(x.mean_output.data, c)), Infinity));
  const flux = (c, g) => { // div(c grad g)
    const sum = new Float64Array(points);
    for (let e = 0; e < edges.length; e += 3) {
      const i = edges[e], j = edges[e + 1], flow = edges[e + 2]*(c[i] + c[j])/2*(g[j] - g[i]);
      sum[i] += flow;
      sum[j] -= flow;
    }
    return sum.map((v, i) => v/weights[i]);
  };
  return a => {
    const seen = a.map(f => inputs.analysis(Float64Array.from(f, v => ((p.log ? Math.log(v) : v) - p.shift)/p.input)));
    const v = first(a).map(f => Float64Array.from(f, value => value/p.output));
    for (let step = 0; step < p.steps; step++) {
      const felt = v.map(basis.analysis), sums = v.map(() => new Float64Array(basis.modes));
      for (let n = 0; n < p.count; n++) {
        const at = step*p.count + n, f = features.subarray(at*5, at*5 + 5);
        const kind = kinds[n % kinds.length], q = Math.floor(n/kinds.length), turn = Math.floor(q/outputs);
        const ofInput = inputs.smooth(seen[Math.floor(turn/outputs) % a.length], f[0]);
        const ofPrediction = basis.smooth(felt[turn % outputs], f[1]);
        const c = ofInput.map((value, i) => Math.cos(f[2]*value + f[3]*ofPrediction[i] + f[4]));
        let phi = c;
        if (kind === "flux") phi = flux(c, basis.smooth(felt[q % outputs], f[1]));
        if (kind === "ubar") phi = c.map((value, i) => value*means[q % outputs][i]);
        if (kind === "v") {
          const g = basis.smooth(felt[q % outputs], f[1]);
          phi = c.map((value, i) => value*g[i]);
        }
        const waves = basis.analysis(phi);
        sums.forEach((sum, o) => {
          const first = (at*outputs + o)*basis.modes;
          waves.forEach((value, k) => { sum[k] += value*alpha[first + k]; });
        });
      }
      sums.forEach((sum, o) => basis.synthesis(sum).forEach((value, i) => { v[o][i] += value; }));
    }
    return v.map(f => f.map(value => p.output*value));
  };
}

// Steps v + sum_j alpha_j * phi_j(a, v) from a kernel's prediction v; * convolves in a basis.
function corrected(p, x, s) {
  if (x.correction_edges) return correctedAtPoints(p, x, s);
  const first = prepared(p.first, within(x, "first_"), s), flat = s.dims === 1, of = p.basis;
  const [rows, columns] = p.aspect || [1, 1], shape = [flat ? 1 : s.rows, s.columns], units = [1, rows/columns];
  const axes = basis => shape.map((n, axis) => basisAlong(n, p.modes[axis], units[axis], basis, s));
  const see = axes(of === "sines" ? "cosines" : of), say = axes(of);
  const smooth = (lines, to, width) => lines.map(l => times(l[to], matrix(l.analysis.rows, l.analysis.columns, (i, j) =>
    Math.exp(-(l.k[i]**2)/(2*width**2))*l.analysis.data[i*l.analysis.columns + j])));
  const S = say.map(l => l.synthesis), P = say.map(l => l.weak), own = say.map(l => l.own);
  const kinds = flat ? ["v", "1", "flux", "v", "ubar", "flux"] : ["v", "ubar", "flux"];
  const points = s.rows*s.columns, outputs = x.mean_output.data.length/points, features = x.correction_features.data;
  const onGrid = f => ({rows: shape[0], columns: shape[1], data: f});
  const means = Array.from({length: outputs}, (_, c) =>
    both(smooth(say, "values", Infinity), onGrid(x.mean_output.data.subarray(c*points, (c + 1)*points))));
  const numbers = of === "fourier" ? 2 : 1, coefficients = x.corrections.data;
  // what does not depend on the input, for each feature
  const prepare = at => {
    const f = features.subarray(at*5, at*5 + 5), j = at % p.count, q = Math.floor(j/kinds.length), kind = kinds[j % kinds.length];
    const V = smooth(say, "values", f[1]), D = smooth(say, "slopes", f[1]), A = smooth(see, "values", f[0]);
    const across = [[V[0], D[1]], [S[0], P[1]]], down = [[D[0], V[1]], [P[0], S[1]]];
    const m = outputs > 1 ? Math.floor(q/outputs) % 3 : 0, mixed = [[across[0], down[1]], [down[0], across[1]]];
    const maps = flat ? [across] : m ? [mixed[m - 1]] : [across, down];
    return {f, j, q, kind, V, A, maps};
  };
  const all = Array.from({length: p.steps*p.count}, (_, at) => prepare(at));
  return a => {
    const inputs = a.map(c => onGrid(c.map(value => ((p.log ? Math.log(value) : value) - p.shift)/p.input)));
    let v = first(a).map(c => onGrid(c.map(value => value/p.output))), step = null;
    all.forEach(({f, j, q, kind, V, A, maps}, at) => {
      const w = v[q % outputs], chosen = Math.floor(q/outputs);
      const seen = both(A, inputs[Math.floor(chosen/outputs) % inputs.length]), felt = both(V, v[chosen % outputs]);
      const c = seen.data.map((value, k) => Math.cos(f[2]*value + f[3]*felt.data[k] + f[4]));
      const weighted = g => ({rows: g.rows, columns: g.columns, data: g.data.map((value, k) => c[k]*value)});
      let phi;
      if (kind === "flux") {
        for (const [from, to] of maps) {
          const part = both(to, weighted(both(from, w)));
          if (phi) phi.data.forEach((value, k) => { phi.data[k] = value + part.data[k]; });
          else phi = part;
        }
      } else {
        const ones = {rows: seen.rows, columns: seen.columns, data: new Float64Array(c.length).fill(1)};
        phi = both(S, weighted(kind === "v" ? both(V, w) : kind === "ubar" ? means[q % outputs] : ones));
      }
      const size = phi.data.length, begin = at*numbers*outputs*size;
      if (j === 0) step = Array.from({length: outputs}, () => matrix(phi.rows, phi.columns, () => 0));
      step.forEach((sum, o) => {
        for (let k = 0; k < size; k++) sum.data[k] += phi.data[k]*coefficients[begin + o*size + k];
        if (numbers === 1) return;
        for (let k = 0; k < size; k++) { // sines and cosines of one frequency
          const i = k % phi.columns;
          if (i > 0) sum.data[k] += phi.data[k - i + i - 1 + 2*(i % 2)]*coefficients[begin + (outputs + o)*size + k];
        }
      });
      if (j === p.count - 1) {
        v = v.map((sum, o) => {
          const added = both(own, step[o]);
          return onGrid(sum.data.map((value, k) => value + added.data[k]));
        });
      }
    });
    return v.map(c => c.data.map(value => p.output*value));
  };
}

// Fixed point iterations for -div(a grad u) = source, random functions averaged with alpha to sigma: the features of the
// Darcy solver, summed.
function predictorCorrector(p, x, s) {
  const n = s.columns - 1, inner = n - 1, w = waves(s);
  const d = k => 2 - 2*Math.cos(Math.PI*k/n);
  const sines = matrix(inner, inner, (i, j) => Math.sin(Math.PI*(i + 1)*(j + 1)/n));
  const inverted = matrix(inner, inner, (i, j) => 4/n**4/(d(i + 1) + d(j + 1)));
  const poisson = f => { // the values at all points of the solution of Poisson's equation
    const z = times(times(sines, f), sines);
    z.data.forEach((value, k) => { z.data[k] = value*inverted.data[k]; });
    const u = times(times(sines, z), sines), all = new Float64Array((n + 1)**2);
    for (let i = 0; i < inner; i++) all.set(u.data.subarray(i*inner, (i + 1)*inner), (i + 1)*(n + 1) + 1);
    return all;
  };
  const at = (i, j) => i*(n + 1) + j;
  const gradient = f => [
    matrix(inner, inner, (i, j) => n/2*(f[at(i + 2, j + 1)] - f[at(i, j + 1)])),
    matrix(inner, inner, (i, j) => n/2*(f[at(i + 1, j + 2)] - f[at(i + 1, j)])),
  ];
  const within = f => matrix(inner, inner, (i, j) => f[at(i + 1, j + 1)]);
  const sigma1 = within(x.sigma1.data), sigma2 = within(x.sigma2.data);
  const c = p.step*p.eta*n*n, parts = c > 0.25 ? Math.ceil(8*c) : 1;
  const heat = Float64Array.from({length: w.N}, (_, k) =>
    (1 - c/parts*(d(w.k1[k]) + d(w.k2[k])))**(p.steps*parts)/w.N);
  return a => {
    const z = w.of(a[0]);
    for (let k = 0; k < w.N; k++) { z.re[k] *= heat[k]; z.im[k] *= heat[k]; }
    const g = gradient(w.cut(w.run(z, 1).re).map(Math.log));
    const f = matrix(inner, inner, (i, j) => p.mean*p.source/a[0][at(i + 1, j + 1)]);
    const plus = more => matrix(inner, inner, (i, j) => f.data[i*inner + j] + more[i*inner + j]);
    let u = poisson(plus(sigma1.data));
    for (let sweep = 0; sweep < Math.max(1, p.sweeps); sweep++) {
      const slopes = gradient(u);
      u = poisson(plus(sigma2.data.map((value, k) =>
        value + g[0].data[k]*slopes[0].data[k] + g[1].data[k]*slopes[1].data[k])));
    }
    return [u];
  };
}
