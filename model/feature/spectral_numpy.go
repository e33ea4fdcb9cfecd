// This file is the program in NumPy of spectral features.

package feature

import (
	"fmt"
	"strings"
)

// NumPy is one of Trained.
func (f Spectral) NumPy() (imports, program string) {
	var b strings.Builder
	line := func(text ...string) { b.WriteString(strings.Join(text, "\n") + "\n") }
	d := f.Domain()
	axes, ones, shape, every := "(1,)", ", 1", "a.shape[1:]", ""
	if d.Dims == 2 {
		axes, ones = "(1, 2)", ", 1, 1"
	}
	in, out := f.Channels()
	if f.several() { // axes of a feature's parameters: functions, outputs, inputs, points
		axes, shape, every = map[int]string{1: "(3,)", 2: "(3, 4)"}[d.Dims], fmt.Sprintf("a.shape[-%d:]", d.Dims), ":, :, "
		ones = ", 1, 1" + ones
		line(fmt.Sprintf("a = a.reshape(len(a), 1, %d, *a.shape[-%d:])", in, d.Dims),
			fmt.Sprintf("wide = lambda f, inputs: f.reshape(len(f), %d, inputs, *f.shape[-%d:])", out, d.Dims))
	}
	wide := func(name string, inputs int) string {
		if !f.several() {
			return `model["` + name + `"]`
		}
		return fmt.Sprintf(`wide(model["%s"], %d)`, name, inputs)
	}
	trapezoid := []string{"w = 1", "for k in n:", "    w = np.multiply.outer(w, np.r_[0.5, np.ones(k - 1), 0.5]/k)"}
	ends := "1"
	if d.Cells {
		ends = "0"
	}
	line("m, axes, n = len(alpha), "+axes+", np.array("+shape+") - "+ends, "def on_grid(f):", "    for axis in axes:",
		"        s = (f.shape[axis] - "+ends+")//n[axis - axes[0]]")
	if d.Cells {
		line("        f = f.reshape(f.shape[:axis] + (-1, s) + f.shape[axis + 1:]).mean(axis + 1)")
	} else {
		line("        f = np.take(f, range(0, f.shape[axis], s), axis)")
	}
	line("    return f[:m]")
	waves, cut, half := "np.arange(n[-1] + "+ends+")", "", "np.pi"
	if d.Periodic {
		waves, cut, half = "np.arange(n[-1]//2 + 1)", "[:, "+every+":-1]", "2*np.pi"
	}
	if d.Dims == 2 {
		first := "np.arange(n[0] + " + ends + ")"
		if d.Periodic {
			first, cut = "n[0]*np.fft.fftfreq(n[0])", "[:, "+every+":-1, :-1]"
		}
		waves = "np.hypot(" + first + "[:, None], n[0]/n[1]*" + waves + ")"
	}
	line("r = "+half+"*"+waves+`*p["delta"]`, `chi = np.minimum(2*r, (r + 0.5)**-p["beta"])`)
	transform, sum := "dctn(f, 1, axes=axes)/np.prod(2*n)", "dctn(c, 1, axes=axes)"
	switch {
	case d.Periodic:
		transform, sum = "np.fft.rfftn(f"+cut+", axes=axes)/np.prod(n)", "np.fft.irfftn(c, n, axes=axes)*np.prod(n)"
	case d.Cells:
		transform, sum = "dctn(f, 2, axes=axes)/np.prod(2*n)", "dctn(c, 3, axes=axes)"
	}
	line("coefficients = lambda f: "+transform, `multiplier = p["gain"]*chi*coefficients(on_grid(`+wide("theta", in)+`))`)
	if f.several() {
		line(fmt.Sprintf("u = np.zeros((len(a), %d, *a.shape[3:]))", out))
		if !d.Periodic && !d.Cells {
			line(trapezoid...)
		}
		line("for i in range(len(a)):", "    c = (multiplier*coefficients(a[i:i+1])).sum(2, keepdims=True)", "    v = "+sum)
		mean := "a[i]" + strings.Replace(cut, ":, ", "", 1) + ".mean(axis=tuple(k - 1 for k in axes))"
		if !d.Periodic && !d.Cells {
			mean = "(w*a[i]).sum(axis=tuple(k - 1 for k in axes))"
		}
		line("    means = (model[\"means\"][:m]*"+mean+").sum(2)",
			"    v = v + means.reshape(means.shape + (1,)*(1 + len(axes)))")
	} else {
		line("u = np.zeros_like(a)", "for i in range(len(a)):", "    c = multiplier*coefficients(a[i:i+1])", "    v = "+sum)
	}
	if f.Bias != nil {
		line(`    v = v + model["bias"][:m].reshape(-1` + ones + ")")
	}
	line("    phi = " + f.Activation.NumPy())
	if f.Centred && (d.Periodic || d.Cells) {
		line("    phi = phi - phi.mean(axis=axes, keepdims=True)")
	} else if f.Centred {
		for _, text := range trapezoid {
			line("    " + text)
		}
		line("    phi = phi - (w*phi).sum(axis=axes, keepdims=True)")
	}
	line("    u_i = np.tensordot(alpha, phi, 1)/m")
	if f.several() {
		value := "u_i[:, 0]"
		if d.Periodic {
			value = fmt.Sprintf(`np.pad(u_i[:, 0], [(0, 0)] + %d*[(0, 1)], "wrap")`, d.Dims)
		}
		line("    u[i] = " + value)
		if out == 1 {
			line("u = u[:, 0]")
		}
	} else if d.Periodic {
		line(`    u[i] = np.pad(u_i, (0, 1), "wrap")`)
	} else {
		line("    u[i] = u_i")
	}
	if d.Periodic {
		return "", f.Symmetry.NumPy(d.Dims, b.String())
	}
	return "from scipy.fft import dctn\n", f.Symmetry.NumPy(d.Dims, b.String())
}
