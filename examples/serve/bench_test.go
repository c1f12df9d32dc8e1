package main

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkServe reports requests per second and the 99th percentile of the latency.
// One request in ten is an update.
func BenchmarkServe(b *testing.B) {
	for _, kind := range []string{"margin", "onevsrest", "multiclass"} {
		b.Run(kind, func(b *testing.B) { benchmark(b, kind) })
	}
}

func benchmark(b *testing.B, kind string) {
	_, url := start(b, kind, 1000)
	r := rand.New(rand.NewPCG(1, 1))
	var bodies, queries []string
	for range 100 {
		x, y := row(r)
		bodies, queries = append(bodies, body(x, y)), append(queries, query(x))
	}
	post(b, url+"/update", bodies[0])
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 64
	var mu sync.Mutex
	var all []time.Duration
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var took []time.Duration
		for i := 0; pb.Next(); i++ {
			path, sent := "/predict", queries[i%100]
			if i%10 == 0 {
				path, sent = "/update", bodies[i%100]
			}
			begun := time.Now()
			if status, text := post(b, url+path, sent); status != 200 {
				b.Errorf("%d %s", status, text)
			}
			took = append(took, time.Since(begun))
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, took...)
	})
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
}
