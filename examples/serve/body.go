package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A request is the body of a request: an example to learn has x and y, a vector to
// predict has x, and a batch to predict has rows.
type request struct {
	X    []float64   `json:"x"`
	Y    *int        `json:"y"`
	Rows [][]float64 `json:"rows"`
}

// A badRequest is an error in the request.
type badRequest struct{ text string }

func (e badRequest) Error() string { return e.text }

// errBusy reports that too many bodies are being read.
var errBusy = errors.New("the server is busy: too many request bodies at once")

// patience limits the time that a request waits for others whose bodies are read.
const patience = 5 * time.Second

// read reads the body of a request, which must be exactly one JSON object. The caller
// must call release when it no longer needs what the body holds.
func (s *service) read(w http.ResponseWriter, r *http.Request) (q request, release func(), err error) {
	// A body takes several times its size when it is decoded. So all bodies together
	// have a limit, too.
	size := s.body
	if 0 <= r.ContentLength && r.ContentLength < size {
		size = r.ContentLength
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if s.budget.Acquire(ctx, size) != nil {
		return q, func() {}, errBusy
	}
	release = func() { s.budget.Release(size) }
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.body))
	if err == nil {
		q, err = decode(body)
	}
	return q, release, err
}

// decode decodes a body.
func decode(body []byte) (request, error) {
	var q request
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return q, badRequest{explain(err)}
	}
	// encoding/json is too lenient here: it accepts duplicate keys, keys in upper case,
	// and null for 0. The only strings in a decoded request are its keys, so counting
	// them in the text is enough.
	count := func(part string) int { return bytes.Count(body, []byte(part)) }
	x, y, rows := count(`"x"`), count(`"y"`), count(`"rows"`)
	switch {
	case len(bytes.TrimSpace(body[d.InputOffset():])) > 0:
		return q, badRequest{"trailing data after the object"}
	case count("null") > 0:
		return q, badRequest{"null is not a number"}
	case x+rows != 1 || y > 1 || count(`"`) != 2*(x+y+rows):
		return q, badRequest{"want exactly one x or rows, and at most one y, in lower case"}
	}
	return q, nil
}

// explain describes an error of encoding/json without Go's names of types.
func explain(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		want := map[string]string{"float64": "a finite number", "int": "a whole number"}[kind.Type.String()]
		if want == "" {
			want = "an array of numbers"
		}
		if kind.Field == "" {
			want = "an object"
		}
		return fmt.Sprintf("%s at byte %d: want %s", kind.Value, kind.Offset, want)
	case errors.As(err, &syntax):
		return fmt.Sprintf("the body is not JSON: at byte %d: %v", syntax.Offset, err)
	case errors.Is(err, io.EOF):
		return "the body is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the body is not JSON: it ends too early"
	}
	return strings.TrimPrefix(err.Error(), "json: ") + "; want x, y or rows" // an unknown field
}
