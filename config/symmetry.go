package config

import "fmt"

// symmetriesOf restricts the choices of a key to the symmetries of the domains that the problem may have.
func symmetriesOf(p Problem, k *Key) {
	k.Choices = []string{AutoSymmetry, NoSymmetry}
	if p.Periodic || p.Files {
		k.Choices = append(k.Choices, Translations)
	}
	k.Choices = append(k.Choices, Reflection)
	if p.Periodic || p.Files {
		k.Choices = append(k.Choices, OddReflection)
	}
	if p.Dims == 2 {
		k.Choices = append(k.Choices, WholeSquare)
	}
}

// Commutes reports whether a value of data.symmetry names transformations that every method must commute with.
func Commutes(symmetry string) bool {
	return symmetry != "" && symmetry != AutoSymmetry && symmetry != NoSymmetry
}

// checkSymmetry reports contradictions of other settings to data.symmetry.
func (c Config) checkSymmetry(add func(name, problem, suggestion string)) {
	symmetry, method := c.Data.Symmetry, c.Method()
	if symmetry == NoSymmetry && method.motions != "" {
		add("data.symmetry", fmt.Sprintf("contradicts train.method = %s, which commutes with %s", method.Name,
			method.motions),
			"set data.symmetry = auto, or train.method = kernel")
	}
	if !Commutes(symmetry) {
		return
	}
	if in, out := c.Channels(); max(in, out) > 1 {
		add("data.symmetry", fmt.Sprintf("is for functions with one channel: inputs have %d, outputs %d, and motions may "+
			"change their signs", in, out), "try auto")
	}
	if c.Closed() {
		switch {
		case symmetry == Translations || symmetry == OddReflection:
			add("data.symmetry", "is of periodic functions, these end at a boundary", "try "+Reflection)
		case symmetry == WholeSquare && c.Data.Columns != 0 && c.Data.Columns != c.Data.Grid:
			add("data.symmetry", fmt.Sprintf("is of the square, and fields are on %d x %d points", c.Data.Grid,
				c.Data.Columns), "try "+Reflection)
		}
		return
	}
	if symmetry == WholeSquare {
		add("data.symmetry", "is of fields that end at a boundary, these are periodic", "try "+Reflection)
	}
	if method.placed != nil && method.placed(c) {
		add("train.method", fmt.Sprintf("is not translation-equivariant, as data.symmetry = %s requires", symmetry),
			"try "+EquivariantKernel)
	}
}
