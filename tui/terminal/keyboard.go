package terminal

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// keyboard is the input of a terminal. Where the hang-up signal is ignored, as under nohup, only the end of the input
// indicates that the terminal is gone.
//
// A slow line delivers esc and the key after it together, which Bubble Tea takes for that key with alt. Here it is esc
// and the key: nothing here needs alt, which terminals with a newer protocol report in another way.
type keyboard struct {
	*os.File
	gone    func()
	pasting bool // a paste has begun and not ended: it is no keys
}

// Read implements io.Reader.
func (k *keyboard) Read(p []byte) (int, error) {
	part := make([]byte, max(1, len(p)/len(escape))) // so that each may be an esc, which takes more bytes then
	n, err := k.File.Read(part)
	for err == nil && n > 0 && n < len(part) {
		mayBegin := part[n-1] == ansi.ESC // a sequence
		if !mayBegin || !follows(k.File, uv.DefaultEscTimeout) {
			break
		}
		var more int
		more, err = k.File.Read(part[n:]) // the rest of a sequence, or a key
		n += more
	}
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EIO) {
		k.gone()
	}
	return copy(p, k.apart(part[:n])), err
}

// escape is the key esc in the newer protocol of terminals, in which it is no beginning of a sequence.
const escape = "\x1b[27u"

// The beginning and the end of a paste.
const pasteBegins, pasteEnds = "\x1b[200~", "\x1b[201~"

// apart returns input in which esc is a key of its own unless it begins a sequence.
func (k *keyboard) apart(input []byte) []byte {
	var out bytes.Buffer
	state := byte(ansi.NormalState)
	for len(input) > 0 {
		sequence, _, n, next := ansi.DecodeSequence(input, state, nil)
		state = next
		input = input[n:]
		switch {
		case string(sequence) == pasteBegins:
			k.pasting = true
		case string(sequence) == pasteEnds:
			k.pasting = false
		case k.pasting || sequence[0] != ansi.ESC:
		case len(sequence) == 1:
			sequence = []byte(escape)
		case !introduces(sequence[1]):
			sequence = append([]byte(escape), sequence[1:]...)
		}
		out.Write(sequence)
	}
	return out.Bytes()
}

// introduces reports whether a character behind esc begins a control sequence, a function key, or text of the terminal,
// or ends one.
func introduces(c byte) bool {
	return bytes.IndexByte([]byte("[OP]_^X\\"), c) >= 0
}
