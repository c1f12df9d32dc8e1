package serve

import (
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what GET /metrics answers.
type metrics struct {
	registry                   *prometheus.Registry
	requests                   *prometheus.CounterVec
	seconds                    *prometheus.HistogramVec
	learned, updates, mistakes prometheus.Counter
	saves, saveErrors          prometheus.Counter
	reloads, reloadErrors      prometheus.Counter
	unsaved                    prometheus.Gauge
	progressive                atomic.Uint64 // bits of the accuracy
	rows, right                int           // of the accuracy; the writer's
}

func newMetrics(s *service) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	m.progressive.Store(math.Float64bits(math.NaN()))
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "perceptron_" + name, Help: help})
		m.registry.MustRegister(c)
		return c
	}
	m.requests = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "perceptron_http_requests_total", Help: "Requests by path and status."}, []string{"path", "status"})
	m.seconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "perceptron_http_request_seconds", Help: "Time from a request to its answer.",
		Buckets: prometheus.ExponentialBuckets(1e-5, 4, 11)}, []string{"path"}) // 10 µs to 10 s
	m.learned = counter("rows_learned_total", "Rows learned since the start.")
	m.updates = counter("updates_total", "Rows that changed the weights.")
	m.mistakes = counter("mistakes_total", "Rows that were predicted wrong just before they were learned.")
	m.saves = counter("saves_total", "Times the model was saved.")
	m.saveErrors = counter("save_errors_total", "Times saving the model failed.")
	m.reloads = counter("reloads_total", "Times a new model was read after SIGHUP.")
	m.reloadErrors = counter("reload_errors_total", "Times reading a model after SIGHUP failed.")
	m.unsaved = prometheus.NewGauge(prometheus.GaugeOpts{Name: "perceptron_unsaved_rows", Help: "Rows learned that are not in the file."})
	m.registry.MustRegister(m.requests, m.seconds, m.unsaved, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "perceptron_progressive_accuracy", Help: "Share of the rows learned since the start that were predicted right just before. NaN before the first."},
			func() float64 { return math.Float64frombits(m.progressive.Load()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "perceptron_model_age_seconds", Help: "Time since the last row was learned, or else since the model was read."},
			func() float64 { return time.Since(s.current.Load().at).Seconds() }))
	return m
}

// count counts the rows of a lesson.
func (m *metrics) count(l *lesson) {
	m.learned.Add(float64(l.rows))
	m.updates.Add(float64(l.updates))
	m.mistakes.Add(float64(l.mistakes))
	m.rows += l.rows
	m.right += l.rows - l.mistakes
	m.progressive.Store(math.Float64bits(float64(m.right) / float64(m.rows)))
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// A recorder keeps the status and the size of an answer.
type recorder struct {
	http.ResponseWriter
	status, bytes int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// observe counts, times and logs the requests that next answers. The paths in the
// metrics are those of the mux, so clients cannot add any number of them.
func (s *service) observe(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		out := &recorder{ResponseWriter: w}
		next.ServeHTTP(out, r)
		took := time.Since(begun)
		if out.status == 0 {
			out.status = http.StatusOK
		}
		_, pattern := mux.Handler(r)
		_, path, _ := strings.Cut(pattern, " ")
		if path == "" {
			path = "other"
		}
		s.metrics.requests.WithLabelValues(path, strconv.Itoa(out.status)).Inc()
		s.metrics.seconds.WithLabelValues(path).Observe(took.Seconds())
		level := slog.LevelInfo
		if path == "/healthz" || path == "/readyz" || path == "/metrics" {
			level = slog.LevelDebug // probes would fill the log
		}
		if s.Access {
			s.log.LogAttrs(r.Context(), level, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.Int("status", out.status), slog.Int("bytes", out.bytes), slog.Duration("took", took), slog.String("from", r.RemoteAddr))
		}
	})
}
