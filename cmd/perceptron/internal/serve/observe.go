package serve

import (
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"time"

	vm "github.com/VictoriaMetrics/metrics"
	"github.com/felixge/httpsnoop"
)

// metrics are what GET /metrics answers.
type metrics struct {
	set                                                                  *vm.Set
	learned, updates, mistakes, saves, saveErrors, reloads, reloadErrors *vm.Counter
	unsaved, progressive                                                 *vm.Gauge
	rows, right                                                          int // of the accuracy; the writer's
}

func newMetrics(s *service) *metrics {
	set := vm.NewSet()
	counter := func(name string) *vm.Counter { return set.NewCounter("perceptron_" + name) }
	set.NewGauge("perceptron_model_age_seconds", func() float64 { return time.Since(s.current.Load().at).Seconds() })
	m := &metrics{set: set, learned: counter("rows_learned_total"), updates: counter("updates_total"), mistakes: counter("mistakes_total"),
		saves: counter("saves_total"), saveErrors: counter("save_errors_total"), reloads: counter("reloads_total"), reloadErrors: counter("reload_errors_total"),
		unsaved: set.NewGauge("perceptron_unsaved_rows", nil), progressive: set.NewGauge("perceptron_progressive_accuracy", nil)}
	m.progressive.Set(math.NaN())
	return m
}

// show answers with the metrics.
func (m *metrics) show(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.set.WritePrometheus(w)
	vm.WriteProcessMetrics(w)
}

// count counts the rows of a lesson.
func (m *metrics) count(l *lesson) {
	m.learned.Add(l.rows)
	m.updates.Add(l.updates)
	m.mistakes.Add(l.mistakes)
	m.rows += l.rows
	m.right += l.rows - l.mistakes
	m.progressive.Set(float64(m.right) / float64(m.rows))
}

// observe counts, times and logs a request that next answers. The label is the path of
// a handler, so that clients cannot add any number of them.
func (s *service) observe(path string, next http.HandlerFunc) http.HandlerFunc {
	level := slog.LevelInfo
	if path == "/healthz" || path == "/readyz" || path == "/metrics" {
		level = slog.LevelDebug // probes would fill the log
	}
	return func(w http.ResponseWriter, r *http.Request) {
		m := httpsnoop.CaptureMetrics(next, w, r)
		s.metrics.set.GetOrCreateCounter(fmt.Sprintf(`perceptron_http_requests_total{path=%q,status="%d"}`, path, m.Code)).Inc()
		s.metrics.set.GetOrCreateSummary(fmt.Sprintf(`perceptron_http_request_seconds{path=%q}`, path)).Update(m.Duration.Seconds())
		if s.Access {
			s.log.LogAttrs(r.Context(), level, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.Int("status", m.Code), slog.Int64("bytes", m.Written), slog.Duration("took", m.Duration), slog.String("from", r.RemoteAddr))
		}
	}
}
