// The page: a pen for the input, the prediction at once.

const [rows, columns] = data.grid, fields = rows > 1, points = rows*columns;
const predict = make(data), unlike = alarmOf(data);
const byId = id => document.getElementById(id);
const canvases = {input: byId("input"), output: byId("output")};
let a = [], truth = null, shown = "", channel = {input: 0, output: 0}, cursor = Math.floor(columns/2), width = 0.06;
let past = [];

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
  const X = i => frame.left + (w - frame.left - frame.right)*i/(columns - 1);
  const Y = v => h - frame.bottom - (h - frame.top - frame.bottom)*(v - low)/(high - low);
  g.font = "12px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.lineWidth = 1;
  for (const tick of ticks(low, high, 5)) {
    g.strokeStyle = color("line");
    g.beginPath(); g.moveTo(X(0), Y(tick)); g.lineTo(X(columns - 1), Y(tick)); g.stroke();
    g.fillStyle = color("faint");
    g.textAlign = "right";
    g.fillText(String(tick), frame.left - 6, Y(tick));
  }
  g.textAlign = "center";
  for (const tick of ticks(data.axis[0], data.axis[1], 4)) {
    const at = frame.left + (w - frame.left - frame.right)*(tick - data.axis[0])/(data.axis[1] - data.axis[0]);
    g.fillText(String(tick), at, h - frame.bottom/2);
  }
  for (const c of curves) {
    g.strokeStyle = color(c.color);
    g.lineWidth = c.width;
    g.beginPath();
    c.values.forEach((v, i) => i ? g.lineTo(X(i), Y(v)) : g.moveTo(X(i), Y(v)));
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
  const u = predict(a), i = a[channel.input], o = u[channel.output];
  if (fields) {
    paint(canvases.input, "input", i);
    paint(canvases.output, "output", o);
  } else {
    plot(canvases.input, "input", [{values: i, color: "input", width: 2.5}]);
    const curves = [{values: o, color: "model", width: 2.5}];
    if (truth) curves.unshift({values: truth[channel.output], color: "truth", width: 6});
    plot(canvases.output, "output", curves);
  }
  const least = f => short(f.reduce((x, y) => Math.min(x, y))), most = f => short(f.reduce((x, y) => Math.max(x, y)));
  byId("about-input").textContent = `${data.names.input}${fields ? `, ${least(i)} to ${most(i)}` : ""}: ${fields ?
    "paint with the pointer" : "draw with the pointer"}`;
  const error = truth ? `; error ${short(relative(u, truth))}, the thick line is the true output` : "";
  byId("about-output").textContent = `${data.names.output}, predicted${fields ? `, ${least(o)} to ${most(o)}` : ""}${
    fields ? error.replace(", the thick line is the true output", "") : error}`;
  const far = unlike(a), told = byId("alarm");
  told.className = far > 1 ? "far" : "";
  told.textContent = far === null ? "" : far > 1 ?
    `Do not trust this: the input is unlike the training inputs (deviation ${short(far)} of the limit).` :
    `The input is like the training inputs (deviation ${short(far)} of the limit).`;
  return u;
}

function relative(u, v) {
  let missed = 0, size = 0;
  u.forEach((c, k) => c.forEach((value, i) => { missed += (value - v[k][i])**2; size += v[k][i]**2; }));
  return Math.sqrt(missed/size);
}

// changed stores the input before a change, for undo.
function changing() {
  past.push(copied(a));
  if (past.length > 100) past.shift();
  truth = null;
  shown = "";
}

function tie() { // a periodic function ends as it begins
  if (!data.periodic) return;
  a.forEach((c, k) => { a[k] = closed(distinct(c, {rows, columns, periodic: true}), {rows, columns, periodic: true}); });
}

// bend adds a bump of some height at a point, as wide as width.
function bend(center, height) {
  const c = a[channel.input];
  for (let k = 0; k < points; k++) {
    let d2 = 0;
    for (const [at, of, n] of fields ? [[Math.floor(k/columns), Math.floor(center/columns), rows],
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

function place(event) { // the point and the value under the pointer
  const box = canvases.input.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  if (fields) {
    const i = Math.round((rows - 1)*x/box.width), j = Math.round((columns - 1)*(1 - y/box.height));
    return {at: Math.max(0, Math.min(rows - 1, i))*columns + Math.max(0, Math.min(columns - 1, j))};
  }
  const [low, high] = range("input", []);
  const t = (x - frame.left)/(box.width - frame.left - frame.right);
  const v = (box.height - frame.bottom - y)/(box.height - frame.top - frame.bottom);
  return {at: Math.max(0, Math.min(columns - 1, Math.round(t*(columns - 1)))), value: low + v*(high - low)};
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
  if (fields) {
    const [low, high] = data.ranges.input[channel.input];
    bend(now.at, (event.shiftKey ? -0.05 : 0.05)*(high - low));
  } else {
    const from = last || now, c = a[channel.input];
    for (let k = Math.min(from.at, now.at); k <= Math.max(from.at, now.at); k++) {
      c[k] = from.at === now.at ? now.value : from.value + (now.value - from.value)*(k - from.at)/(now.at - from.at);
    }
    if (data.periodic && now.at === columns - 1) c[0] = c[columns - 1];
    tie();
    last = now;
  }
  draw();
}

function smooth() {
  changing();
  const c = a[channel.input], old = Float64Array.from(c);
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
  ArrowLeft() { cursor = Math.max(0, cursor - 1); },
  ArrowRight() { cursor = Math.min(fields ? points - 1 : columns - 1, cursor + 1); },
  ArrowUp() { step(fields ? 0 : 1); },
  ArrowDown() { step(fields ? 0 : -1); },
  PageUp() { step(1); },
  PageDown() { step(-1); },
  "[": () => { width = Math.max(0.01, width/1.25); },
  "]": () => { width = Math.min(1, width*1.25); },
  "+": () => amplify(1.1),
  "-": () => amplify(1/1.1),
  s: smooth,
  u: undo,
};

function step(sign) {
  if (sign === 0) return;
  changing();
  const [low, high] = data.ranges.input[channel.input];
  bend(cursor, sign*0.04*(high - low));
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
    list.addEventListener("change", () => { channel[of] = Number(list.value); draw(); });
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
    a[s.channel].fill(Number(slider.value));
    value.textContent = short(Number(slider.value));
    draw();
  });
  byId("sliders").append(label);
  return {show() { slider.value = a[s.channel][0]; value.textContent = short(a[s.channel][0]); }};
});

function show() {
  for (const s of sliders) s.show();
  draw();
}

for (const canvas of Object.values(canvases)) canvas.classList.toggle("field", fields);
new ResizeObserver(draw).observe(canvases.input);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
a = unpacked(data.samples[Math.min(1, data.samples.length - 1)].input);
truth = unpacked(data.samples[Math.min(1, data.samples.length - 1)].output);
show();
