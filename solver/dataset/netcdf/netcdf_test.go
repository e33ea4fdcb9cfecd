package netcdf

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

// words returns numbers of four bytes, and texts with their lengths, padded.
func words(all ...any) (b []byte) {
	for _, word := range all {
		switch word := word.(type) {
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(word))
		case string:
			b = binary.BigEndian.AppendUint32(b, uint32(len(word)))
			b = append(b, word...)
			b = append(b, make([]byte, -len(word)&3)...)
		}
	}
	return b
}

func read(content []byte) ([]npy.Member, error) {
	members, _, err := Read(bytes.NewReader(content), int64(len(content)), "x.nc", content)
	return members, err
}

// Headers that no program writes end with an error, or an array without numbers, soon and in little memory.
func TestHostileHeaders(t *testing.T) {
	const most = 1 << 31
	dimensions := words(dimensionTag, 2, "m", 0, "x", 0)
	array := words(variableTag, 1, "a", 2, 0, 1, 0, 0, 5, 0, 200)
	begin := func(records int) []byte { return append([]byte("CDF\x01"), words(records)...) }
	join := func(parts ...[]byte) []byte { return append(bytes.Join(parts, nil), make([]byte, 200)...) }
	for what, content := range map[string][]byte{
		"records without numbers": join(begin(most), dimensions, words(0, 0), array),
		"a long list":             join(begin(1), words(dimensionTag, most)),
		"a long name":             join(begin(1), words(dimensionTag, 1, most)),
		"no such dimension":       join(begin(1), words(dimensionTag, 1, "x", 4, 0, 0, variableTag, 1, "a", 1, 7)),
		"an unknown type":         join(begin(1), words(dimensionTag, 1, "x", 4, 0, 0, variableTag, 1, "a", 1, 0, 0, 0, 77, 0, 0)),
		"numbers beyond the end":  join(begin(1), words(dimensionTag, 1, "x", 400, 0, 0, variableTag, 1, "a", 1, 0, 0, 0, 6, 0, 100)),
		"another version":         append([]byte("CDF\x07"), make([]byte, 60)...),
	} {
		start := time.Now()
		memory := filetest.Allocated(func() {
			members, err := read(content)
			for _, m := range members {
				a, failure := m.Array()
				if failure == nil && len(a.Data) > 0 {
					t.Errorf("%s: %d numbers", what, len(a.Data))
				}
			}
			if err != nil && strings.Contains(err.Error(), "panic") {
				t.Errorf("%s: %v", what, err)
			}
		})
		if took := time.Since(start); took > 5*time.Second || memory > 4<<20 {
			t.Errorf("%s: %v and %d bytes", what, took, memory)
		}
	}
}
