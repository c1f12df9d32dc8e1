package main

import (
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// TestService: goroutines learn and predict at once. Every prediction is one of a
// complete model. Run it with -race.
func TestService(t *testing.T) {
	s := new(service)
	s.copy.Store(s.model.Clone())
	ask := func(path, body string, status int) string {
		w := httptest.NewRecorder()
		s.handler().ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
		if w.Code != status {
			t.Errorf("%s %s: %d %s", path, body, w.Code, w.Body)
		}
		return strings.TrimSpace(w.Body.String())
	}
	ask("/predict", `{"x":[1,2]}`, 400) // untrained
	ask("/update", `{"x":[1,2],"label":7}`, 400)
	ask("/update", `{"x":[1,2]}`, 400) // no label
	ask("/update", `{"x":[-1,-2],"label":"down"}`, 200)
	var all sync.WaitGroup
	for range 4 {
		all.Add(2)
		go func() { defer all.Done(); ask("/update", `{"x":[1,2],"label":"up"}`, 200) }()
		go func() { defer all.Done(); ask("/predict", `{"x":[1,2]}`, 200) }()
	}
	all.Wait()
	if got := ask("/predict", `{"x":[1,2]}`, 200); got != `"up"` {
		t.Errorf("%s, want up", got)
	}
}
