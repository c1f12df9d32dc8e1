package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"
	"perceptron/cmd/perceptron/internal/table"
)

// Any client may send a body, so the server limits the memory that bodies take. All bodies share a
// budget, and a body takes its part of the budget as its bytes arrive. So a client that sends slowly,
// or stops, uses only memory for what it has sent. The rows are decoded one by one into the same
// memory. The size of an answer is limited too.

// A query is the body of a request. Its rows are decoded one by one, because decoded rows take
// many times the memory of their text.
type query struct {
	one  bool            // text is one item, not an array of items
	text json.RawMessage // an item is a row, or to learn, an example: an object with row and class
}

// patience limits the time that a request waits for memory that other bodies take.
const patience = 5 * time.Second

// work limits the time until an answer is ready. After it, the connection may be unable to send the
// answer. The client would then believe that the server had not learned the rows, when it had.
const work = 12 * time.Second

// errSlow reports that an answer takes more time than work, or that the client has disconnected.
var errSlow = refusal{http.StatusServiceUnavailable, "the answer takes too long: send fewer rows, or try again later"}

// small is the size up to which a body counts as small. Small bodies have their own budget, so that
// a few slow clients with large bodies cannot use up the budget of small bodies.
const small = 64 << 10

// errBusy reports that other bodies have taken all of the memory for bodies, and did not release it
// within patience.
var errBusy = refusal{http.StatusServiceUnavailable, "the server is busy: too many request bodies at once"}

// A charged is a body that takes its part of the budget as its bytes arrive. A client that states a
// size and sends nothing takes nothing from the budget.
type charged struct {
	io.Reader
	*service
	ctx    context.Context
	budget *semaphore.Weighted
	held   int64 // bytes taken from the budget
	last   bool  // this is the one body that may exceed the budget
}

// Read reads a part of the body, and takes its size from the budget. If many bodies have arrived in
// part and the budget is used up, they would all wait for each other. So one body at a time may
// exceed the budget.
func (c *charged) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if !c.last && c.budget.TryAcquire(int64(n)) {
		c.held += int64(n)
	} else if !c.last {
		ctx, cancel := context.WithTimeout(c.ctx, patience)
		defer cancel()
		if c.beyond.Acquire(ctx, 1) != nil {
			return n, errBusy
		}
		c.last = true
	}
	return n, err
}

// release returns to the budget what the body has taken.
func (c *charged) release() {
	c.budget.Release(c.held)
	if c.last {
		c.beyond.Release(1)
	}
}

// read reads the body of a request. The caller must call release when it no longer needs the query.
// It must also do so after an error.
func (s *service) read(w http.ResponseWriter, r *http.Request, learn bool) (q query, release func(), err error) {
	c := &charged{Reader: http.MaxBytesReader(w, r.Body, s.Body), service: s, ctx: r.Context(), budget: s.large}
	if 0 <= r.ContentLength && r.ContentLength <= small {
		c.budget = s.small
	}
	// The body is read before anything is decoded, so that a slow client never holds a lock.
	body, err := io.ReadAll(c)
	if err == nil {
		q, err = decode(body, learn)
	}
	return q, c.release, err
}

// decode decodes a body, which must be exactly one JSON object. To predict, its fields are row, or
// rows. To learn, they are row and class, or examples.
func decode(body []byte, learn bool) (q query, err error) {
	if syntax, bad := errors.AsType[*json.SyntaxError](json.Unmarshal(body, new(json.RawMessage))); bad {
		return q, fmt.Errorf("the body is not JSON: at byte %d: %w", syntax.Offset, syntax)
	}
	// All fields are collected before they are interpreted, because only the whole set shows whether
	// the body has one item or many.
	fields := map[string]json.RawMessage{}
	many, want := "rows", `["row"] or ["rows"]`
	if learn {
		many, want = "examples", `["row" "class"] or ["examples"]`
	}
	d := newDecoder(body)
	err = object(d, func(key string) error {
		var text json.RawMessage
		err := d.Decode(&text)
		fields[key] = text
		return err
	})
	if err != nil {
		return q, err
	}
	switch keys := slices.Sorted(maps.Keys(fields)); {
	case slices.Equal(keys, []string{many}):
		return query{text: fields[many]}, nil
	case learn && slices.Equal(keys, []string{"class", "row"}):
		return query{one: true, text: body}, nil
	case !learn && slices.Equal(keys, []string{"row"}):
		return query{one: true, text: fields["row"]}, nil
	default:
		return q, fmt.Errorf("the body has the fields %q, want %s", keys, want)
	}
}

func newDecoder(text []byte) *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d
}

// next returns the next token. It ignores errors, because decode has checked that the text is JSON.
func next(d *json.Decoder) json.Token {
	token, _ := d.Token()
	return token
}

// object decodes an object. It calls f for each key, and f must decode the value.
func object(d *json.Decoder, f func(key string) error) error {
	if first := next(d); first != json.Delim('{') {
		return fmt.Errorf("%s, want an object", describe(first))
	}
	return members(d, f)
}

// members decodes an object after its opening bracket. Unlike encoding/json, it rejects a repeated
// key, and passes a key to f as it is written, so that upper and lower case differ.
func members(d *json.Decoder, f func(key string) error) error {
	seen := map[string]bool{}
	for d.More() {
		key := next(d).(string)
		if seen[key] {
			return fmt.Errorf("%q is there twice", key)
		}
		seen[key] = true
		if err := f(key); err != nil {
			return err
		}
	}
	next(d)
	return nil
}

// describe returns the text for a token or a decoded value in an error.
func describe(token any) string {
	if open, ok := token.(json.Delim); ok {
		return map[json.Delim]string{'[': "an array", '{': "an object"}[open]
	}
	text, _ := json.Marshal(token)
	return string(text)
}

// A row is a decoded row. The next row overwrites it.
type row struct {
	*state
	encoder *table.Encoder
	values  []any        // in the order of the model's columns; nil is missing
	x       table.Vector // the features; NaN is missing
	missing bool         // a feature is missing
	class   any          // the class to learn
}

// each calls f for each row of a request, until ctx is done.
func (st *state) each(ctx context.Context, q query, learn bool, f func(i int, r *row) error) error {
	// One row is reused for the whole request, because a body of 1 MB may have a hundred thousand rows.
	r := &row{state: st, encoder: st.file.Schema.Encoder(st.skipUnknown), values: make([]any, len(st.file.Schema.Columns))}
	decode, name := r.decode, "rows"
	if learn {
		decode, name = r.example, "examples"
	}
	item := func(d *json.Decoder, i int) error {
		if ctx.Err() != nil {
			return errSlow
		}
		if err := decode(d); err != nil {
			return err
		}
		return f(i, r)
	}
	d := newDecoder(q.text)
	if q.one {
		return item(d, 0)
	}
	if first := next(d); first != json.Delim('[') {
		return fmt.Errorf("%s is %s, want an array", name, describe(first))
	}
	for i := 0; d.More(); i++ {
		if err := item(d, i); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	return nil
}

// example decodes a row and its class.
func (r *row) example(d *json.Decoder) error {
	fields := 0
	err := object(d, func(key string) error {
		fields++
		switch key {
		case "row":
			return r.decode(d)
		case "class":
			return d.Decode(&r.class)
		}
		return fmt.Errorf("unknown field %q", key)
	})
	if err == nil && fields != 2 {
		err = fmt.Errorf("want row and class")
	}
	return err
}

// decode decodes a row and computes its features.
func (r *row) decode(d *json.Decoder) (err error) {
	clear(r.values)
	switch first := next(d); first {
	case json.Delim('{'):
		// A column without a key has a missing value.
		err = members(d, func(name string) error {
			if j, ok := r.columns[name]; ok {
				return r.value(d, j)
			}
			return fmt.Errorf("the model has no column %q; /openapi.yaml has the names", name)
		})
	case json.Delim('['):
		err = r.inOrder(d)
	default:
		err = fmt.Errorf("%s, want a row: an object, or an array", describe(first))
	}
	if err != nil {
		return err
	}
	lacks, err := r.encoder.Encode(&r.x, r.values)
	r.missing = lacks > 0
	if lacks == len(r.values) && r.file.Schema.Missing == table.MissingMean {
		return errors.New("every value is missing: the row says nothing") // only the means would decide
	}
	return err
}

// inOrder decodes an array after its opening bracket. The values must be in the order of the model's
// columns.
func (r *row) inOrder(d *json.Decoder) error {
	n := 0
	for ; d.More(); n++ {
		if n == len(r.values) {
			return fmt.Errorf("more values than the %s of the model", table.Counted(n, "column"))
		}
		if err := r.value(d, n); err != nil {
			return err
		}
	}
	// An array must be complete, because it does not show which values are missing.
	if n < len(r.values) {
		return fmt.Errorf("%s, but the model has %s", table.Counted(n, "value"), table.Counted(len(r.values), "column"))
	}
	next(d)
	return nil
}

// value decodes the value of column j: a number, a string or null.
func (r *row) value(d *json.Decoder, j int) error {
	token, want := next(d), "a number, a string or null"
	switch t := token.(type) {
	case nil, string:
		r.values[j] = t
		return nil
	case json.Number:
		if v, err := t.Float64(); err == nil {
			r.values[j] = v
			return nil
		}
		want = "a finite number"
	}
	return fmt.Errorf("column %q: %s, want %s", r.file.Schema.Columns[j].Name, describe(token), want)
}
