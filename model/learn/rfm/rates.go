package rfm

// The rates that a theorem guarantees for the expected relative L2 error (Lanthaler & Nelsen, Error bounds for learning
// with vector-valued random features, NeurIPS 2023): if the operator is in the space of the features, lambda is of order
// n^(-1/2) and m at least of order n^(1/2), the squared error is at most of order n^(-1/2), so of order 1/m while m limits
// it. They are upper bounds: errors may fall faster, and on other operators they end at a positive one.
const (
	GuaranteedInN = -0.25
	GuaranteedInM = -0.5
)

// Theorem names their source, for people.
const Theorem = "Lanthaler & Nelsen 2023"
