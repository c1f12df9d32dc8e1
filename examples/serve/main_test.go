package main

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"perceptron"
)

// TestService: goroutines learn and predict at once. Every prediction is one of a
// complete model. Run it with -race.
func TestService(t *testing.T) {
	s := new(service[[]float64])
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

// TestPublish: readers see examples after as many as the service publishes together, or after
// the delay. A bad example does not count.
func TestPublish(t *testing.T) {
	s := &service[[]float64]{examples: 3, delay: time.Hour}
	s.copy.Store(s.model.Clone())
	see := func(want string) {
		t.Helper()
		if got := strings.Join(s.copy.Load().Labels(), " "); got != want {
			t.Errorf("readers know the labels %q, want %q", got, want)
		}
	}
	learn := func(label, want string) {
		t.Helper()
		if _, err := s.learn([]float64{1}, label); (err != nil) != (label == "") {
			t.Fatal(err)
		}
		see(want)
	}
	learn("a", "")
	learn("", "")
	learn("b", "")
	learn("c", "a b c")
	learn("d", "a b c")
	learn("a", "a b c")
	s.flush()
	see("a b c d")

	s.delay = time.Millisecond
	s.flush()
	if _, err := s.learn([]float64{1}, "e"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); len(s.copy.Load().Labels()) < 5; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the example is not published after the delay")
		}
	}
}

// BenchmarkLearn learns sparse rows of 2¹⁸ features, 20 of them not 0. Each is an update.
func BenchmarkLearn(b *testing.B) {
	x := perceptron.Sparse{}
	for j := range uint32(20) {
		x.Index, x.Value = append(x.Index, 13107*j), append(x.Value, 1)
	}
	for _, examples := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprint("examples=", examples), func(b *testing.B) {
			s := &service[perceptron.Sparse]{examples: examples, delay: time.Hour}
			s.model.Model, s.model.Width = &perceptron.Multiclass{}, 1<<18
			for i := 0; b.Loop(); i++ {
				if _, err := s.learn(x, []string{"down", "up"}[i%2]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
