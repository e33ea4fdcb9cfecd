package config

// Search is what a search tries for the value of a key.
type Search struct {
	Low, High float64  // a number between these
	Log       bool     // on a logarithmic scale
	Values    []string // or one of these, if there are any
	Apart     bool     // which are searched apart
	Late      bool     // it comes after the others: the order is part of what a seed means

	line   bool // only for functions of one variable
	square bool // only for those on a square, where nothing is said of motions
}

// Search is what a search tries for the key with the configuration's feature map; ok is false if that is left as it is.
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
