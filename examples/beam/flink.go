package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
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
		return err
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

// cancel asks Flink to cancel all jobs whose names begin with name. A job with a worker that does not
// answer then frees its slots.
func (f flink) cancel(ctx context.Context, name string) {
	var all struct {
		Jobs []struct{ JID, Name, State string }
	}
	f.ask(ctx, "GET", "/jobs/overview", &all) // without an answer, there is nothing to cancel
	for _, job := range all.Jobs {
		if strings.HasPrefix(job.Name, name) {
			f.ask(ctx, "PATCH", "/jobs/"+job.JID+"?mode=cancel", new(any))
		}
	}
}
