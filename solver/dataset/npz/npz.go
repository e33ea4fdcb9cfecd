// Package npz reads and writes NumPy's .npz archives: zip files of .npy files, stored or deflated, and of other files.
//
// The reader is strict. Names are unique and local (no "../x"), members do not overlap, and the sizes that the archive
// declares must agree with the file's size, with the array's own header and, for deflated members, with the limits of
// deflate: at most 1100 times the compressed size (its limit is 1032). So memory is allocated only for arrays that may
// be or are in the file: eight bytes an element and 1 MiB, as in package npy.
package npz

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/pickle"
)

const (
	suffix       = ".npy"
	maxDirectory = 1 << 17 // bytes that may be read to list the members: more than a thousand members
	maxRatio     = 1100
)

// Reader reads an archive. It is safe for concurrent use.
type Reader struct {
	Arrays []string // names of the arrays, without .npy, in the order of the archive
	Others []string // names of the other members

	where   string
	size    int64
	members map[string]*zip.File // by name in the archive
}

// NewReader reads the directory of an archive of size bytes. Later errors, too, are *fault.Data at where, its name.
func NewReader(r io.ReaderAt, size int64, where string) (*Reader, error) {
	limited := &budget{ReaderAt: r, left: maxDirectory, limited: true}
	z, err := zip.NewReader(limited, size)
	if err == nil {
		err = endsThere(r, size, z)
	}
	if errors.Is(err, errDirectory) {
		return nil, fault.Bad(
			where,
			"save fewer arrays in one archive",
			"has a directory of more than %d bytes", maxDirectory,
		)
	}
	if err != nil {
		return nil, &fault.Data{
			Where: where,
			What:  "is not a whole .npz archive",
			Err:   err,
			Do:    "copy it again, or write it with numpy.savez",
		}
	}
	limited.limited = false
	archive := &Reader{where: where, size: size, members: map[string]*zip.File{}}
	for _, f := range z.File {
		if isFolder(f) {
			continue
		}
		if !local(f.Name) {
			return nil, fault.Bad(where, "write it with numpy.savez", "has a member with the unsafe name %q", f.Name)
		}
		name, isArray := strings.CutSuffix(f.Name, suffix)
		if archive.members[name] != nil || archive.members[name+suffix] != nil {
			return nil, fault.Bad(where, "write it with numpy.savez", "has two members with the name %q", name)
		}
		if isArray {
			archive.Arrays = append(archive.Arrays, name)
		} else {
			archive.Others = append(archive.Others, name)
		}
		archive.members[f.Name] = f
	}
	if err := disjoint(z.File, where); err != nil {
		return nil, err
	}
	return archive, nil
}

// endsThere returns an error if bytes follow the end of an archive: a record of 22 bytes, and a comment.
func endsThere(r io.ReaderAt, size int64, z *zip.Reader) error {
	record := size - 22 - int64(len(z.Comment))
	signature := make([]byte, 4)
	if _, err := r.ReadAt(signature, record); err != nil {
		return err
	}
	if string(signature) != "PK\x05\x06" {
		return errors.New("bytes follow its end")
	}
	return nil
}

// disjoint returns an error if members share bytes, because no program writes such archives, and a small one could hold
// any number of large members.
func disjoint(members []*zip.File, where string) error {
	type extent struct {
		begin uint64
		end   uint64
		name  string
	}
	var extents []extent
	for _, f := range members {
		at, err := f.DataOffset()
		if err != nil || at < 0 || isFolder(f) { // reading the member fails
			continue
		}
		begin := uint64(at)
		extents = append(extents, extent{begin: begin, end: begin + f.CompressedSize64, name: f.Name})
	}
	slices.SortFunc(extents, func(a, b extent) int { return cmp.Compare(a.begin, b.begin) })
	for i := 1; i < len(extents); i++ {
		a := extents[i-1]
		b := extents[i]
		if b.begin < a.end && b.end > b.begin {
			return fault.Bad(
				where,
				"write it with numpy.savez",
				"has members that overlap, %q and %q", a.name, b.name,
			)
		}
	}
	return nil
}

// isFolder reports whether a member is an entry of a folder, which zip programs add.
func isFolder(f *zip.File) bool {
	return strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0
}

// local reports whether the name of a member is relative, stays below its folder, and is printable.
func local(name string) bool {
	isUnprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case !fs.ValidPath(name), name == ".", name == suffix:
		return false
	case strings.ContainsRune(name, '\\'):
		return false
	}
	return !strings.ContainsFunc(name, isUnprintable)
}

// budget is a ReaderAt that limits the number of bytes read while limited is set.
type budget struct {
	io.ReaderAt
	left    int
	limited bool
}

var errDirectory = errors.New("directory too large")

func (b *budget) ReadAt(p []byte, at int64) (int, error) {
	if b.limited {
		b.left -= len(p)
		if b.left < 0 {
			return 0, errDirectory
		}
	}
	return b.ReaderAt.ReadAt(p, at)
}

// Array describes an array by its header. Errors are *fault.Data.
func (r *Reader) Array(name string) (npy.Member, error) {
	b, err := r.block(name)
	if err != nil {
		return npy.Member{}, err
	}
	m := b.Member(name, npy.Place(r.where, name))
	r.seal(&m, name)
	return m, nil
}

// Members describes an array by its header, or the arrays in an array of objects. Errors are *fault.Data.
func (r *Reader) Members(name string) ([]npy.Member, error) {
	b, err := r.block(name)
	if err != nil {
		return nil, err
	}
	all := pickle.Arrays(b, r.where, name, true)
	for i := range all {
		r.seal(&all[i], name)
	}
	return all, nil
}

func (r *Reader) block(name string) (npy.Block, error) {
	where := npy.Place(r.where, name)
	return npy.BlockOf(where, func() (io.Reader, int64, error) {
		return r.Open(name+suffix, where)
	})
}

// seal notes that a member of the archive, which holds the array, has a checksum, and may be packed.
func (r *Reader) seal(m *npy.Member, name string) {
	f := r.members[name+suffix]
	m.Sealed = true
	m.Doubtful = npy.Incredible(int64(f.UncompressedSize64), int64(f.CompressedSize64))
}

// File reads a member that is not an array, of at most most bytes. Errors are *fault.Data.
func (r *Reader) File(name string, most int64) ([]byte, error) {
	where := npy.Place(r.where, name)
	in, size, err := r.Open(name, where)
	if err != nil {
		return nil, err
	}
	if size > most {
		return nil, fault.Bad(where, "is this the right file?", "has %d bytes, want at most %d", size, most)
	}
	content, err := io.ReadAll(in) // to the end, which compares size and checksum
	return content, npy.Broken(where, err)
}

// Open opens a member of a plausible size. Reading to its end compares its checksum. Errors are *fault.Data at where.
func (r *Reader) Open(member, where string) (in io.Reader, size int64, err error) {
	f := r.members[member]
	if f == nil {
		names := slices.Concat(r.Arrays, r.Others)
		names = names[:min(len(names), 20)]
		return nil, 0, fault.Bad(
			r.where,
			"name one of these",
			"has no array %q, only %s", strings.TrimSuffix(member, suffix), printable.Names(names),
		)
	}
	const encrypted = 1
	isPlain := f.Method == zip.Store || f.Method == zip.Deflate
	packed := f.CompressedSize64
	unpacked := f.UncompressedSize64
	at, err := f.DataOffset()
	switch {
	case f.Flags&encrypted != 0 || !isPlain:
		err = fault.Bad(
			where,
			"write it with numpy.savez or numpy.savez_compressed",
			"is encrypted, or compressed with method %d; stored and deflated members are read", f.Method,
		)
	case f.Method == zip.Store && packed != unpacked:
		err = fmt.Errorf("%d bytes stored in %d", unpacked, packed)
	case unpacked/maxRatio > packed:
		err = fmt.Errorf("%d bytes cannot become %d", packed, unpacked)
	case err != nil:
	case packed > uint64(r.size) || at < 0 || at > r.size-int64(packed):
		err = fault.Bad(
			where,
			"copy or write the file again",
			"is truncated: %d bytes at %d in a file of %d", packed, at, r.size,
		)
	default:
		in, err = f.Open()
	}
	return in, int64(unpacked), npy.Broken(where, err)
}

// Opener returns how a member is opened, see Open.
func (r *Reader) Opener(member, where string) npy.Opener {
	return func() (io.Reader, error) {
		in, _, err := r.Open(member, where)
		return in, err
	}
}

// Size returns the number of bytes of a member that can be opened. Errors are *fault.Data at where.
func (r *Reader) Size(member, where string) (int64, error) {
	_, size, err := r.Open(member, where)
	return size, err
}

// Writer writes an archive for numpy.load: float64 arrays in C order, stored, in the order of the calls. The same
// content gives the same bytes, since the archive does not contain times.
type Writer struct {
	archive *zip.Writer
	taken   map[string]bool
}

// NewWriter starts an archive that is written to w. The caller must Close it to complete it.
func NewWriter(w io.Writer) *Writer {
	return &Writer{archive: zip.NewWriter(w), taken: map[string]bool{}}
}

// Array adds an array. It panics if the name is used or no plain relative path, or if the shape does not fit the data.
func (w *Writer) Array(name string, a npy.Array) error {
	return w.Parts(name, a.Shape, func(out io.Writer) error { return npy.Write(out, a) })
}

// Parts adds an array of a shape that write writes in the format of .npy, twice: first to compute its checksum, which
// precedes it in the file. It panics as Array does, and returns the error of write.
func (w *Writer) Parts(name string, shape npy.Shape, write func(io.Writer) error) error {
	header := len(npy.Preamble(shape))
	return w.add(name, name+suffix, header+8*npy.Count(shape), write)
}

// File adds a member that is not an array, which numpy.load returns as bytes. It panics if the name is already used,
// ends in .npy or is not a plain relative path. It returns the error of the underlying writer.
func (w *Writer) File(name string, content []byte) error {
	if strings.HasSuffix(name, suffix) {
		panic(fmt.Sprintf("npz: file %q would be taken for an array", name))
	}
	return w.add(name, name, len(content), func(out io.Writer) error {
		_, err := out.Write(content)
		return err
	})
}

// add writes a member of size bytes twice: first to compute its checksum, which precedes it in the file.
func (w *Writer) add(name, member string, size int, write func(io.Writer) error) error {
	if !local(member) || w.taken[name] {
		panic(fmt.Sprintf("npz: member %q is taken or not a plain relative path", member))
	}
	w.taken[name] = true
	sum := crc32.NewIEEE()
	if err := write(sum); err != nil {
		return err
	}
	header := &zip.FileHeader{
		Name:               member,
		Method:             zip.Store,
		CRC32:              sum.Sum32(),
		CompressedSize64:   uint64(size),
		UncompressedSize64: uint64(size),
	}
	const firstDay = 1<<5 | 1 // 1 January 1980, the earliest date of the format
	//lint:ignore SA1019 because CreateRaw writes this field and takes no notice of Modified, which replaces it elsewhere
	header.ModifiedDate = firstDay
	out, err := w.archive.CreateRaw(header)
	if err != nil {
		return err
	}
	return write(out)
}

// Close completes the archive. It does not close the underlying writer.
func (w *Writer) Close() error { return w.archive.Close() }
