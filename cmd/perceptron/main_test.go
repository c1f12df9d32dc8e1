package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestMain runs the program instead of the tests in a process that child starts.
func TestMain(m *testing.M) {
	if os.Getenv("PERCEPTRON_CHILD") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// child returns a command that runs the program in its own process.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "PERCEPTRON_CHILD=1")
	return cmd
}

const iris = "../../examples/iris/iris.csv"

// runs runs the program and returns its output. What the reader detected and what memory the training
// takes are on standard error, and nothing else.
func runs(t testing.TB, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if err := run(args, &stdout, &stderr); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	for line := range strings.Lines(stderr.String()) {
		if !strings.Contains(line, "the first line ") && !strings.Contains(line, "the training takes about ") {
			t.Fatalf("%q writes %q to standard error", args, stderr.String())
		}
	}
	return stdout.String()
}

// fails runs the program and returns its exit status and error.
func fails(t testing.TB, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	err := run(args, &stdout, &stderr)
	if err == nil {
		t.Fatalf("%q is accepted and prints\n%s", args, stdout.String())
	}
	return fmt.Sprintf("%d %v", status(err), err)
}

func create(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// trained trains a model and returns its file.
func trained(t testing.TB, args ...string) string {
	t.Helper()
	model := filepath.Join(t.TempDir(), "m.perceptron")
	runs(t, append([]string{"train", "-o", model}, args...)...)
	return model
}

// tumours returns a table like UCI's wdbc: an id, a diagnosis of two letters, and 30
// measures whose sizes differ a thousandfold.
func tumours(rows int) string {
	r := rand.New(rand.NewPCG(5, 7))
	var text strings.Builder
	text.WriteString("id,diagnosis")
	for j := range 30 {
		fmt.Fprintf(&text, ",measure %d", j+1)
	}
	text.WriteString("\n")
	for range rows {
		class := "B"
		shift := 0.0
		if r.IntN(8) < 3 {
			class, shift = "M", 1.5
		}
		size := r.NormFloat64()
		fmt.Fprintf(&text, "%d,%s", 840000+r.IntN(90000000), class)
		for j := range 30 {
			scale := []float64{1000, 10, 1, 0.1, 0.01}[j%5]
			fmt.Fprintf(&text, ",%.5g", scale*(5+shift+0.6*size*float64(j%3)+r.NormFloat64()))
		}
		text.WriteString("\n")
	}
	return text.String()
}

// TestHelp: each help fits a screen of 56 lines and 80 columns, and has an example.
func TestHelp(t *testing.T) {
	for _, command := range []string{"", "train", "predict", "evaluate", "inspect", "export", "separate", "log", "serve"} {
		help := runs(t, append(strings.Fields(command), "--help")...)
		lines := strings.Split(strings.TrimSuffix(help, "\n"), "\n")
		if len(lines) > 56 || !strings.Contains(help, "\nExample: perceptron "+command) {
			t.Errorf("%s: %d lines, or no example:\n%s", command, len(lines), help)
		}
		for _, line := range lines {
			if n := len([]rune(line)); n > 80 {
				t.Errorf("%s: %d columns: %s", command, n, line)
			}
		}
	}
	if got := runs(t); got != runs(t, "--help") {
		t.Errorf("without a command:\n%s", got)
	}
}

// TestVersion: a program from a checkout has a revision, and one that go install fetched has none.
func TestVersion(t *testing.T) {
	own, ok := debug.ReadBuildInfo()
	if got, want := runs(t, "--version"), "perceptron "+own.Main.Version+", "+runtime.Version()+"\n"; !ok || got != want {
		t.Errorf("--version prints %q, not %q", got, want)
	}
}

// TestExitStatus: of the process, not of the function.
func TestExitStatus(t *testing.T) {
	for line, want := range map[string]int{
		"train " + iris:              0,
		"train no.csv":               1,
		"train":                      2,
		"train " + iris + " --epoch": 2,
		"fly":                        2,
		"--help":                     0,
	} {
		cmd := child(t, strings.Fields(line)...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: status %d, want %d\n%s", line, got, want, out)
		}
	}
}

// TestFlagsExplained: the pages in docs explain every flag.
func TestFlagsExplained(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 6 {
		t.Fatal(pages, err)
	}
	var all strings.Builder
	for _, page := range pages {
		all.WriteString(read(t, page))
	}
	for _, command := range []string{"train", "predict", "evaluate", "inspect", "export", "separate", "log", "serve"} {
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(runs(t, command, "--help"), -1) {
			if !regexp.MustCompile(flag+`\b`).MatchString(all.String()) && flag != "--help" {
				t.Errorf("no page explains %s of %s", flag, command)
			}
		}
	}
}
