package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestSlots: before a pipeline, the launcher waits for free slots. After an error, it
// cancels the pipeline's job alone.
func TestSlots(t *testing.T) {
	slots, asked := 1, []string(nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.String())
		switch r.URL.Path {
		case "/overview":
			fmt.Fprintf(w, `{"slots-total":4,"slots-available":%d}`, slots)
			slots++
		case "/jobs/overview":
			fmt.Fprint(w, `{"jobs":[{"jid":"a1","name":"mine-7","state":"RUNNING"},{"jid":"b2","name":"other","state":"RUNNING"}]}`)
		case "/jobs/a1":
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprint(w, "{}")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	f := flink(server.URL)
	if err := f.free(t.Context(), 3, time.Minute); err != nil || slots != 4 {
		t.Errorf("%v, %d slots", err, slots-1)
	}
	slots = -1000
	if err := f.free(t.Context(), 2, time.Second); err == nil || !strings.Contains(err.Error(), "free slots, want 2") {
		t.Error(err)
	}
	if err := flink(server.URL+"/none").free(t.Context(), 2, time.Second); err == nil || !strings.Contains(err.Error(), "404 Not Found") {
		t.Error(err)
	}
	if err := flink("").free(t.Context(), 2, time.Second); err != nil {
		t.Error(err)
	}
	asked = nil
	f.cancel(t.Context(), "mine")
	if want := "[GET /jobs/overview PATCH /jobs/a1?mode=cancel]"; fmt.Sprint(asked) != want {
		t.Errorf("%v, want %v", asked, want)
	}
}
