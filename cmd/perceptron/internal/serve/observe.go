package serve

import (
	"bytes"
	_ "embed"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	prom "github.com/VictoriaMetrics/metrics"
	"github.com/felixge/httpsnoop"
)

// metrics has the metrics that GET /metrics answers with, except those of the process.
type metrics struct {
	all                                                                  *prom.Set
	learned, updates, mistakes, saves, saveErrors, reloads, reloadErrors *prom.Counter
	unsaved                                                              *prom.Gauge
}

// newMetrics registers the metrics, except those of requests. observe adds a metric of requests after
// the first request with its path and status.
func newMetrics(s *service) *metrics {
	prom.ExposeMetadata(true)
	all := prom.NewSet()
	counter := func(name string) *prom.Counter { return all.NewCounter("perceptron_" + name + "_total") }
	m := &metrics{
		all:     all,
		learned: counter("rows_learned"), updates: counter("updates"), mistakes: counter("mistakes"),
		saves: counter("saves"), saveErrors: counter("save_errors"),
		reloads: counter("reloads"), reloadErrors: counter("reload_errors"),
		unsaved: all.NewGauge("perceptron_unsaved_rows", nil),
	}
	all.NewGauge("perceptron_progressive_accuracy", func() float64 {
		mistakes, rows := float64(m.mistakes.Get()), float64(m.learned.Get()) // read mistakes first, so that mistakes ≤ rows: learned is counted first
		return (rows - mistakes) / rows
	})
	all.NewGauge("perceptron_model_age_seconds", func() float64 { return time.Since(s.current.Load().at).Seconds() })
	return m
}

// write answers with all metrics, in the text format of Prometheus.
func (m *metrics) write(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	m.all.WritePrometheus(&text)
	prom.WriteProcessMetrics(&text)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = help.WriteString(w, text.String()) // ignore a client that has disconnected
}

// helps has a line for each metric: its name, and a description.
//
//go:embed help.txt
var helps string

// help adds the texts of the HELP lines, which the library leaves empty. It also replaces the type
// "unsupported", which the library writes for a summary. A reader such as Prometheus would refuse
// the whole answer because of this type.
var help = func() *strings.Replacer {
	pairs := []string{"_seconds unsupported\n", "_seconds summary\n"}
	for line := range strings.Lines(helps) {
		name, _, _ := strings.Cut(line, " ")
		pairs = append(pairs, "HELP "+name+"\n", "HELP "+line)
	}
	return strings.NewReplacer(pairs...)
}()

// observe returns a handler that calls next, and counts, times and logs the request. The label of a
// metric is the path of the handler and not of the request. Otherwise clients could add any number
// of metrics.
func (s *service) observe(path string, next http.HandlerFunc) http.HandlerFunc {
	// Only the path decides the level of the log, so that a request cannot hide in another way.
	level := slog.LevelInfo
	if path == "/healthz" || path == "/readyz" || path == "/metrics" {
		level = slog.LevelDebug // probes would fill the log
	}
	return func(w http.ResponseWriter, r *http.Request) {
		m := httpsnoop.CaptureMetrics(next, w, r)
		s.metrics.all.GetOrCreateCounter(fmt.Sprintf("perceptron_http_requests_total{path=%q,status=\"%d\"}", path, m.Code)).Inc()
		s.metrics.all.GetOrCreateSummary(fmt.Sprintf("perceptron_http_request_seconds{path=%q}", path)).Update(m.Duration.Seconds())
		if s.Access {
			s.log.LogAttrs(r.Context(), level, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.Int("status", m.Code), slog.Int64("bytes", m.Written), slog.Duration("took", m.Duration), slog.String("from", r.RemoteAddr))
		}
	}
}
