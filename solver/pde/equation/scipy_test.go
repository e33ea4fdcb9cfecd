package equation

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/pythontest"
)

// scipy solves equations on the unit torus with SciPy, on the same grids, from right-hand sides written by hand.
const scipy = `
import json
import numpy as np
from scipy.integrate import solve_ivp
np.seterr(all='ignore')
def solve(N, dims, fields, T, offset, rhs):
    k = 2*np.pi*np.fft.fftfreq(N, 1/N)
    odd = np.where(np.arange(N) == N//2, 0, k)
    axes = np.meshgrid(*[np.arange(N)/N]*dims, indexing='ij')
    x, y = axes[0], axes[-1]
    def D(u, n=1, axis=0):
        m = (1j*(odd if n % 2 else k))**n
        return np.fft.ifftn((m[:, None] if dims == 2 and axis == 0 else m)*np.fft.fftn(u)).real
    lap = lambda u: D(u, 2) + D(u, 2, 1)
    over = lambda u, m: np.fft.ifft(np.fft.fft(u)/m(k)).real
    f = eval('lambda t, u: ' + rhs, {'np': np, 'D': D, 'lap': lap, 'over': over, 'x': x, 'y': y})
    u0 = np.array([offset + 0.3*np.sin(2*np.pi*x) + 0.2*np.cos(4*np.pi*y + j) for j in range(fields)])
    s = solve_ivp(lambda t, v: np.array(f(t, v.reshape(u0.shape))).ravel(), (0, T), u0.ravel(), method="DOP853",
                  rtol=1e-10, atol=1e-12)
    return s.y[:, -1].reshape(fields, -1).tolist()
print(json.dumps([solve(*c) for c in [%s]]))
`

// Half of these equations are in no preset.
func TestSciPyAgrees(t *testing.T) {
	cases := []struct {
		text   string
		rhs    string // u by field, x, y and t, with derivatives D(u, order, axis)
		n      int
		time   float64
		dims   int // 0 is 1
		offset float64
	}{
		{"u_t = 0.02*u_xx - u*u_x", "[0.02*D(u[0],2) - u[0]*D(u[0])]", 64, 0.5, 1, 0},
		{"u_t = -u*u_x - 0.0005*u_xxx", "[-u[0]*D(u[0]) - 0.0005*D(u[0],3)]", 64, 0.2, 1, 0},
		{"u_t = -u*u_x - 0.01*u_xx - 0.0001*u_xxxx", "[-u[0]*D(u[0]) - 0.01*D(u[0],2) - 0.0001*D(u[0],4)]", 64, 0.1,
			1, 0},
		{"u_t = -0.01*v_xx - (u^2+v^2)*v; v_t = 0.01*u_xx + (u^2+v^2)*u",
			"[-0.01*D(u[1],2) - (u[0]**2+u[1]**2)*u[1], 0.01*D(u[0],2) + (u[0]**2+u[1]**2)*u[0]]", 64, 0.5, 1, 0},
		{"u_t = 0.01*u_xx + u - u^3/3 - v; v_t = 0.08*(u + 0.7 - 0.8*v)",
			"[0.01*D(u[0],2) + u[0] - u[0]**3/3 - u[1], 0.08*(u[0] + 0.7 - 0.8*u[1])]", 64, 2, 1, 0},
		{"u_t = 0.0004*u_xx - u*v^2 + 0.04*(1 - u); v_t = 0.0002*v_xx + u*v^2 - 0.1*v",
			"[0.0004*D(u[0],2) - u[0]*u[1]**2 + 0.04*(1 - u[0]), 0.0002*D(u[1],2) + u[0]*u[1]**2 - 0.1*u[1]]", 64, 5, 1, 0},
		{"u_t = v; v_t = 0.1*u_xx - sin(u)", "[u[1], 0.1*D(u[0],2) - np.sin(u[0])]", 64, 1, 1, 0},
		{"u_t = dx((0.02 + 0.01*u^2)*u_x)", "[D((0.02 + 0.01*u[0]**2)*D(u[0]))]", 64, 0.3, 1, 0},
		{"u_t = -(1 + 0.5*sin(2*pi*x))*u_x + 0.01*u_xx", "[-(1 + 0.5*np.sin(2*np.pi*x))*D(u[0]) + 0.01*D(u[0],2)]",
			64, 0.3, 1, 0},
		{"u_t = -3*u^2*u_x - 0.001*u_xxx", "[-3*u[0]**2*D(u[0]) - 0.001*D(u[0],3)]", 128, 0.2, 1, 0},
		{"u_t = -u*u_x + 0.00002*u_xxxxx", "[-u[0]*D(u[0]) + 0.00002*D(u[0],5)]", 32, 0.02, 1, 0},
		{"u_t = 0.01*u_xx + cos(6*t)*sin(2*pi*x)*u",
			"[0.01*D(u[0],2) + np.cos(6*t)*np.sin(2*np.pi*x)*u[0]]", 64, 1, 1, 0},
		{"u_t = 0.01*u_xx + sqrt(u) - u/(1 + u^2)",
			"[0.01*D(u[0],2) + np.sqrt(u[0]) - u[0]/(1 + u[0]**2)]", 64, 1, 1, 2},
		{"u_t = dx(u^3*u_x)*0.01", "[0.01*D(u[0]**3*D(u[0]))]", 64, 0.5, 1, 2},
		{"u_t = 0.01*u_xx - u*w; v_t = 0.02*v_xx + u*w - v; w_t = 0.01*w_xx + v - w*u",
			"[0.01*D(u[0],2) - u[0]*u[2], 0.02*D(u[1],2) + u[0]*u[2] - u[1], 0.01*D(u[2],2) + u[1] - u[2]*u[0]]", 64, 1, 1, 1},
		{"u_t = -0.5*u_x^2 - 0.02*u_xx - 0.0005*u_xxxx - dx(sin(u))",
			"[-0.5*D(u[0])**2 - 0.02*D(u[0],2) - 0.0005*D(u[0],4) - D(np.sin(u[0]))]", 32, 0.1, 1, 0},
		// a beam under tension, whose waves are finer than 128 points
		{"u_t = v; v_t = 0.1*u_xx - 0.001*u_xxxx + dx(u_x^3)",
			"[u[1], 0.1*D(u[0],2) - 0.001*D(u[0],4) + D(D(u[0])**3)]", 256, 0.02, 1, 0},
		{"u_t = 0.02*u_xx + 0.01*v*v_xxx; v_t = 0.02*v_xx - v*v_x", // no closed path has order three
			"[0.02*D(u[0],2) + 0.01*u[1]*D(u[1],3), 0.02*D(u[1],2) - u[1]*D(u[1])]", 64, 0.3, 1, 0},
		{"v_t = w_x; w_t = 0.05*dx(w_x/v) - dx(1/v^1.4)", "[D(u[1]), 0.05*D(D(u[1])/u[0]) - D(u[0]**-1.4)]", 64,
			0.2, 1, 1}, // a double eigenvalue
		{"u_t = v; v_t = -0.001*dxx((1 + 0.3*sin(2*pi*x))*u_xx)",
			"[u[1], -0.001*D((1 + 0.3*np.sin(2*np.pi*x))*D(u[0],2),2)]", 64, 0.2, 1, 0},
		{"u_t - 0.01*u_xxt + u_x + u*u_x = 0",
			"[-over(D(u[0]) + u[0]*D(u[0]), lambda k: 1 + 0.01*k**2)]", 128, 0.3, 1, 0},
		{"h_t = h_xxt/60 - u_x - dx(h*u); u_t = dxx(u_t)/60 - h_x - u*u_x",
			"[-over(D(u[1]) + D(u[0]*u[1]), lambda k: 1 + k**2/60), -over(D(u[0]) + u[1]*D(u[1]), lambda k: 1 + k**2/60)]",
			128, 0.2, 1, 0},
		{"u_t = 0.01*lap(u) - 0.2*u_y + (1 + 0.5*sin(2*pi*y))*u_x - u^3",
			"[0.01*lap(u[0]) - 0.2*D(u[0],1,1) + (1 + 0.5*np.sin(2*np.pi*y))*D(u[0]) - u[0]**3]", 32, 0.3, 2, 0},
		{"u_t = v; v_t = 0.1*lap(u) - 0.3*v - sin(u)",
			"[u[1], 0.1*lap(u[0]) - 0.3*u[1] - np.sin(u[0])]", 32, 0.5, 2, 0},
	}
	var list []string
	for _, c := range cases {
		fields := len(config.Lines(c.text))
		list = append(list, fmt.Sprintf("(%d, %d, %d, %g, %g, %q)", c.n, c.dims, fields, c.time, c.offset, c.rhs))
	}
	var all [][][]float64
	out := pythontest.Run(t, t.TempDir(), fmt.Sprintf(strings.ReplaceAll(scipy, "% 2", "%% 2"), strings.Join(list, ",")))
	noError(t, json.Unmarshal([]byte(out), &all))
	for i, c := range cases {
		s := solver(t, c.dims, c.n, 1, 1e-9, c.text)
		u := values(solve(t, s, c.time, func(f, _ int, x [2]float64) float64 {
			return c.offset + 0.3*math.Sin(2*math.Pi*x[0]) + 0.2*math.Cos(4*math.Pi*x[c.dims-1]+float64(f))
		}))
		d, n := 0.0, 0.0
		for f := range all[i] {
			for p, v := range all[i][f] {
				d += math.Pow(v-u[f][block*p], 2)
				n += v * v
			}
		}
		t.Logf("%q: %.2g", c.text, math.Sqrt(d/n))
		if !(math.Sqrt(d/n) < 1e-8) {
			t.Errorf("%q differs from SciPy by %.2g", c.text, math.Sqrt(d/n))
		}
	}
}

// scipyBetween solves equations on [0, 1] with SciPy's Radau on its own polynomials, and prints them on 33 points.
const scipyBetween = `
import json
import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import BarycentricInterpolator
N = 64
x = np.sin(np.pi/2*np.linspace(0, 1, N+1))**2
c = (-1.0)**np.arange(N+1); c[[0, -1]] *= 0.5
X = x[:, None] - x[None, :] + np.eye(N+1)
D = c[None, :]/c[:, None]/X
D -= np.diag(np.diag(D)); D -= np.diag(D.sum(1))
D2 = D@D
def solve(left, right, T, initial, rhs):
    # a*u + b*u_x = g at both ends gives the outer values
    rows = np.array([left[0]*np.eye(N+1)[0] + left[1]*D[0], right[0]*np.eye(N+1)[N] + right[1]*D[N]])
    def full(v):
        u = np.zeros(N+1); u[1:-1] = v
        u[[0, N]] = np.linalg.solve(rows[:, [0, N]], np.array([left[2], right[2]]) - rows@u)
        return u
    f = eval('lambda u: ' + rhs, {'np': np, 'D': D, 'D2': D2, 'x': x})
    u0 = eval(initial, {'np': np, 'x': x})
    s = solve_ivp(lambda t, v: f(full(v))[1:-1], (0, T), u0[1:-1], method='Radau', rtol=1e-9, atol=1e-11)
    return BarycentricInterpolator(x, full(s.y[:, -1]))(np.linspace(0, 1, 33)).tolist()
print(json.dumps([solve(*c) for c in [%s]]))
`

// Nonlinear equations between ends of each kind agree with an independent program.
func TestSciPyAgreesBetweenEnds(t *testing.T) {
	type end struct{ value, slope, is float64 }
	cases := []struct {
		text, rhs, initial, python string
		left, right                end
		time                       float64
	}{
		{"u_t = 0.02*u_xx - u*u_x", "0.02*D2@u - u*(D@u)", "sin(pi*x) + 0.5*sin(2*pi*x)", "np.sin(np.pi*x) + 0.5*np.sin(2*np.pi*x)",
			end{1, 0, 0}, end{1, 0, 0}, 0.5}, // folds
		{"u_t = 0.01*u_xx + 2*u*(1-u)", "0.01*D2@u + 2*u*(1-u)", "1 - x + 0.2*sin(2*pi*x)", "1 - x + 0.2*np.sin(2*np.pi*x)",
			end{1, 0, 1}, end{1, 0, 0}, 1},
		{"u_t = 0.05*u_xx + u - u^3", "0.05*D2@u + u - u**3", "0.3 + 0.5*cos(pi*x)", "0.3 + 0.5*np.cos(np.pi*x)", end{0, 1, 0},
			end{0, 1, 0}, 1}, // folds
		{"u_t = 0.05*u_xx - u*u_x", "0.05*D2@u - u*(D@u)", "1 - x^2/2 + 0.1*x^2*(1-x)^2", "1 - x**2/2 + 0.1*x**2*(1-x)**2", end{0, 1, 0},
			end{2, 1, 0}, 0.4},
		{"u_t = 0.05*u_xx + sin(3*u)*exp(-x)", "0.05*D2@u + np.sin(3*u)*np.exp(-x)", "x - x^2/2", "x - x**2/2", end{1, 0, 0}, end{0, 1, 0}, 1},
	}
	var list []string
	for _, c := range cases {
		list = append(list, fmt.Sprintf("((%g, %g, %g), (%g, %g, %g), %g, %q, %q)", c.left.value, c.left.slope, c.left.is, c.right.value,
			c.right.slope, c.right.is, c.time, c.python, c.rhs))
	}
	var all [][]float64
	noError(t, json.Unmarshal([]byte(pythontest.Run(t, t.TempDir(), fmt.Sprintf(scipyBetween, strings.Join(list, ",")))), &all))
	for i, c := range cases {
		condition := func(e end) string { return fmt.Sprintf("%g*u + %g*u_x = %g", e.value, e.slope, e.is) }
		p := between(c.text, condition(c.left), condition(c.right), c.initial, c.time)
		p.Points = 33
		u := solved(t, p).At(0)
		d := floats.Distance(u, all[i], 2) / floats.Norm(all[i], 2)
		t.Logf("%s, %s | %s: %.2g (%s)", c.text, p.Left, p.Right, d, p.Scheme())
		if !(d < 1e-7) {
			t.Errorf("%s differs from SciPy by %.2g", c.text, d)
		}
	}
}
