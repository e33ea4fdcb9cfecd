package equation

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
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

// scipyBetween solves systems on [0, 1] with SciPy's Radau on its own polynomials, and prints the first field on 33 points.
// Conditions are a*u + b*u_x = g(t).
const scipyBetween = `
import json
import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import BarycentricInterpolator
N = 56
x = np.sin(np.pi/2*np.linspace(0, 1, N+1))**2
c = (-1.0)**np.arange(N+1); c[[0, -1]] *= 0.5
X = x[:, None] - x[None, :] + np.eye(N+1)
D = c[None, :]/c[:, None]/X
D -= np.diag(np.diag(D)); D -= np.diag(D.sum(1))
D2 = D@D
names = {'np': np, 'D': D, 'D2': D2, 'x': x, 'sin': np.sin, 'cos': np.cos, 'exp': np.exp, 'pi': np.pi, 'tanh': np.tanh, 'sqrt': np.sqrt,
    'maximum': np.maximum}
def solve(conditions, T, initial, rhs):
    fields = len(conditions)
    given = [eval('lambda t: (%s, %s)' % (left[2], right[2]), names) for left, right in conditions]
    rows = [np.array([left[0]*np.eye(N+1)[0] + left[1]*D[0], right[0]*np.eye(N+1)[N] + right[1]*D[N]]) for left, right in conditions]
    def full(t, v):
        u = np.zeros((fields, N+1)); u[:, 1:-1] = v.reshape(fields, -1)
        for f in range(fields):
            u[f][[0, N]] = np.linalg.solve(rows[f][:, [0, N]], np.array(given[f](t)) - rows[f]@u[f])
        return u
    f = eval('lambda t, u: ' + rhs, names)
    u0 = np.array([eval(i, names) + 0*x for i in initial])
    s = solve_ivp(lambda t, v: np.array(f(t, full(t, v)))[:, 1:-1].ravel(), (0, T), u0[:, 1:-1].ravel(), method='Radau', rtol=1e-9, atol=1e-11)
    return BarycentricInterpolator(x, full(T, s.y[:, -1])[0])(np.linspace(0, 1, 33)).tolist()
print(json.dumps([solve(*c) for c in [%s]]))
`

// end is a*u + b*u_x = g(t).
type end struct {
	value, slope float64
	is           string
}

// Equations between ends of each kind, none of them a preset, agree with an independent program.
func TestSciPyAgreesBetweenEnds(t *testing.T) {
	held := end{1, 0, "0"}
	free := end{0, 1, "0"}
	cases := []struct {
		text, rhs string // u by field in Python
		initial   string // the same in both languages
		ends      [][2]end
		time      float64
	}{
		{"u_t = 0.02*u_xx - u*u_x", "[0.02*D2@u[0] - u[0]*(D@u[0])]", "sin(pi*x) + 0.5*sin(2*pi*x)", [][2]end{{held, held}}, 0.5},
		{"u_t = 0.01*u_xx + 2*u*(1-u)", "[0.01*D2@u[0] + 2*u[0]*(1-u[0])]", "1 - x + 0.2*sin(2*pi*x)", [][2]end{{{1, 0, "1"}, held}}, 1},
		{"u_t = 0.05*u_xx + u - u^3", "[0.05*D2@u[0] + u[0] - u[0]**3]", "0.3 + 0.5*cos(pi*x)", [][2]end{{free, free}}, 1},
		{"u_t = 0.05*u_xx - u*u_x", "[0.05*D2@u[0] - u[0]*(D@u[0])]", "1 - x*x/2 + 0.1*x*x*(1-x)*(1-x)", [][2]end{{free, {2, 1, "0"}}}, 0.4},
		{"u_t = 0.05*u_xx + sin(3*u)*exp(-x)", "[0.05*D2@u[0] + np.sin(3*u[0])*np.exp(-x)]", "x - x*x/2", [][2]end{{held, free}}, 1},
		// values in t
		{"u_t = 0.1*u_xx - u*u_x", "[0.1*D2@u[0] - u[0]*(D@u[0])]", "0*x", [][2]end{{{1, 0, "sin(4*t)*t"}, held}}, 1},
		{"u_t = 0.1*u_xx + exp(-u)", "[0.1*D2@u[0] + np.exp(-u[0])]", "0*x", [][2]end{{{0, 1, "t"}, {1, 1, "sin(t)"}}}, 1},
		{"u_t = 0.05*u_xx - 0.5*u_x", "[0.05*D2@u[0] - 0.5*D@u[0]]", "0*x", [][2]end{{{1, 0, "1 - cos(3*t)"}, free}}, 1},
		// Robin at both ends, Newton's cooling
		{"u_t = u_xx", "[D2@u[0]]", "1 + x - x*x", [][2]end{{{-1, 1, "0"}, {1, 1, "1"}}}, 0.3},
		{"u_t = 0.3*u_xx - u^4 + 1", "[0.3*D2@u[0] - u[0]**4 + 1]", "0.5 + 0.5*x*x*(3-2*x)", [][2]end{{free, {3, 1, "3"}}}, 0.5},
		// coefficients in x
		{"u_t = dx((1 + 0.5*sin(3*x))*u_x) + u*(1-u)", "[D@((1+0.5*np.sin(3*x))*(D@u[0])) + u[0]*(1-u[0])]", "x", [][2]end{{held, {1, 0, "1"}}}, 0.2},
		{"u_t = 0.1*exp(x)*u_xx - x*u_x - u", "[0.1*np.exp(x)*(D2@u[0]) - x*(D@u[0]) - u[0]]", "cos(pi*x)", [][2]end{{free, free}}, 0.5},
		// diffusion that depends on the solution
		{"u_t = dx((0.1 + u^2)*u_x)", "[D@((0.1+u[0]**2)*(D@u[0]))]", "x + 0.3*sin(pi*x)", [][2]end{{held, {1, 0, "1"}}}, 0.3},
		{"u_t = 0.2*dx(u*u_x) - u", "[0.2*D@(u[0]*(D@u[0])) - u[0]]", "2 + cos(pi*x)", [][2]end{{free, free}}, 0.5},
		{"u_t = dx(exp(-u)*u_x) + 1", "[D@(np.exp(-u[0])*(D@u[0])) + 1]", "0*x", [][2]end{{held, {1, 1, "0"}}}, 0.4},
		// several fields
		{"u_t = 0.02*u_xx + u - u^3/3 - v; v_t = 0.1*v_xx + 0.2*(u + 0.7 - 0.8*v)",
			"[0.02*D2@u[0] + u[0] - u[0]**3/3 - u[1], 0.1*D2@u[1] + 0.2*(u[0] + 0.7 - 0.8*u[1])]", "cos(pi*x); 0.1", [][2]end{{free, free}, {free, free}}, 2},
		{"u_t = 0.05*u_xx - u*v; v_t = 0.1*v_xx + u*v - v", "[0.05*D2@u[0] - u[0]*u[1], 0.1*D2@u[1] + u[0]*u[1] - u[1]]", "1; 0.5*x*x*(3-2*x)",
			[][2]end{{{1, 0, "1"}, free}, {free, {1, 0, "0.5"}}}, 1},
		// chemotaxis
		{"u_t = 0.1*u_xx - dx(u*v_x); v_t = 0.2*v_xx + u - v", "[0.1*D2@u[0] - D@(u[0]*(D@u[1])), 0.2*D2@u[1] + u[0] - u[1]]", "1 + 0.3*cos(pi*x); 1",
			[][2]end{{free, free}, {free, free}}, 1},
		// waves
		{"u_tt = u_xx - sin(u)", "[u[1], D2@u[0] - np.sin(u[0])]", "0.5*sin(pi*x/2); 0", [][2]end{{held, free}, {held, free}}, 1},
	}
	var list []string
	for _, c := range cases {
		var conditions, initial []string
		for _, e := range c.ends {
			conditions = append(conditions, fmt.Sprintf("((%g, %g, %q), (%g, %g, %q))", e[0].value, e[0].slope, e[0].is, e[1].value, e[1].slope, e[1].is))
		}
		for _, i := range config.Lines(c.initial) {
			initial = append(initial, strconv.Quote(strings.ReplaceAll(i, "^", "**")))
		}
		list = append(list, fmt.Sprintf("([%s], %g, [%s], %q)", strings.Join(conditions, ","), c.time, strings.Join(initial, ","), c.rhs))
	}
	var all [][]float64
	program := strings.ReplaceAll(strings.ReplaceAll(scipyBetween, "% (", "%% ("), "(%s, %s)", "(%%s, %%s)")
	noError(t, json.Unmarshal([]byte(pythontest.Run(t, t.TempDir(), fmt.Sprintf(program, strings.Join(list, ",")))), &all))
	for i, c := range cases {
		var left, right []string
		for f, e := range c.ends {
			name := string("uv"[f])
			if f > 0 && strings.Contains(c.text, "_tt") {
				break
			}
			condition := func(e end) string { return fmt.Sprintf("%g*%s + %g*%s_x = %s", e.value, name, e.slope, name, e.is) }
			left = append(left, condition(e[0]))
			right = append(right, condition(e[1]))
		}
		p := between(c.text, strings.Join(left, ";"), strings.Join(right, ";"), c.initial, c.time)
		p.Points = 33
		u := solved(t, p).At(0)
		d := floats.Distance(u, all[i], 2) / floats.Norm(all[i], 2)
		t.Logf("%s, %s | %s: %.2g", c.text, p.Left, p.Right, d)
		if !(d < 1e-7) {
			t.Errorf("%s, %s | %s differs from SciPy by %.2g", c.text, p.Left, p.Right, d)
		}
	}
}
