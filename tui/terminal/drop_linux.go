package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropOutput drops what was written to a terminal and waits to be taken by it. A write that waits for room goes on only
// when output is started again, so it is stopped for a moment. Errors mean that the terminal is gone: nothing waits.
func dropOutput(terminal *os.File) {
	fd := int(terminal.Fd())
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH)
	_ = unix.IoctlSetInt(fd, unix.TCXONC, unix.TCOOFF)
	_ = unix.IoctlSetInt(fd, unix.TCXONC, unix.TCOON)
}
