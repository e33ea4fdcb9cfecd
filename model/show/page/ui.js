// The page: a pen for the input, the prediction at once.

const [rows, columns] = data.grid, points = rows*columns;
const predict = make(data), unlike = alarmOf(data);
const byId = id => document.getElementById(id);
const canvases = {input: byId("input"), output: byId("output")};
let a = [], truth = null, shown = "", channel = {input: 0, output: 0}, cursor = 0, width = 0.06;
let past = [], captions = {input: "", output: ""};
const views = data.places ? data.places.views.map(placed) : [gridView()];
const viewOf = of => views[data.places ? of === "input" ? data.places.inputs[channel.input] : data.places.output : 0];
const inSpace = of => viewOf(of).axes > 2 ? ", seen along x3" : ""; // points in space, as a map shows them
// own is the part of a function that a picture shows; it shares memory with it.
const own = (of, f) => f.subarray(viewOf(of).from, viewOf(of).from + viewOf(of).count);

const copied = f => f.map(c => Float64Array.from(c));
const unpacked = text => {
  const all = decoded(text);
  return Array.from({length: all.length/points}, (_, c) => all.slice(c*points, (c + 1)*points));
};

// The values that a picture shows: those of the training, and what a drawing adds to them.
function range(of, lists) {
  let [low, high] = data.ranges[of][channel[of]];
  for (const f of lists) {
    for (const v of f) { low = Math.min(low, v); high = Math.max(high, v); }
  }
  if (low === high) { low -= 1; high += 1; }
  const margin = 0.06*(high - low);
  return [low - margin, high + margin];
}

function color(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name); }

// sized fits the pixels of a canvas to the screen, and returns its context in units of CSS pixels.
function sized(canvas) {
  const scale = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w*scale) || canvas.height !== Math.round(h*scale)) {
    canvas.width = Math.round(w*scale);
    canvas.height = Math.round(h*scale);
  }
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, w, h);
  return {g, w, h};
}

const frame = {left: 52, right: 8, top: 8, bottom: 22};

function plot(canvas, of, curves) {
  const {g, w, h} = sized(canvas), [low, high] = range(of, curves.map(c => c.values));
  const {t, order, axis} = viewOf(of), end = order.length - 1;
  const X = k => frame.left + (w - frame.left - frame.right)*t[k];
  const Y = v => h - frame.bottom - (h - frame.top - frame.bottom)*(v - low)/(high - low);
  g.font = "12px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.lineWidth = 1;
  for (const tick of ticks(low, high, 5)) {
    g.strokeStyle = color("line");
    g.beginPath(); g.moveTo(X(0), Y(tick)); g.lineTo(X(end), Y(tick)); g.stroke();
    g.fillStyle = color("faint");
    g.textAlign = "right";
    g.fillText(String(tick), frame.left - 6, Y(tick));
  }
  g.textAlign = "center";
  for (const tick of ticks(axis[0], axis[1], 4)) {
    const at = frame.left + (w - frame.left - frame.right)*(tick - axis[0])/(axis[1] - axis[0]);
    g.fillText(String(tick), at, h - frame.bottom/2);
  }
  for (const c of curves) {
    g.strokeStyle = color(c.color);
    g.lineWidth = c.width;
    g.beginPath();
    order.forEach((point, k) => k ? g.lineTo(X(k), Y(c.values[point])) : g.moveTo(X(k), Y(c.values[point])));
    g.stroke();
  }
  if (of === "input" && document.activeElement === canvas) {
    g.strokeStyle = color("faint");
    g.lineWidth = 1;
    g.beginPath(); g.moveTo(X(cursor), frame.top); g.lineTo(X(cursor), h - frame.bottom); g.stroke();
  }
  return {low, high};
}

function ticks(low, high, most) {
  const rough = (high - low)/most, power = 10**Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(f => f*power).find(s => s >= rough), all = [];
  for (let k = Math.ceil(low/step); k*step <= high + 1e-9*step; k++) all.push(Number((k*step).toPrecision(6)));
  return all;
}

// A dark to light ramp that grows evenly in lightness; diverging around zero is left to the numbers beside it.
function ramp(t) {
  const stops = [[13, 8, 65], [84, 20, 130], [160, 45, 110], [220, 95, 60], [250, 170, 50], [252, 250, 190]];
  const at = Math.max(0, Math.min(1, t))*(stops.length - 1), k = Math.min(stops.length - 2, Math.floor(at)), f = at - k;
  return stops[k].map((v, i) => Math.round(v + f*(stops[k + 1][i] - v)));
}

function paint(canvas, of, values) {
  if (data.places) return paintPoints(canvas, of, values);
  const {g, w, h} = sized(canvas), [low, high] = range(of, [values]);
  const image = new ImageData(rows, columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) { // x1 to the right, x2 up
      const at = 4*((columns - 1 - j)*rows + i);
      image.data.set([...ramp((values[i*columns + j] - low)/(high - low)), 255], at);
    }
  }
  const small = new OffscreenCanvas(rows, columns);
  small.getContext("2d").putImageData(image, 0, 0);
  g.imageSmoothingEnabled = false;
  g.drawImage(small, 0, 0, w, h);
}

const short = v => Number(v.toPrecision(3));

function draw() {
  const u = predict(a), i = own("input", a[channel.input]), o = own("output", u[channel.output]);
  const map = {input: viewOf("input").map, output: viewOf("output").map};
  for (const of in canvases) {
    canvases[of].classList.toggle("field", map[of]);
    canvases[of].classList.toggle("points", map[of] && Boolean(data.places));
  }
  if (map.input) paint(canvases.input, "input", i);
  else plot(canvases.input, "input", [{values: i, color: "input", width: 2.5}]);
  if (map.output) {
    paint(canvases.output, "output", o);
  } else {
    const curves = [{values: o, color: "model", width: 2.5}];
    if (truth) curves.unshift({values: own("output", truth[channel.output]), color: "truth", width: 6});
    plot(canvases.output, "output", curves);
  }
  const least = f => short(f.reduce((x, y) => Math.min(x, y))), most = f => short(f.reduce((x, y) => Math.max(x, y)));
  captions.input = `${data.names.input}${inSpace("input")}${map.input ? `, ${least(i)} to ${most(i)}` : ""}: ${map.input ?
    "paint with the pointer" : "draw with the pointer"}`;
  const error = truth ? `; error ${short(relative(u, truth))}${map.output ? "" : ", the thick line is the true output"}` : "";
  captions.output = `${data.names.output}, predicted${inSpace("output")}${map.output ? `, ${least(o)} to ${most(o)}` : ""}${error}`;
  for (const of in captions) byId(`about-${of}`).textContent = captions[of];
  const far = unlike(a), told = byId("alarm");
  told.className = far > 1 ? "far" : "";
  told.textContent = far === null ? "" : far > 1 ?
    `Do not trust this: the input is unlike the training inputs (deviation ${short(far)} of the limit).` :
    `The input is like the training inputs (deviation ${short(far)} of the limit).`;
  return u;
}

function relative(u, v) {
  const weights = data.places ? decoded(data.places.weights) : new Float64Array(points).fill(1);
  let missed = 0, size = 0;
  u.forEach((c, k) => c.forEach((value, i) => { missed += weights[i]*(value - v[k][i])**2; size += weights[i]*v[k][i]**2; }));
  return Math.sqrt(missed/size);
}

// changed stores the input before a change, for undo.
function changing() {
  past.push(copied(a));
  if (past.length > 100) past.shift();
  truth = null;
  shown = "";
}

// Whether inputs are zero at the first and at the last sides: a model that continues them with their sign changed takes other
// values there for zero.
const held = heldSides(data.operator);

function heldSides(part) {
  if (part === null || typeof part !== "object") return {first: false, last: false};
  if (part.kind === "widened") return {first: part.far_parity > 0, last: part.far_parity < 0};
  if (part.input_parity < 0) return {first: true, last: true};
  const parts = Object.values(part).map(heldSides);
  return {first: parts.some(h => h.first), last: parts.some(h => h.last)};
}

// tie makes a changed input one of the model's: a periodic function ends as it begins, others may be held at the sides.
function tie() {
  const isHeld = (k, count) => count > 1 && (held.first && k === 0 || held.last && k === count - 1);
  const isZero = k => isHeld(k % columns, columns) || isHeld(Math.floor(k/columns), rows);
  if (!data.cells) a.forEach(c => { c.forEach((_, k) => { if (isZero(k)) c[k] = 0; }); });
  if (!data.periodic) return;
  a.forEach((c, k) => { a[k] = closed(distinct(c, {rows, columns, periodic: true}), {rows, columns, periodic: true}); });
}

// bend adds a bump of some height at a point, as wide as width.
function bend(center, height) {
  const c = own("input", a[channel.input]), view = viewOf("input");
  for (let k = 0; k < view.count; k++) {
    if (view.distance) {
      c[k] += height*Math.exp(-(view.distance(k, center)**2)/(2*width*width));
      continue;
    }
    let d2 = 0;
    for (const [at, of, n] of view.map ? [[Math.floor(k/columns), Math.floor(center/columns), rows],
      [k % columns, center % columns, columns]] : [[k, center, columns]]) {
      let d = Math.abs(at - of)/(n - 1);
      if (data.periodic) d = Math.min(d, 1 - d);
      d2 += d*d;
    }
    c[k] += height*Math.exp(-d2/(2*width*width));
  }
  tie();
}

let last = null;

function place(event, of = "input") { // the point and the value under the pointer; of curves, the number of the point in order
  const box = canvases[of].getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const view = viewOf(of);
  if (view.pixel) return {at: view.pixel(x, y, box)};
  if (view.map) {
    const i = Math.round((rows - 1)*x/box.width), j = Math.round((columns - 1)*(1 - y/box.height));
    return {at: Math.max(0, Math.min(rows - 1, i))*columns + Math.max(0, Math.min(columns - 1, j))};
  }
  const [low, high] = range(of, []);
  const t = (x - frame.left)/(box.width - frame.left - frame.right);
  const v = (box.height - frame.bottom - y)/(box.height - frame.top - frame.bottom);
  return {at: view.nearest(t), value: low + v*(high - low)};
}

// Values under the pointer are told below a picture.
for (const [of, canvas] of Object.entries(canvases)) {
  canvas.addEventListener("pointermove", event => {
    if (event.buttons) return;
    const view = viewOf(of), {at} = place(event, of), point = view.map ? at : view.order[at];
    const f = of === "input" ? a[channel.input] : predict(a)[channel.output];
    byId(`about-${of}`).textContent = `${captions[of]}; ${view.name(point)}: ${short(own(of, f)[point])}`;
  });
  canvas.addEventListener("pointerleave", () => { byId(`about-${of}`).textContent = captions[of]; });
}

canvases.input.addEventListener("pointerdown", event => {
  if (event.isTrusted) canvases.input.setPointerCapture(event.pointerId); // a pen outside the picture goes on drawing
  changing();
  last = null;
  move(event);
});
canvases.input.addEventListener("pointermove", event => { if (event.buttons) move(event); });

function move(event) {
  const now = place(event);
  const view = viewOf("input"), c = own("input", a[channel.input]);
  if (view.map) {
    const [low, high] = data.ranges.input[channel.input];
    bend(now.at, (event.shiftKey ? -0.05 : 0.05)*(high - low));
  } else {
    const from = last || now, length = view.t[now.at] - view.t[from.at];
    for (let k = Math.min(from.at, now.at); k <= Math.max(from.at, now.at); k++) {
      const part = length === 0 ? 1 : (view.t[k] - view.t[from.at])/length;
      c[view.order[k]] = from.value + (now.value - from.value)*part;
    }
    if (data.periodic && now.at === columns - 1) c[0] = c[columns - 1];
    tie();
    last = now;
  }
  draw();
}

function smooth() {
  changing();
  const c = own("input", a[channel.input]), old = Float64Array.from(c), view = viewOf("input"), fields = view.map;
  if (view.smooth) {
    view.smooth(c, old);
    draw();
    return;
  }
  const value = (i, j) => {
    const wrap = (k, n) => data.periodic ? (k + 2*(n - 1)) % (n - 1) : Math.max(0, Math.min(n - 1, k));
    return old[(fields ? wrap(i, rows) : 0)*columns + wrap(j, columns)];
  };
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const around = fields ? [value(i - 1, j), value(i + 1, j), value(i, j - 1), value(i, j + 1)] :
        [value(i, j - 1), value(i, j + 1)];
      c[i*columns + j] = 0.5*value(i, j) + 0.5*around.reduce((x, y) => x + y)/around.length;
    }
  }
  tie();
  draw();
}

const keys = {
  ArrowLeft() { walk(-1, 0); },
  ArrowRight() { walk(1, 0); },
  ArrowUp() { if (viewOf("input").map) walk(0, 1); else step(1); },
  ArrowDown() { if (viewOf("input").map) walk(0, -1); else step(-1); },
  PageUp() { step(1); },
  PageDown() { step(-1); },
  "[": () => { width = Math.max(0.01, width/1.25); },
  "]": () => { width = Math.min(1, width*1.25); },
  "+": () => amplify(1.1),
  "-": () => amplify(1/1.1),
  s: smooth,
  u: undo,
};

// walk moves the cursor: along a curve, or over a map to the right and up.
function walk(right, up) {
  const view = viewOf("input"), within = (v, n) => Math.max(0, Math.min(n - 1, v));
  if (view.walk) cursor = view.walk(cursor, right, up);
  else if (view.map) cursor = within(Math.floor(cursor/columns) + right, rows)*columns + within(cursor % columns + up, columns);
  else cursor = within(cursor + right, view.order.length);
}

function step(sign) {
  changing();
  const [low, high] = data.ranges.input[channel.input], view = viewOf("input");
  bend(view.map ? cursor : view.order[cursor], sign*0.04*(high - low));
}

function amplify(factor) {
  changing();
  a[channel.input] = a[channel.input].map(v => factor*v);
}

function undo() {
  if (past.length) a = past.pop();
  truth = null;
  shown = "";
}

canvases.input.addEventListener("keydown", event => {
  if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
  draw();
});
for (const name of ["focus", "blur"]) canvases.input.addEventListener(name, draw);

function button(text, action) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", action);
  byId("buttons").append(b);
}

for (const sample of data.samples) {
  button(sample.name, () => {
    a = unpacked(sample.input);
    truth = unpacked(sample.output);
    shown = sample.name;
    past = [];
    show();
  });
}
button("smooth (s)", smooth);
button("undo (u)", () => { undo(); show(); });
button("louder (+)", () => { amplify(1.1); show(); });
button("softer (-)", () => { amplify(1/1.1); show(); });

for (const of of ["input", "output"]) {
  const count = data.ranges[of].length;
  const free = [...Array(count).keys()].filter(c => of === "output" || !data.sliders.some(s => s.channel === c));
  if (free.length > 1) {
    const list = document.createElement("select");
    list.setAttribute("aria-label", `channel of the ${of}`);
    for (const c of free) list.add(new Option(`channel ${c} of the ${of}`, String(c)));
    list.addEventListener("change", () => { channel[of] = Number(list.value); cursor = viewOf("input").middle; draw(); });
    byId("buttons").append(list);
  }
  if (free.length) channel[of] = free[0];
}

// Channels that are constant in every training input are numbers: each has a slider over the range of the training.
const sliders = data.sliders.map(s => {
  const label = document.createElement("label"), slider = document.createElement("input");
  const value = document.createElement("output");
  Object.assign(slider, {type: "range", min: s.low, max: s.high, step: "any"});
  label.append(s.name, slider, value);
  slider.addEventListener("input", () => {
    changing();
    const view = data.places ? views[data.places.inputs[s.channel]] : views[0];
    a[s.channel].fill(Number(slider.value), view.from, view.from + view.count);
    value.textContent = short(Number(slider.value));
    draw();
  });
  byId("sliders").append(label);
  const from = data.places ? views[data.places.inputs[s.channel]].from : 0;
  return {show() { slider.value = a[s.channel][from]; value.textContent = short(a[s.channel][from]); }};
});

function show() {
  for (const s of sliders) s.show();
  draw();
}

cursor = viewOf("input").middle;
document.documentElement.style.setProperty("--bar", `${barWidth}px`);
new ResizeObserver(draw).observe(canvases.input);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
a = unpacked(data.samples[Math.min(1, data.samples.length - 1)].input);
truth = unpacked(data.samples[Math.min(1, data.samples.length - 1)].output);
show();
