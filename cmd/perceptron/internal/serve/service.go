package serve

import (
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"perceptron/cmd/perceptron/internal/modelfile"
)

// A service holds the current state of the model, and what its only writer needs.
type service struct {
	Config
	log      *slog.Logger
	metrics  *metrics
	began    string // distinguishes the versions of two runs
	draining atomic.Bool
	drain    func()              // waits for s.Drain
	budget   *semaphore.Weighted // bytes of the bodies that are read
	current  atomic.Pointer[state]

	writer  sync.Mutex // protects the fields below
	loads   int        // times that a model was read
	ours    [2]content // of the file: what the service last read or wrote, and what it last tried to write
	learned int        // rows learned since the model was read
	saved   int        // how many of them are in the file
	warned  time.Time  // when a failed save was last logged; zero if the last save succeeded
}

// newService reads the model.
func newService(c Config, log *slog.Logger) (*service, error) {
	s := &service{Config: c, log: log, began: strconv.FormatInt(time.Now().UnixNano(), 36), budget: semaphore.NewWeighted(c.Bodies)}
	s.drain = func() { time.Sleep(c.Drain) }
	st, is, err := s.load()
	if err != nil {
		return nil, err
	}
	s.metrics = newMetrics(s)
	s.install(st, is)
	return s, nil
}

// load reads the model's file.
func (s *service) load() (*state, content, error) {
	f, err := modelfile.Read(s.Model)
	if err != nil {
		return nil, content{}, err
	}
	if !s.Readonly && clone(f.Model) == nil {
		return nil, content{}, fmt.Errorf("%s: the rule batch cannot learn row by row: serve the model with --readonly", s.Model)
	}
	text, err := f.Encode() // the text that was read: only one stands for a File
	if err != nil {
		return nil, content{}, err
	}
	st, err := newState(f, s.Unknown == "none")
	return st, contentOf(text), err
}

// install begins to serve a model that was read.
func (s *service) install(st *state, is content) {
	s.loads++
	s.learned, s.saved, s.ours = 0, 0, [2]content{is, is}
	s.publish(st)
}

// publish replaces the state for readers. The caller must hold s.writer, except before
// the service starts.
func (s *service) publish(st *state) {
	st.version = fmt.Sprintf("%s-%d-%d", s.began, s.loads, s.learned)
	s.current.Store(st)
	s.metrics.unsaved.Set(float64(s.learned - s.saved))
}

// learn learns rows, all or none, and saves the model if s.Every rows are unsaved. If a
// save fails, the next rows try again.
func (s *service) learn(q query) (*answerLearned, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	l := newLesson(s.current.Load(), 16*s.Body)
	if err := l.learn(q); err != nil {
		return nil, err
	}
	s.learned += l.rows
	s.publish(l.state)
	s.metrics.count(l)
	if s.learned-s.saved >= s.Every {
		s.warn(s.save())
	}
	return &answerLearned{l.predicted, l.updates, s.learned, s.saved, l.version}, nil
}

// A lesson learns rows with a copy of a model.
type lesson struct {
	*state    // for the rows so far
	model     learner
	labels    []int
	z         []float64 // the scaled row
	predicted []byte    // the predictions as JSON, each made before its row was learned
	limit     int64     // of predicted
	rows      int
	updates   int // rows that changed the weights
	mistakes  int // rows that were predicted wrong
}

// newLesson begins a lesson.
func newLesson(from *state, limit int64) *lesson {
	l := &lesson{model: clone(from.file.Model), labels: from.file.Labels(), limit: limit}
	f := &modelfile.File{Model: l.model, Details: from.file.Details}
	f.Program = modelfile.Program()
	next := *from
	next.file, next.at = f, time.Now()
	l.state = &next
	return l
}

// learn learns all rows of a request.
func (l *lesson) learn(q query) error {
	if !q.one {
		l.predicted = append(l.predicted, '[')
	}
	err := l.each(q, true, func(i int, r *row) error {
		class, err := l.place(r.class)
		switch {
		case err != nil:
			return err
		case r.missing && l.leavesOut():
			return badf("a value is missing: the model leaves such rows out")
		case i > 0:
			l.predicted = append(l.predicted, ',')
		}
		return l.row(r.x, class)
	})
	if !q.one {
		l.predicted = append(l.predicted, ']')
	}
	return err
}

// row learns one row.
func (l *lesson) row(x []float64, class int) error {
	predicted, err := l.predictor.Predict(x) // this fills in what is missing
	if err != nil {
		return err
	}
	if l.predicted = append(l.predicted, l.quoted[predicted]...); int64(len(l.predicted)) > l.limit {
		return errLong
	}
	if l.z, err = l.file.Scaling.Apply(l.z[:0], x); err != nil {
		return err
	}
	updated, err := l.model.Update(l.z, l.labels[class])
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
	l.predictor, err = l.file.Predictor() // an average changes with every row
	return err
}
