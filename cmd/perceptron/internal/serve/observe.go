package serve

import (
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/felixge/httpsnoop"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are what GET /metrics answers.
type metrics struct {
	registry                                                             *prometheus.Registry
	requests                                                             *prometheus.CounterVec
	seconds                                                              *prometheus.HistogramVec
	learned, updates, mistakes, saves, saveErrors, reloads, reloadErrors prometheus.Counter
	unsaved, progressive                                                 prometheus.Gauge
	rows, right                                                          int // of the accuracy; the writer's
}

func newMetrics(s *service) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	auto := promauto.With(m.registry)
	counter := func(name, help string) prometheus.Counter {
		return auto.NewCounter(prometheus.CounterOpts{Name: "perceptron_" + name, Help: help})
	}
	gauge := func(name, help string) prometheus.Gauge {
		return auto.NewGauge(prometheus.GaugeOpts{Name: "perceptron_" + name, Help: help})
	}
	m.requests = auto.NewCounterVec(prometheus.CounterOpts{
		Name: "perceptron_http_requests_total", Help: "Requests by path and status."}, []string{"path", "status"})
	m.seconds = auto.NewHistogramVec(prometheus.HistogramOpts{
		Name: "perceptron_http_request_seconds", Help: "Time from a request to its answer.",
		Buckets: prometheus.ExponentialBuckets(1e-5, 4, 11)}, []string{"path"}) // 10 µs to 10 s
	m.learned = counter("rows_learned_total", "Rows learned since the start.")
	m.updates = counter("updates_total", "Rows that changed the weights.")
	m.mistakes = counter("mistakes_total", "Rows that were predicted wrong just before they were learned.")
	m.saves = counter("saves_total", "Times the model was saved.")
	m.saveErrors = counter("save_errors_total", "Times saving the model failed.")
	m.reloads = counter("reloads_total", "Times a new model was read after SIGHUP.")
	m.reloadErrors = counter("reload_errors_total", "Times reading a model after SIGHUP failed.")
	m.unsaved = gauge("unsaved_rows", "Rows learned that are not in the file.")
	m.progressive = gauge("progressive_accuracy", "Share of the rows learned since the start that were predicted right just before. NaN before the first.")
	m.progressive.Set(math.NaN())
	auto.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "perceptron_model_age_seconds", Help: "Time since the last row was learned, or else since the model was read."},
		func() float64 { return time.Since(s.current.Load().at).Seconds() })
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// count counts the rows of a lesson.
func (m *metrics) count(l *lesson) {
	m.learned.Add(float64(l.rows))
	m.updates.Add(float64(l.updates))
	m.mistakes.Add(float64(l.mistakes))
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
		s.metrics.requests.WithLabelValues(path, strconv.Itoa(m.Code)).Inc()
		s.metrics.seconds.WithLabelValues(path).Observe(m.Duration.Seconds())
		if s.Access {
			s.log.LogAttrs(r.Context(), level, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.Int("status", m.Code), slog.Int64("bytes", m.Written), slog.Duration("took", m.Duration), slog.String("from", r.RemoteAddr))
		}
	}
}
