package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMemory: rows that need 400 MiB are not held in memory if -memory is 100.
func TestMemory(t *testing.T) {
	var text bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&text, "%d %d:1 500:0.5\n", i%2, 1+i%2+2*(i%97))
	}
	file := create(t, "wide.svm", text.String())
	cmd := child(t, "-data", file, "-memory", "100", "-epochs", "3", "-holdout", "0.1", "-standardise")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "wide.svm, read again for each epoch\n") {
		t.Errorf("printed\n%s", out)
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
	if t.Logf("%d MiB", most); most > 100 {
		t.Errorf("the program used %d MiB", most)
	}
}

// terminal returns both ends of a pseudo-terminal with 130 columns.
func terminal(t *testing.T) (program, user *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { user.Close() })
	fd := int(user.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 130}); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return program, user
}

// TestBar: on a terminal, a bar shows mistakes, loss and the time left. The test
// interrupts the program when it has seen the bar.
func TestBar(t *testing.T) {
	program, user := terminal(t)
	cmd := child(t, "-data", iris, "-model", "onevsrest", "-epochs", "1000000000")
	var stdout strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, program
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := program.Close(); err != nil {
		t.Fatal(err)
	}
	bar := regexp.MustCompile(`training +\[>?-+\] +epoch \d+: \d+ mistakes, loss [\d.]+ .*\ds left at most`)
	var seen []byte
	buf := make([]byte, 1<<12)
	for interrupted := false; ; {
		n, err := user.Read(buf)
		seen = append(seen, buf[:n]...)
		if err != nil { // the program has closed its end
			break
		}
		if !interrupted && bar.Match(seen) {
			interrupted = true
			if err := cmd.Process.Signal(os.Interrupt); err != nil && err != io.EOF {
				t.Fatal(err)
			}
		}
	}
	err := cmd.Wait()
	if cmd.ProcessState.ExitCode() != 130 || !strings.Contains(stdout.String(), "Interrupted") {
		t.Errorf("%v, want exit status 130; printed\n%s\nthe terminal shows %q", err, stdout.String(), seen)
	}
}
