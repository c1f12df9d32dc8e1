package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestAdvise: errors that Flink has printed get a remedy. Others stay as they are.
func TestAdvise(t *testing.T) {
	for text, want := range map[string]string{
		"java.lang.IllegalArgumentException: Too little memory provided to sorter to perform task. Required are at least 12 pages.":     "-chunk",
		"java.io.IOException: The record exceeds the maximum size of a sort buffer (current maximum: 4096000 bytes).":                   "large-record-handler",
		"java.lang.OutOfMemoryError: Cannot reserve 1048576 bytes of direct buffer memory (allocated: 805306360, limit: 805306368)":     "MaxDirectMemorySize",
		"java.io.IOException: Cannot run program \"/w.sh\": error=13, Permission denied":                                                "executable",
		"java.io.IOException: Cannot run program \"/w.sh\": error=2, No such file or directory":                                         "every TaskManager needs",
		"job failed to prepare\n\tcaused by:\nrpc error: code = Unavailable":                                                            "--endpoint",
		"java.net.ConnectException: Connection refused":                                                                                 "JobManager",
		"org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException: Could not acquire the minimum required resources.": "slots",
		"java.util.concurrent.TimeoutException: Timeout has occurred: 15000 ms":                                                         "slots",
	} {
		cause := errors.New(text)
		if err := advise(cause); !errors.Is(err, cause) || !strings.Contains(strings.TrimPrefix(err.Error(), text+"\n"), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if other := errors.New("another error"); advise(other) != other || advise(nil) != nil {
		t.Error("an error without a remedy has changed")
	}
}

// TestRootOf: the root of a stack trace is the error of a worker, or the last cause with its context.
func TestRootOf(t *testing.T) {
	const suppressed = "org.apache.flink.runtime.JobException: Recovery is suppressed by NoRestartBackoffTimeStrategy\n\tat org.apache.A.b(A.java:1)\n"
	for stack, want := range map[string]string{
		"": "",
		"java.lang.Exception: alone\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n":                                                                                                                                              "java.lang.Exception: alone",
		suppressed + "Caused by: java.io.IOException: Cannot run program \"/w\": error=2\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: error=2\n\t... 6 more\n":                                                                  "java.io.IOException: Cannot run program \"/w\": error=2",
		suppressed + "Caused by: java.lang.RuntimeException: one\nCaused by: java.net.ConnectException: two\n":                                                                                                                            "java.net.ConnectException: two",
		"java.lang.RuntimeException: Error received from SDK harness for instruction 3\n\tcaused by:\nDoFn[UID:4, PID:e4, Name: main.surveyFn] failed:\na worker on vm uses x\n\tat a.B.c(B.java:1)\nCaused by: java.lang.Error: other\n": "a worker on vm uses x",
	} {
		if got := rootOf(stack); got != want {
			t.Errorf("%s: %q, want %q", stack, got, want)
		}
	}
}

// TestCause: the program asks Flink for the last failure of its job. Flink may have no such job, no
// failure of it, or not answer: then the error does not name the storage.
func TestCause(t *testing.T) {
	answers := map[string]string{
		"/jobs/overview":     `{"jobs":[{"jid":"1","name":"other"},{"jid":"2","name":"ours-root"},{"jid":"3","name":"well"}]}`,
		"/jobs/2/exceptions": `{"exceptionHistory":{"entries":[{"stacktrace":"last\n"},{"stacktrace":"first\n"}]}}`,
		"/jobs/3/exceptions": `{"exceptionHistory":{"entries":[]}}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answers[r.URL.Path]) }))
	for name, want := range map[string]string{"ours": "last", "well": "", "none": "no job of this run"} {
		if got := flink(server.URL).cause(t.Context(), name); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	server.Close()
	if got := flink(server.URL).cause(t.Context(), "ours"); !strings.Contains(got, "JobManager") {
		t.Errorf("%q, want the JobManager", got)
	}
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hangs.Close()
	last, cancel := closing(t.Context())
	defer cancel()
	if got := flink(hangs.URL).cause(last, "ours"); !strings.Contains(got, "no answer within 2 seconds") || !strings.Contains(got, "JobManager") {
		t.Errorf("%q, want the JobManager, and how long it had", got)
	}
	if got := flink("").cause(t.Context(), "ours"); got != "" {
		t.Errorf("%q without -flink", got)
	}
}
