package score

// Validation is the error of a model of the first samples on samples that come after them.
type Validation struct {
	Samples int     // in the training of the model
	Unseen  int     // in the mean
	Error   float64 // mean relative L2 error
}
