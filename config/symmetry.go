package config

import (
	"fmt"
	"slices"
)

// symmetriesOf restricts the choices of a key to the symmetries of the domains that the problem may have.
func symmetriesOf(p Problem, k *Key) {
	mayBePeriodic := p.Periodic || p.Files
	maySquare := p.Dims != 1
	k.Choices = []string{AutoSymmetry, NoSymmetry}
	if mayBePeriodic {
		k.Choices = append(k.Choices, Translations)
	}
	k.Choices = append(k.Choices, Reflection)
	if mayBePeriodic {
		k.Choices = append(k.Choices, OddReflection)
	}
	if maySquare {
		k.Choices = append(k.Choices, WholeSquare)
	}
	if mayBePeriodic {
		k.Choices = append(k.Choices, folds...)
	}
	if mayBePeriodic && !maySquare {
		k.Choices = append(k.Choices, quarters...)
	}
}

// onTorus reports whether transformations are those of periodic functions.
func onTorus(symmetry string) bool { return symmetry == Translations || symmetry == OddReflection }

// folds are the values of data.symmetry that Folds reports.
var folds = []string{EvenFold, OddFold, EvenToOdd, OddToEven}

// quarters are the folds of functions that continue in another way at each end of an interval, to a torus four times as long.
var quarters = []string{OddLeft, OddRight}

// Folds reports whether a value of data.symmetry tells how functions between sides continue to a torus: equivariant
// methods learn them there, and all other methods learn as without it.
func Folds(symmetry string) bool { return slices.Contains(folds, symmetry) || Quarters(symmetry) }

// Quarters reports whether a value of data.symmetry is a fold with another continuation at each end.
func Quarters(symmetry string) bool { return slices.Contains(quarters, symmetry) }

// Commutes reports whether a value of data.symmetry names transformations that every method must commute with.
func Commutes(symmetry string) bool {
	isOpen := symmetry == "" || symmetry == AutoSymmetry || symmetry == NoSymmetry
	return !isOpen && !Folds(symmetry)
}

// checkSymmetry reports contradictions of other settings to data.symmetry.
func (c *checker) checkSymmetry() {
	symmetry := c.Data.Symmetry
	method := c.Method()
	if symmetry == NoSymmetry && method.Periodic {
		problem := fmt.Sprintf("contradicts train.method = %s, which is translation-equivariant", method.Name)
		c.add("data.symmetry", problem, "set data.symmetry = auto, or train.method = kernel")
	}
	if !Commutes(symmetry) && !Folds(symmetry) {
		return
	}
	in, out := c.Channels()
	if max(in, out) > 1 {
		problem := fmt.Sprintf("is for functions with one channel: inputs have %d, outputs %d, and symmetries may change their signs",
			in, out)
		c.add("data.symmetry", problem, "try auto")
	}
	if c.Closed() {
		c.checkClosedSymmetry()
	} else {
		c.checkPeriodicSymmetry()
	}
}

// checkClosedSymmetry reports symmetries that functions between boundaries do not have.
func (c *checker) checkClosedSymmetry() {
	isRectangle := c.Data.Columns != 0 && c.Data.Columns != c.Data.Grid
	switch {
	case onTorus(c.Data.Symmetry):
		remedy := fmt.Sprintf("try %s, or %s or %s if functions continue like that", Reflection, EvenFold, OddFold)
		c.add("data.symmetry", "is of periodic functions, these end at a boundary", remedy)
	case Quarters(c.Data.Symmetry) && c.Dims() > 1:
		c.add("data.symmetry", "is of functions of one variable, these are fields", fmt.Sprintf("try %s or %s", EvenFold, OddFold))
	case c.Data.Symmetry == WholeSquare && isRectangle:
		problem := fmt.Sprintf("is of the square, and fields are on %d x %d points", c.Data.Grid, c.Data.Columns)
		c.add("data.symmetry", problem, "try "+Reflection)
	}
}

// checkPeriodicSymmetry reports symmetries that periodic functions do not have, and methods that have none.
func (c *checker) checkPeriodicSymmetry() {
	symmetry := c.Data.Symmetry
	if Folds(symmetry) {
		c.add("data.symmetry", "is of functions that end at a boundary, these are periodic", "try "+Translations)
		return
	}
	if symmetry == WholeSquare {
		c.add("data.symmetry", "is of fields that end at a boundary, these are periodic", "try "+Reflection)
	}
	method := c.Method()
	dependsOnPlace := method.placed != 0 && c.Dims() >= method.placed
	if dependsOnPlace {
		c.add("train.method", fmt.Sprintf("is not translation-equivariant, as data.symmetry = %s requires", symmetry),
			"try "+EquivariantKernel)
	}
}
