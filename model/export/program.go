// This file is the program of the README: the model's formula in NumPy.

package export

import (
	"fmt"
	"strings"

	"rfm/model/trained"
)

// program evaluates the model for the first exported test inputs and compares with the exported predictions; empty if there are none,
// or if functions of the model would have to be interpolated.
func (c *content) program(f Format) string {
	inputs, ok := c.array("a_test")
	predictions, have := c.array("predicted_test")
	if !ok || !have || inputs.Shape[0] != predictions.Shape[0] {
		return ""
	}
	intervals := predictions.Shape[1] - 1
	if (c.model.FinestGrid()-1)%intervals != 0 || c.model.Offset != nil && c.offsetIntervals()%intervals != 0 {
		return ""
	}
	step := (inputs.Shape[1] - 1) / intervals
	load := map[Format]string{
		NPZ:  `np.load("%s.npz")["%s"]`,
		NPY:  `np.load("%[2]s.npy")`,
		CSV:  `np.loadtxt("%[2]s.csv", delimiter=",", ndmin=2)`,
		JSON: `np.array(json.load(open("%s.json"))["%s"], float)`,
	}[f]
	read := func(group, name string, shape []int) string {
		text := fmt.Sprintf(load, group, name)
		if f == CSV && len(shape) == 3 {
			text += fmt.Sprintf(".reshape(-1, %d, %d)", shape[1], shape[2])
		}
		return text
	}
	a := read("data", "a_test", inputs.Shape)
	a += "[:10"
	if step > 1 {
		a += strings.Repeat(fmt.Sprintf(", ::%d", step), len(inputs.Shape)-1)
	}
	return "import json, numpy as np\n" + c.imports() + `model = np.load("model.npz")
p, alpha = json.loads(model["meta.json"])["map"], model["alpha"]
a = ` + a + "]\n" + c.formula() + "print(abs(u - " + read("predictions", "predicted_test", predictions.Shape) + "[:10]).max())\n"
}

// array is an exported array.
func (c *content) array(name string) (array, bool) {
	for _, g := range c.groups {
		for _, a := range g.arrays {
			if a.name == name {
				return a, true
			}
		}
	}
	return array{}, false
}

func (c *content) imports() string {
	switch c.model.Map.(type) {
	case trained.Cosine:
		return "from scipy.fft import dctn\n"
	case trained.Flow:
		return "from scipy.fft import dctn, idctn, dstn, idstn\n"
	}
	return ""
}

// formula sets u, predictions of shape a.shape.
func (c *content) formula() string {
	var text string
	switch m := c.model.Map.(type) {
	case trained.Fourier:
		text = fourierFormula(m)
	case trained.Cosine:
		text = cosineFormula(m)
	case trained.Flow:
		text = flowFormula
	}
	if c.model.Offset == nil {
		return text
	}
	text += fmt.Sprintf("s = %d//(a.shape[1] - 1)\n", c.offsetIntervals())
	if c.model.Domain().Dims == 2 {
		return text + "u += model[\"offset\"][::s, ::s]\n"
	}
	return text + "u += model[\"offset\"][::s]\n"
}

// offsetIntervals is the number of intervals, along an axis, of the grid of the offset.
func (c *content) offsetIntervals() int {
	return c.model.Domain().PointsOf(c.model.Offset) - 1
}

// sigmas are the activations.
var sigmas = map[string]string{
	"elu":      "np.where(v > 0, v, np.expm1(np.minimum(v, 0)))",
	"relu":     "np.maximum(v, 0)",
	"tanh":     "np.tanh(v)",
	"sigmoid":  "0.5 + 0.5*np.tanh(v/2)",
	"sin":      "np.sin(v)",
	"selu":     "1.0507009873554805*np.where(v > 0, v, 1.6732632423543772*np.expm1(np.minimum(v, 0)))",
	"softplus": "np.logaddexp(0, v)",
	"gelu":     "v/2*(1 + np.vectorize(__import__('math').erf)(v/2**0.5))",
}

func fourierFormula(f trained.Fourier) string {
	text := `m, N = len(alpha), a.shape[1] - 1
r = 2*np.pi*np.arange(N//2 + 1)*p["delta"]
chi = np.minimum(2*r, (r + 0.5)**-p["beta"])
theta = model["theta"][:m, :-1][:, ::(model["theta"].shape[1] - 1)//N]
multiplier = p["gain"]/N*chi*np.fft.rfft(theta)
u = np.zeros_like(a)
for i in range(len(a)):
    v = np.fft.irfft(multiplier*np.fft.rfft(a[i, :-1]), N)`
	if f.Bias != nil {
		text += ` + model["bias"][:m, None]`
	}
	text += "\n    phi = " + sigmas[f.Activation.Name()] + "\n"
	if f.Centred {
		text += "    phi -= phi.mean(axis=1, keepdims=True)\n"
	}
	return text + "    u[i, :-1] = alpha @ phi / m\nu[:, -1] = u[:, 0]\n"
}

func cosineFormula(f trained.Cosine) string {
	text := `m, n = len(alpha), a.shape[1] - 1
k = np.arange(n + 1)
r = np.pi*np.hypot(k[:, None], k)*p["delta"]
chi = np.minimum(2*r, (r + 0.5)**-p["beta"])
s = (model["theta"].shape[1] - 1)//n
theta = dctn(model["theta"][:m, ::s, ::s], 1, axes=(1, 2))/(2*n)**2
u = np.zeros_like(a)
for i in range(len(a)):
    v = p["gain"]*dctn(chi*theta*dctn(a[i], 1)/(2*n)**2, 1, axes=(1, 2))`
	if f.Bias != nil {
		text += ` + model["bias"][:m, None, None]`
	}
	text += "\n    phi = " + sigmas[f.Activation.Name()] + "\n"
	if f.Centred {
		text += "    w = np.ones(n + 1)/n; w[[0, -1]] /= 2\n    phi -= np.einsum('jxy,x,y->j', phi, w, w)[:, None, None]\n"
	}
	return text + "    u[i] = np.tensordot(alpha, phi, 1)/m\n"
}

const flowFormula = `n = a.shape[1] - 1
d = 2 - 2*np.cos(np.pi*np.arange(n + 1)/n)
d = d[:, None] + d
P = lambda f: np.pad(idstn(dstn(f, 1)/(n*n*d[1:-1, 1:-1]), 1), 1)
gradient = lambda f: n/2*np.stack([f[2:, 1:-1] - f[:-2, 1:-1], f[1:-1, 2:] - f[1:-1, :-2]])
c = p["step"]*p["eta"]*n*n
parts = np.ceil(8*c) if c > 0.25 else 1
s = (len(model["sigma1"]) - 1)//n
sigma1, sigma2 = model["sigma1"][::s, ::s][1:-1, 1:-1], model["sigma2"][::s, ::s][1:-1, 1:-1]
u = np.zeros_like(a)
for i in range(len(a)):
    smooth = idctn((1 - c/parts*d)**(p["steps"]*parts)*dctn(a[i], 1), 1)
    g, f = gradient(np.log(smooth)), p["mean"]*p["source"]/a[i, 1:-1, 1:-1]
    u[i] = P(f + sigma1)
    for sweep in range(max(1, p["sweeps"])):
        u[i] = P(f + sigma2 + (g*gradient(u[i])).sum(axis=0))
`
