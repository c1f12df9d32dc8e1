package main

import (
	"context"
	"encoding/json"
	"flag"
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
		return map[string]string{"flink": "the cluster may have too few free slots; with -flink, the program finds the cause"}[flag.Lookup("runner").Value.String()]
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
