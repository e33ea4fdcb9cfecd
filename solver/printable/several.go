package printable

import "fmt"

// Several formats a count of things: 1 worker, 2 workers.
func Several(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
