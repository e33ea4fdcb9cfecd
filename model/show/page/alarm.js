// The alarm: how far an input is from the training inputs, as the posterior deviation of a Gaussian process that has seen
// them, in distances of values, slopes, curvatures and means (package unlike of the program has the formula).

// alarmOf returns the function that tells the deviation of an input over its limit, or null without training inputs.
function alarmOf(data) {
  if (!data.alarm) return () => null;
  const {rows, columns, units, lengths, limit} = data.alarm, weights = [0.5, 0.25, 0.25, 0.25], size = rows*columns;
  const references = decoded(data.alarm.references), count = references.length/(size*units.length);
  const stride = (fine, few) => data.cells ? fine/few : few > 1 ? (fine - 1)/(few - 1) : 1;
  const down = stride(data.grid[0], rows), across = stride(data.grid[1], columns);

  const coarse = f => { // values on the grid of the training inputs, or means over its cells
    const c = new Float64Array(size);
    if (data.alarm.every) return c.map((_, k) => f[k*data.alarm.every]); // at points, some of the values
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        if (!data.cells) {
          c[i*columns + j] = f[i*down*data.grid[1] + j*across];
          continue;
        }
        for (let y = 0; y < down; y++) {
          for (let x = 0; x < across; x++) c[i*columns + j] += f[(i*down + y)*data.grid[1] + j*across + x]/(down*across);
        }
      }
    }
    return c;
  };
  const part = (i, points) => data.cells || points === 1 ? 1/points : (i === 0 || i === points - 1 ? 0.5 : 1)/(points - 1);
  const mean = f => {
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) sum += part(i, rows)*part(j, columns)*f[i*columns + j];
    }
    return sum;
  };
  const differences = (f, p) => {
    if (p === 0) return Array.from(f);
    if (p === 3) return [mean(f)*Math.sqrt(size)];
    const all = [], add = (at, step) => all.push(p === 1 ? f[at + step] - f[at] : f[at + 2*step] - 2*f[at + step] + f[at]);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j + p < columns; j++) add(i*columns + j, 1);
    }
    for (let j = 0; rows > 1 && j < columns; j++) {
      for (let i = 0; i + p < rows; i++) add(i*columns + j, columns);
    }
    return all;
  };
  const coordinates = channels => {
    const all = [];
    lengths.forEach((length, p) => {
      if (length === 0) return;
      channels.forEach((f, c) => {
        for (const d of differences(f, p)) all.push(d/units[c]*Math.sqrt(weights[p])/length);
      });
    });
    return Float64Array.from(all);
  };
  const matern = (a, b) => {
    let square = 0;
    for (let k = 0; k < a.length; k++) square += (a[k] - b[k])**2;
    const r = Math.sqrt(5*square);
    return (1 + r + r*r/3)*Math.exp(-r);
  };

  const known = Array.from({length: count}, (_, i) => coordinates(Array.from({length: units.length}, (_, c) =>
    references.subarray((i*units.length + c)*size, (i*units.length + c + 1)*size))));
  const factor = known.map((a, i) => Float64Array.from({length: i + 1}, (_, j) => i === j ? 1 + 1e-6 : matern(a, known[j])));
  for (let i = 0; i < count; i++) { // Cholesky
    for (let j = 0; j <= i; j++) {
      let sum = factor[i][j];
      for (let k = 0; k < j; k++) sum -= factor[i][k]*factor[j][k];
      factor[i][j] = i === j ? Math.sqrt(sum) : sum/factor[j][j];
    }
  }
  return a => {
    const own = coordinates(a.map(coarse)), v = new Float64Array(count);
    let square = 1;
    for (let i = 0; i < count; i++) {
      let sum = matern(own, known[i]);
      for (let k = 0; k < i; k++) sum -= factor[i][k]*v[k];
      v[i] = sum/factor[i][i];
      square -= v[i]*v[i];
    }
    return Math.sqrt(Math.max(0, square))/limit;
  };
}
