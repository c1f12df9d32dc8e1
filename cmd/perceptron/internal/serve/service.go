package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/internal/atomicfile"
)

// A state is a state of the model. A published state never changes: to learn, the service replaces
// it. So readers never wait for the writer.
type state struct {
	file      *modelfile.File
	predictor *modelfile.Predictor
	columns   map[string]int // index of each column, by name
	quoted    []string       // the classes as JSON
	version   string         // differs for every state

	skipUnknown bool      // a word that training did not see sets no feature
	at          time.Time // when the state was read or learned
	read        content   // checksum of the file that was read
}

// A service holds the current state of the model, and the fields that only a writer uses.
type service struct {
	Config
	log      *slog.Logger
	metrics  *metrics
	draining atomic.Bool
	drain    func() // waits for s.Drain
	write    func(path string, text io.WriterTo, temporary string, check func() error) error
	small    *semaphore.Weighted // budget of bytes for small bodies
	large    *semaphore.Weighted // budget of bytes for all other bodies
	beyond   *semaphore.Weighted // lets one body at a time exceed its budget
	current  atomic.Pointer[state]

	writer  sync.Mutex // protects the fields below
	began   string     // distinguishes the versions of two models that were read
	ours    [2]content // of the file: what the service last read or wrote, and what it last tried to write
	learned int        // rows learned since the model was read
	saved   int        // how many of the learned rows are in the file
	warned  time.Time  // when warn last logged a failed save; zero if a later save was logged
}

// newService reads the model.
func newService(c Config, log *slog.Logger) (*service, error) {
	s := &service{Config: c, log: log, write: atomicfile.WriteIf,
		small: semaphore.NewWeighted(c.Bodies), large: semaphore.NewWeighted(c.Bodies), beyond: semaphore.NewWeighted(1)}
	s.drain = func() { time.Sleep(c.Drain) }
	st, err := s.load()
	if err != nil {
		return nil, err
	}
	s.metrics = newMetrics(s)
	s.install(st)
	return s, nil
}

// load reads the model's file.
func (s *service) load() (*state, error) {
	f, err := modelfile.Read(s.Model)
	if err != nil {
		return nil, err
	}
	if s.Probabilities && f.Calibration == nil {
		return nil, fmt.Errorf("%s: %w", s.Model, modelfile.ErrUncalibrated)
	}
	if !s.Readonly && f.Schema.Foreign {
		return nil, fmt.Errorf("%s is the file of a Classifier, which the server does not write: serve it with --readonly", s.Model)
	}
	if !s.Readonly && !modelfile.Learns(f.Model) {
		return nil, fmt.Errorf("%s: the rule batch cannot learn row by row: serve the model with --readonly", s.Model)
	}
	// The predictor is built here, so that a bad model is rejected before it is served.
	p, err := f.Predictor()
	if err != nil {
		return nil, err
	}
	st := &state{file: f, predictor: p, skipUnknown: s.Unknown == "none", columns: map[string]int{}, at: time.Now(), read: f.Sum}
	for j, c := range f.Schema.Columns {
		st.columns[c.Name] = j
	}
	// The names of the classes are encoded as JSON once, for all answers.
	for _, class := range f.Classes {
		text, _ := json.Marshal(class) // a string has no error
		st.quoted = append(st.quoted, string(text))
	}
	return st, nil
}

// install begins to serve a model that was read from the file. The caller must hold s.writer, except
// before the service starts.
func (s *service) install(st *state) {
	s.began = strconv.FormatInt(time.Now().UnixNano(), 36)
	s.learned, s.saved, s.ours = 0, 0, [2]content{st.read, st.read}
	s.publish(st)
}

// publish replaces the state for readers. The caller must hold s.writer, except before
// the service starts.
func (s *service) publish(st *state) {
	st.version = fmt.Sprintf("%s-%d", s.began, s.learned)
	s.current.Store(st)
	s.metrics.unsaved.Set(float64(s.learned - s.saved))
}

// learn learns all rows or, on an error, none, and returns the answer. It saves the model if s.Every
// rows or more are unsaved. If a save fails, the next request to learn tries again.
func (s *service) learn(q query, r *http.Request) (text []byte, version string, err error) {
	if s.Readonly {
		return nil, "", refusal{http.StatusForbidden, "this server does not learn: it runs with --readonly"}
	}
	// Lessons run one at a time, each on a copy of the current state. If a row is bad, the copy is
	// dropped, and the current state stays.
	s.writer.Lock()
	defer s.writer.Unlock()
	l := newLesson(s.current.Load(), 16*s.Body)
	if err := l.learn(r.Context(), q); err != nil {
		return nil, "", err
	}
	if !q.one {
		l.predicted = fmt.Appendf(nil, "[%s]", l.predicted)
	}
	s.learned += l.rows
	s.publish(l.state)
	s.metrics.learned.Add(l.rows) // before mistakes, so that the accuracy in the metrics is never negative
	s.metrics.updates.Add(l.updates)
	s.metrics.mistakes.Add(l.mistakes)
	// The answer is written after the save, and under the lock, so that its field saved counts the
	// rows that are in the file.
	if s.learned-s.saved >= s.Every {
		s.warn(s.save())
	}
	return fmt.Appendf(nil, `{"predicted":%s,"updates":%d,"learned":%d,"saved":%d}`, l.predicted, l.updates, s.learned, s.saved), l.version, nil
}

// appendPrediction appends the prediction for a row to out, as JSON.
func (st *state) appendPrediction(out []byte, r *row, scores, probabilities bool) ([]byte, error) {
	// A row that the model leaves out has no prediction, but keeps its place in the answer.
	if st.predictor.LeavesOut(r.missing) {
		return append(out, `{"class":null}`...), nil
	}
	class, err := st.predictor.Predict(r.x)
	if err != nil {
		return out, err
	}
	out = append(append(out, `{"class":`...), st.quoted[class]...)
	if scores {
		out, err = st.appendFigures(out, "scores", st.predictor.Scores, r)
	}
	if probabilities && err == nil {
		out, err = st.appendFigures(out, "probabilities", st.predictor.Probabilities, r)
	}
	return append(out, '}'), err
}

// appendFigures appends a JSON field with the scores or the probabilities of a row, by class.
func (st *state) appendFigures(out []byte, name string, figures func([]float64, table.Vector) ([]float64, error), r *row) ([]byte, error) {
	values, err := figures(nil, r.x)
	names := st.quoted[len(st.quoted)-len(values):] // of two classes, only the second has a score
	for i, v := range values {
		out = fmt.Appendf(out, "%s%s:%v", map[bool]string{true: fmt.Sprintf(",%q:{", name), false: ","}[i == 0], names[i], v)
	}
	return append(out, '}'), err
}

// place returns the index of the class that a request names with a string or a number. A number names
// the class with the same text, or else a class with the same value: 1.0 may name the class 1.
func (st *state) place(name any) (int, error) {
	// The exact text is tried first. Otherwise the number 1 could name a class "1.0", although there
	// is a class "1".
	found := -1
	switch name := name.(type) {
	case string:
		found = st.file.Place(name)
	case json.Number:
		v, err := name.Float64()
		found = st.file.Place(name.String())
		if found < 0 && err == nil {
			found = table.Find(st.file.Classes, v)
		}
	}
	if found < 0 {
		also := ""
		if i := table.Spelled(st.file.Classes, fmt.Sprint(name)); i >= 0 {
			also = fmt.Sprintf(": it may be %q", st.file.Classes[i])
		}
		return -1, fmt.Errorf("class %s is not among the model's %s%s", describe(name), table.Short(st.file.Classes), also)
	}
	return found, nil
}

// A lesson learns rows with a copy of a model.
type lesson struct {
	*state                 // the copy, after the rows so far
	z         table.Vector // the scaled row
	predicted []byte       // the predictions as JSON, each made before its row was learned
	limit     int64        // most bytes of predicted

	rows, updates, mistakes int // number of rows learned, with an update, and predicted wrong before
}

// newLesson begins a lesson.
func newLesson(from *state, limit int64) *lesson {
	next := *from
	next.file, next.at = from.file.Copy(), time.Now() // the old state keeps its own count of rows in Data.Served
	return &lesson{state: &next, limit: limit}
}

// learn learns all rows of a request.
func (l *lesson) learn(ctx context.Context, q query) error {
	return l.each(ctx, q, true, func(i int, r *row) error {
		class, err := l.place(r.class)
		switch {
		case err != nil:
			return err
		case l.predictor.LeavesOut(r.missing):
			return fmt.Errorf("a value is missing: the model leaves such rows out")
		case i > 0:
			l.predicted = append(l.predicted, ',')
		}
		return l.row(r.x, class)
	})
}

// row learns one row.
func (l *lesson) row(x table.Vector, class int) error {
	// The row is predicted before it is learned.
	predicted, err := l.predictor.Predict(x) // Predict also fills in missing features of x
	if err != nil {
		return err
	}
	if l.predicted = append(l.predicted, l.quoted[predicted]...); int64(len(l.predicted)) > l.limit {
		return errLong
	}
	updated, err := l.file.Learn(&l.z, x, class)
	if err != nil {
		return err
	}
	l.rows++
	if updated {
		l.updates++
	}
	if predicted != class {
		l.mistakes++
	}
	l.predictor, err = l.file.Predictor() // for every row, because an average changes without an update too
	return err
}
