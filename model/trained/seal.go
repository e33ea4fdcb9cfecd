package trained

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"rfm/solver/fault"
)

// sealPrefix begins the comment of the ZIP archive, with which the file ends. After it come the hexadecimal digits of
// the SHA-256 of every byte before them.
const sealPrefix = "rfm model sha256 "

const sealSize = len(sealPrefix) + 2*sha256.Size

// lengthSize is the number of bytes of the comment's length, which end an archive without a comment.
const lengthSize = 2

// sealer passes an archive without a comment on to w, and gives it the checksum as one.
type sealer struct {
	w    io.Writer
	hash hash.Hash
	held []byte // the last bytes, which may be the comment's length
}

func (s *sealer) Write(p []byte) (int, error) {
	s.held = append(s.held, p...)
	ready := max(0, len(s.held)-lengthSize)
	if err := s.pass(s.held[:ready]); err != nil {
		return 0, err
	}
	s.held = append(s.held[:0], s.held[ready:]...)
	return len(p), nil
}

func (s *sealer) pass(p []byte) error {
	s.hash.Write(p)
	_, err := s.w.Write(p)
	return err
}

// close completes the file.
func (s *sealer) close() error {
	if err := s.pass(append([]byte{byte(sealSize), 0}, sealPrefix...)); err != nil {
		return err
	}
	_, err := s.w.Write(hex.AppendEncode(nil, s.hash.Sum(nil)))
	return err
}

// checkSeal reads the whole file and returns a *fault.Data unless it is as it was written.
func checkSeal(r io.ReaderAt, size int64) error {
	if size < int64(sealSize) {
		return unsealed()
	}
	comment := make([]byte, sealSize)
	if _, err := io.ReadFull(io.NewSectionReader(r, size-int64(sealSize), int64(sealSize)), comment); err != nil {
		return fault.Unread(modelWhere, err)
	}
	prefix, digits := comment[:len(sealPrefix)], string(comment[len(sealPrefix):])
	if string(prefix) != sealPrefix {
		return unsealed()
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(r, 0, size-int64(len(digits)))); err != nil {
		return fault.Unread(modelWhere, err)
	}
	if found := hex.EncodeToString(sum.Sum(nil)); found != digits {
		return &fault.Data{Where: modelWhere,
			What: fmt.Sprintf("is damaged: it was written with the SHA-256 %q, and now has %q", digits, found),
			Do:   "copy it again from where it was written"}
	}
	return nil
}

func unsealed() error {
	return &fault.Data{Where: modelWhere,
		What: "does not end with the checksum of a model file: it is truncated, or something else",
		Do:   "copy it again, or give the model.npz of a run"}
}
