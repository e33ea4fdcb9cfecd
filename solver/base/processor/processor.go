// Package processor has the clock of this process's processor time, by which computations are timed on machines that
// other programs use, too.
package processor
