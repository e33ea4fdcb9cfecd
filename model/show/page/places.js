// Places: how the values of a function lie in a picture. A view has the first and the count of its values, order and t,
// the points of a curve and their places from 0 to 1 along its axis, map, whether it is a map, and the point in its middle.

function gridView() {
  const [rows, columns] = data.grid, map = rows > 1;
  return {
    from: 0, count: rows*columns, map, axis: data.axis,
    order: Array.from({length: columns}, (_, k) => k),
    t: Array.from({length: columns}, (_, k) => k/(columns - 1)),
    middle: map ? Math.floor(rows/2)*columns + Math.floor(columns/2) : Math.floor(columns/2),
    nearest: t => Math.max(0, Math.min(columns - 1, Math.round(t*(columns - 1)))),
    name: k => map ? `at (${[Math.floor(k/columns)/(rows - 1), k % columns/(rows - 1)].map(short)})` :
      `at ${short(data.axis[0] + (data.axis[1] - data.axis[0])*k/(columns - 1))}`,
  };
}

// placed completes the view of points of any geometry: a curve over the sorted coordinate or over the numbers of points,
// or a map of pixels, each of which shows a point near it.
function placed(view) {
  const at = decoded(view.at), {axes, count} = view, axis = k => Array.from({length: count}, (_, i) => at[i*axes + k]);
  const lows = [], highs = [];
  for (let k = 0; k < axes; k++) {
    lows.push(axis(k).reduce((x, y) => Math.min(x, y)));
    highs.push(axis(k).reduce((x, y) => Math.max(x, y)));
  }
  const extent = axes ? Math.max(...highs.map((h, k) => h - lows[k])) || 1 : Math.max(1, count - 1);
  const away = (i, place) => Math.hypot(...place.map((v, k) => at[i*axes + k] - v));
  const place = i => Array.from(at.subarray(i*axes, (i + 1)*axes));
  const closest = (from, among = () => true) => { // the point that is nearest to some coordinates, of the first axes
    let best = -1, least = Infinity;
    for (let i = 0; i < count; i++) {
      const d = away(i, from);
      if (d < least && among(i)) { best = i; least = d; }
    }
    return best;
  };
  const distance = (i, k) => (axes ? away(i, place(k)) : Math.abs(i - k))/extent;
  const all = {
    ...view, map: view.side > 0, distance,
    name: i => axes ? `at (${place(i).map(short).join(", ")})` : `number ${i + 1}`,
    smooth(c, old) { // means over the points nearby, by their distances
      const near = 0.04;
      for (let i = 0; i < count; i++) {
        let sum = 0, weight = 0;
        for (let k = 0; k < count; k++) {
          const d = distance(i, k);
          if (d > 3*near) continue;
          const w = Math.exp(-d*d/(2*near*near));
          sum += w*old[k];
          weight += w;
        }
        c[i] = sum/weight;
      }
    },
  };
  if (!all.map) {
    const x = axes ? axis(0) : Array.from({length: count}, (_, i) => i + 1);
    all.order = Array.from({length: count}, (_, i) => i).sort((i, k) => x[i] - x[k]);
    all.axis = [x[all.order[0]], x[all.order[count - 1]]];
    all.t = all.order.map(i => (x[i] - all.axis[0])/(all.axis[1] - all.axis[0] || 1));
    all.middle = Math.floor(count/2);
    all.nearest = t => all.t.reduce((best, v, k) => Math.abs(v - t) < Math.abs(all.t[best] - t) ? k : best, 0);
    return all;
  }
  const bytes = Uint8Array.from(atob(view.nearest), c => c.charCodeAt(0));
  all.pixels = new Uint32Array(bytes.buffer); // 1 + point, 0 outside
  all.middle = closest(lows.slice(0, 2).map((v, k) => (v + highs[k])/2));
  all.pixel = (x, y, box) => { // the point under the pointer, or the nearest one
    const side = mapSide(box.width, box.height), from = (v, k) => view.low[k] + (view.high[k] - view.low[k])*v/side;
    const i = Math.floor(x/side*view.side), j = Math.floor((1 - y/side)*view.side);
    const shown = i >= 0 && j >= 0 && i < view.side && j < view.side ? all.pixels[i*view.side + j] : 0;
    return shown ? shown - 1 : closest([from(x, 0), from(side - y, 1)]);
  };
  all.walk = (k, right, up) => { // the nearest point on that side
    const here = place(k), towards = i => right*(at[i*axes] - here[0]) + up*(at[i*axes + 1] - here[1]);
    const next = closest([here[0] + right*extent/25, here[1] + up*extent/25], i => towards(i) > 1e-9*extent);
    return next < 0 ? k : next;
  };
  all.spot = (k, side) => [0, 1].map(axis => { // where a point lies in a picture
    const t = (at[k*axes + axis] - view.low[axis])/(view.high[axis] - view.low[axis] || 1);
    return axis === 0 ? t*side : (1 - t)*side;
  });
  return all;
}

// The side of a map in a picture, beside which a bar tells the values of colours.
const barWidth = 74;
const mapSide = (w, h) => Math.min(w - barWidth, h);

function paintPoints(canvas, of, values) {
  const {g, w, h} = sized(canvas), [low, high] = range(of, [values]), view = viewOf(of), n = view.side;
  const image = new ImageData(n, n), side = mapSide(w, h);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) { // x1 to the right, x2 up; nothing outside of the points
      const shown = view.pixels[i*n + j];
      if (shown) image.data.set([...ramp((values[shown - 1] - low)/(high - low)), 255], 4*((n - 1 - j)*n + i));
    }
  }
  const small = new OffscreenCanvas(n, n);
  small.getContext("2d").putImageData(image, 0, 0);
  g.imageSmoothingEnabled = false;
  g.drawImage(small, 0, 0, side, side);
  for (let y = 0; y < side; y++) {
    g.fillStyle = `rgb(${ramp(1 - y/side).join()})`;
    g.fillRect(side + 10, y, 12, 1.5);
  }
  g.font = "12px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.textAlign = "left";
  g.fillStyle = color("faint");
  for (const tick of ticks(low, high, 6)) {
    const y = side*(1 - (tick - low)/(high - low));
    if (y > 7 && y < side - 7) g.fillText(String(tick), side + 27, y);
  }
  if (of === "input" && document.activeElement === canvas) mark(g, ...view.spot(cursor, side));
}

// mark draws the cursor of the keys on a map.
function mark(g, x, y) {
  for (const [ink, thick] of [["#000", 4], ["#fff", 2]]) {
    g.strokeStyle = ink;
    g.lineWidth = thick;
    g.beginPath();
    g.moveTo(x - 7, y); g.lineTo(x + 7, y);
    g.moveTo(x, y - 7); g.lineTo(x, y + 7);
    g.stroke();
  }
}

