package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"perceptron"
)

// An online model learns one example at a time.
type online interface {
	perceptron.Model
	Update(x []float64, y int) (bool, error)
}

// A service holds one model in training and a copy of it for readers. The copy never
// changes; each example replaces it. So readers never wait for the writer.
type service struct {
	config
	metrics  *metrics
	began    string // distinguishes the versions of two runs
	draining atomic.Bool
	budget   *semaphore.Weighted // bytes of the bodies that are read

	writer  sync.Mutex // protects the next four fields
	model   online
	learned int       // examples learned since the start
	saved   int       // how many of them are in the file
	warned  time.Time // when a failed save was last logged; zero if the last save succeeded

	published atomic.Pointer[snapshot]
}

// A snapshot is the copy of the model for readers.
type snapshot struct {
	model   online
	version string // differs for every state of the model
	at      time.Time
}

// newService loads the model from the file. If there is no file, it creates one with an
// untrained model.
func newService(c config) (*service, error) {
	s := &service{config: c, began: strconv.FormatInt(time.Now().UnixNano(), 36), budget: semaphore.NewWeighted(c.bodies)}
	begun, err := begin(c.kind)
	if err != nil {
		return nil, err
	}
	m, err := perceptron.Load(c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.model = begun
		err = perceptron.Save(c.file, begun) // report now if the file cannot be written
	case err == nil && kindOf(m) != c.kind:
		err = fmt.Errorf("%s holds a model of kind %s, not %s: choose another -file or -model", c.file, kindOf(m), c.kind)
	case err == nil:
		s.model = m.(online)
	}
	if err != nil {
		return nil, err
	}
	s.metrics = newMetrics(s)
	s.publish()
	return s, nil
}

// begin returns an untrained model.
func begin(kind string) (online, error) {
	switch kind {
	case "online":
		return new(perceptron.Online), nil
	case "margin":
		return new(perceptron.Margin), nil
	case "onevsrest":
		return &perceptron.OneVsRest{Binary: new(perceptron.Margin)}, nil
	case "multiclass":
		return &perceptron.Multiclass{Binary: new(perceptron.Margin)}, nil
	}
	return nil, fmt.Errorf("-model is %q, want online, margin, onevsrest or multiclass", kind)
}

// kindOf returns the name of the model's kind.
func kindOf(m perceptron.Model) string {
	switch m.(type) {
	case *perceptron.Online:
		return "online"
	case *perceptron.Margin:
		return "margin"
	case *perceptron.OneVsRest:
		return "onevsrest"
	case *perceptron.Multiclass:
		return "multiclass"
	case *perceptron.Batch:
		return "batch"
	}
	return "unknown"
}

// publish replaces the copy for readers. The caller must hold s.writer, except before
// the service starts.
func (s *service) publish() *snapshot {
	c := &snapshot{version: s.began + "-" + strconv.Itoa(s.learned), at: time.Now()}
	switch m := s.model.(type) {
	case *perceptron.Online:
		c.model = m.Clone()
	case *perceptron.Margin:
		c.model = m.Clone()
	case *perceptron.OneVsRest:
		c.model = m.Clone()
	case *perceptron.Multiclass:
		c.model = m.Clone()
	}
	s.published.Store(c)
	return c
}

// A lesson is the answer to an example.
type lesson struct {
	Updated bool `json:"updated"` // the weights changed
	Learned int  `json:"learned"` // examples learned since the start
	Saved   int  `json:"saved"`   // how many of them are in the file
	version string
}

// learn learns an example and saves the model if s.every examples are unsaved. If a
// save fails, the next example tries again.
func (s *service) learn(x []float64, y int) (lesson, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	updated, err := s.model.Update(x, y)
	if err != nil {
		return lesson{}, err
	}
	s.learned++
	s.metrics.learned.Inc()
	if updated {
		s.metrics.mistakes.Inc()
	}
	c := s.publish()
	if s.learned-s.saved >= s.every {
		s.warn(s.saveLocked())
	}
	return lesson{updated, s.learned, s.saved, c.version}, nil
}

// warnings is the time between two messages about failed saves.
const warnings = time.Minute

// warn logs that saving fails, at most once a minute, and that it succeeds again.
func (s *service) warn(err error) {
	unsaved := s.learned - s.saved
	switch {
	case err != nil && time.Since(s.warned) >= warnings:
		s.warned = time.Now()
		s.log.Error("the model cannot be saved; every example tries again", "error", err, "unsaved", unsaved)
	case err == nil && !s.warned.IsZero():
		s.warned = time.Time{}
		s.log.Info("the model is saved again")
	}
}

// save saves the model if it has changed since the last save.
func (s *service) save() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	return s.saveLocked()
}

// saveLocked is save for a caller that holds s.writer.
func (s *service) saveLocked() error {
	if s.learned == s.saved {
		return nil
	}
	if err := perceptron.Save(s.file, s.model); err != nil {
		s.metrics.saveErrors.Inc()
		return err
	}
	s.metrics.saves.Inc()
	s.saved = s.learned
	return nil
}
