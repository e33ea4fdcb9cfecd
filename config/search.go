package config

// Search is the range of values that a search tries for a key.
type Search struct {
	Low, High float64  // bounds of a number
	Log       bool     // on a logarithmic scale
	Values    []string // or a list of values

	line   bool // only for functions of one variable
	square bool // only for functions on a square whose symmetry is not given
}

// Search returns the range of the key for the configuration's feature map; ok is false if a search keeps its value.
func (k Key) Search(c Config) (s Search, ok bool) {
	s, ok = k.search[c.Features.Kind]
	own := c.Of().Files && c.Closed()
	if s.line && c.Dims() > 1 || s.square && !(own && c.Dims() == 2 && c.Data.Columns == 0 &&
		c.single() && c.Data.Symmetry == AutoSymmetry) {
		return Search{}, false
	}
	if ok && s.Values == nil && k.Kind == Choice {
		s.Values = k.Choices
	}
	return s, ok
}

// single reports whether functions have one channel.
func (c Config) single() bool {
	in, out := c.Channels()
	return in*out == 1
}
