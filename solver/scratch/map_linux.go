package scratch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mapped makes a file of size zeros, for which there is room on the disk, and maps it.
func mapped(file *os.File, size int) ([]byte, error) {
	err := unix.Fallocate(int(file.Fd()), 0, 0, int64(size))
	if errors.Is(err, unix.EOPNOTSUPP) {
		err = fill(file, size)
	}
	if err != nil {
		return nil, err
	}
	return unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func release(pages []byte) {
	_ = unix.Madvise(pages, unix.MADV_DONTNEED) // advice; what was written stays in the file
}

// fill writes zeros: where space cannot be reserved, a page that cannot be written later would end the process.
func fill(file *os.File, size int) error {
	zeros := make([]byte, 1<<20)
	for left := size; left > 0; left -= len(zeros) {
		if _, err := file.Write(zeros[:min(left, len(zeros))]); err != nil {
			return err
		}
	}
	return nil
}
