package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

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

// watched runs the program on a terminal and sends it a signal when its bar matches.
func watched(t *testing.T, bar string, signal os.Signal, args ...string) (cmd *exec.Cmd, stdout string) {
	t.Helper()
	program, user := terminal(t)
	cmd = child(t, args...)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, program
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := program.Close(); err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(bar)
	var seen []byte
	buf := make([]byte, 1<<12)
	for sent := false; ; {
		n, err := user.Read(buf)
		seen = append(seen, buf[:n]...)
		if err != nil { // the program has closed its end
			break
		}
		if !sent && want.Match(seen) {
			sent = true
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if !want.Match(seen) {
		t.Fatalf("the terminal shows %q", seen)
	}
	return cmd, out.String()
}

// TestInterrupt: on a terminal, a bar shows the updates, the loss and the time
// left. An interrupt ends the training after the epoch. The saved model equals that of
// an uninterrupted training of as many epochs, and can be continued.
func TestInterrupt(t *testing.T) {
	file, model := cloud(t, 2000), filepath.Join(t.TempDir(), "m")
	cmd, out := watched(t, `training +\[>?-+\] +epoch \d+: \d+ updates, loss [\d.]+ .*\ds left at most`, os.Interrupt,
		"train", file, "--epochs", "1000000000", "-o", model)
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(model), ".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	found := regexp.MustCompile(`(?s)\nepochs +(\d+)\nstop +Interrupted\n.*\nsaved +` + regexp.QuoteMeta(model)).FindStringSubmatch(out)
	if status := cmd.ProcessState.ExitCode(); status != 130 || found == nil {
		t.Fatalf("exit status %d, want 130; printed\n%s", status, out)
	}
	unbroken := filepath.Join(t.TempDir(), "unbroken")
	runs(t, "train", file, "--epochs", found[1], "-o", unbroken)
	if state(t, model) != state(t, unbroken) {
		t.Errorf("the model differs from that of %s whole epochs", found[1])
	}
	runs(t, "train", file, "-m", model, "-o", model, "--epochs", "2")
}

// TestFolds: on a terminal, a bar shows the folds so far and the time left, even while --holdout chooses.
func TestFolds(t *testing.T) {
	file := cloud(t, 2000)
	for bar, flags := range map[string]string{`folds +\[[^\n]*\] +[12] of 3 .*s left at most`: "--cv 3", `choosing, folds +\[[^\n]*\] +[1-4] of 5 .*s left at most`: "--holdout 0.2"} {
		watched(t, bar, os.Kill, append([]string{"train", file, "--epochs", "5000"}, strings.Fields(flags)...)...)
	}
}

// TestCheckpoint: a training that is killed leaves the model of its last checkpoint.
func TestCheckpoint(t *testing.T) {
	file, model := cloud(t, 2000), filepath.Join(t.TempDir(), "m")
	cmd, out := watched(t, `epoch \d\d+: \d+ updates`, os.Kill, "train", file, "--algorithm", "margin", "--epochs", "1000000000", "--checkpoint", "4", "-o", model)
	if cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL || out != "" {
		t.Fatalf("%v, printed\n%s", cmd.ProcessState, out)
	}
	more := runs(t, "train", file, "-m", model, "--epochs", "1")
	found := regexp.MustCompile(`numbers (\d+) to`).FindStringSubmatch(more)
	if found == nil || (len(found[1]) < 2 && found[1] != "9") || (atoi(found[1])-1)%4 != 0 {
		t.Errorf("continued with\n%s", more)
	}
}

func atoi(s string) (n int) {
	fmt.Sscan(s, &n)
	return n
}

// TestMemory: rows that need 400 MiB are not held in memory if --memory is 100. Any number of rows
// is trained on in 32 MiB, and predicted in 18. PERCEPTRON_LONG sets the size of their file in MB.
func TestMemory(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "perceptron") // a test binary is larger
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	most := func(limit int, args ...string) {
		var out bytes.Buffer
		cmd, kib := exec.Command(exe, args...), 0
		if cmd.Stdout = &out; cmd.Start() != nil {
			t.Fatal(cmd.Err)
		}
		for { // until it ends; what a parent gets as its usage would include the parent's own
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
			if found == nil {
				break
			}
			kib = atoi(string(found[1]))
		}
		if err := cmd.Wait(); err != nil || out.Len() < 100 {
			t.Fatalf("%v, printed %.1000s", err, out.String())
		}
		if t.Logf("%s: %.1f MiB", args[0], float64(kib)/1024); kib == 0 || kib >= limit<<10 {
			t.Errorf("%q used %d KiB, want less than %d MiB", args, kib, limit)
		}
	}
	wide := lines(t, "wide.svm", 1_500_000, func(w io.Writer, i int) (int, error) {
		return fmt.Fprintf(w, "%d %d:1 500:0.5\n", i%2, 1+i%2+2*(i%97))
	})
	most(100, "train", wide, "--memory", "100", "--epochs", "1", "--holdout", "0.1", "--features", "500")
	size := max(atoi(os.Getenv("PERCEPTRON_LONG")), 24)
	long, model := lines(t, "long.csv", size*1_000_000, func(w io.Writer, i int) (int, error) {
		return fmt.Fprintf(w, "%d.%06d,-0.%06d,%d.123456,0.%06d,%d.654321,%d,%c\n", i%7, i%1000000, i*7%1000000, i%3, i*13%1000000, i%2, i%5, 'a'+i%2)
	}), filepath.Join(t.TempDir(), "m")
	most(32, "train", long, "--memory", "16", "--epochs", "3", "--holdout", "0.1", "-o", model)
	most(18, "predict", "-m", model, long)
}

// lines writes a file of at least size bytes, without holding it in memory.
func lines(t *testing.T, name string, size int, line func(w io.Writer, i int) (int, error)) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i, written := 0, 0; written < size; i++ {
		n, err := line(w, i)
		if err != nil {
			t.Fatal(err)
		}
		written += n
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
