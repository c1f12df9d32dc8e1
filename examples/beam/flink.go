package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// A flink is the address of the REST server of Flink's JobManager, or "" if it is not used. The
// program asks Flink itself, because Beam's job server passes on neither the number of free slots nor
// a cancellation.
type flink string

// ask sends a request and decodes the answer.
func (f flink) ask(ctx context.Context, method, path string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, string(f)+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("the JobManager, which -flink names, does not answer: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s", method, request.URL, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// free waits until Flink has enough free slots for a pipeline. Slots that an earlier pipeline
// holds become free soon.
func (f flink) free(ctx context.Context, slots int, limit time.Duration) (err error) {
	var now struct {
		Free int `json:"slots-available"`
	}
	for late := time.Now().Add(limit); f != ""; time.Sleep(300 * time.Millisecond) {
		if err = f.ask(ctx, "GET", "/overview", &now); err == nil && now.Free < slots {
			err = fmt.Errorf("the cluster has %s, want %d: use a lower --parallelism, or more slots", count(now.Free, "free slot"), slots)
		}
		if err == nil || ctx.Err() != nil || time.Now().After(late) {
			break
		}
	}
	return err
}

// jobs returns the paths of all jobs whose names begin with name.
func (f flink) jobs(ctx context.Context, name string) (paths []string, err error) {
	var all struct{ Jobs []struct{ JID, Name string } }
	err = f.ask(ctx, "GET", "/jobs/overview", &all)
	for _, job := range all.Jobs {
		if strings.HasPrefix(job.Name, name) {
			paths = append(paths, "/jobs/"+job.JID)
		}
	}
	return paths, err
}

// cancel asks Flink to cancel all jobs whose names begin with name. A job with a worker that does not
// answer then frees its slots.
func (f flink) cancel(ctx context.Context, name string) {
	paths, _ := f.jobs(ctx, name) // without an answer, there is nothing to cancel
	for _, path := range paths {
		f.ask(ctx, "PATCH", path+"?mode=cancel", new(any))
	}
}

// cause returns why the job of a name does not go on, or "" if Flink does not know. Flink may retry a
// job for a long time, and Beam's job server passes on only the last line of the last failure.
func (f flink) cause(ctx context.Context, name string) string {
	if f == "" {
		return ""
	}
	paths, err := f.jobs(ctx, name)
	switch {
	case err != nil:
		return err.Error()
	case len(paths) == 0:
		return "Flink has no job of this run: --endpoint must be the job server of the cluster that -flink names"
	}
	var failures struct { // the last failure is first
		ExceptionHistory struct{ Entries []struct{ Stacktrace string } }
	}
	if f.ask(ctx, "GET", paths[0]+"/exceptions", &failures); len(failures.ExceptionHistory.Entries) == 0 {
		return ""
	}
	return rootOf(failures.ExceptionHistory.Entries[0].Stacktrace)
}

var (
	workerError = regexp.MustCompile(`(?m)^DoFn\[.*failed:\n(.*)`)
	causedBy    = regexp.MustCompile(`(?m)^Caused by: (.*)`)
)

// rootOf returns the root of a stack trace of Java: the error of this program's worker, or else the
// last cause. If the cause before has more words around the same text, rootOf returns that one.
func rootOf(stack string) (root string) {
	if worker := workerError.FindStringSubmatch(stack); worker != nil {
		return worker[1]
	}
	root, _, _ = strings.Cut(stack, "\n")
	for _, cause := range causedBy.FindAllStringSubmatch(stack, -1) {
		if _, text, _ := strings.Cut(cause[1], ": "); text == "" || !strings.HasSuffix(root, text) {
			root = cause[1]
		}
	}
	return root
}

// remedies says what to do about errors of Flink, by a part of their text.
var remedies = [][2]string{
	{"TimeoutException: Timeout has occurred", "Flink probably has too few free slots: use a lower --parallelism, or more slots"},
	{"NoResourceAvailableException", "Flink has too few free slots: use a lower --parallelism, or more slots"},
	{"error=13, Permission denied", "the command in --environment_config must be executable on every TaskManager"},
	{"error=2, No such file", "every TaskManager needs the command in --environment_config"},
	{"job failed to prepare", "--endpoint must be the address of Beam's job server, and it must run"},
	{"java.net.ConnectException: Connection refused", "the JobManager does not answer to the job server, or a worker is gone"},
	{"Too little memory provided to sorter", "a slot has too little managed memory for the rounds of a pipeline: use a smaller -chunk, or a larger taskmanager.memory.managed.size"},
	{"maximum size of a sort buffer", "the parts of a slot are too large to sort: set taskmanager.runtime.large-record-handler: true, or use a smaller -chunk"},
	{"direct buffer memory", "a TaskManager has too little direct memory: raise its -XX:MaxDirectMemorySize"},
}

// advise adds to an error of the runner what to do about it, if that is known.
func advise(err error) error {
	for _, r := range remedies {
		if err != nil && strings.Contains(err.Error(), r[0]) {
			err = fmt.Errorf("%w\n%s", err, r[1])
		}
	}
	return err
}
