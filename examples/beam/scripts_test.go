package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDown: down.sh removes the cluster of its own checkout, and that of a checkout that is gone. It
// does not remove the cluster of another checkout.
func TestDown(t *testing.T) {
	other := t.TempDir()
	for checkout, want := range map[string]string{must(filepath.Abs("flink"))(t): "", other + "/gone": "", other: other + "/down.sh removes it"} {
		folder := filepath.Join(t.TempDir(), "cluster")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(folder+"/checkout", []byte(checkout+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		down := exec.Command("flink/down.sh")
		down.Env = append(os.Environ(), "FLINK_DIR="+folder)
		out, err := down.CombinedOutput()
		_, left := os.Stat(folder)
		if (err != nil) != (want != "") || !strings.Contains(string(out), want) || os.IsNotExist(left) != (want == "") {
			t.Errorf("%s: %v, %v, %s", checkout, err, left, out)
		}
	}
}

// TestRotate: of a long log, the last lines are in two files.
func TestRotate(t *testing.T) {
	log := filepath.Join(t.TempDir(), "a log")
	var lines strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&lines, "line %03d\n", i) // 9 bytes
	}
	rotate := exec.Command("flink/rotate.sh", log)
	rotate.Env, rotate.Stdin = append(os.Environ(), "LOG_BYTES=1000"), strings.NewReader(lines.String())
	if out, err := rotate.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	old, rest := must(os.ReadFile(log+".old"))(t), must(os.ReadFile(log))(t)
	if text := string(old) + string(rest); len(old) != 112*9 || !strings.HasSuffix(lines.String(), text) {
		t.Errorf("%d and %d bytes: %s", len(old), len(rest), text)
	}
}
