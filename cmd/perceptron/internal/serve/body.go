package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// A query is the body of a request. Its rows are decoded one by one: a row takes many
// times its size.
type query struct {
	one     bool            // the body has row, not rows
	rows    json.RawMessage // a row, or an array of rows
	classes []any           // to learn: a string or a json.Number for each row
}

// A badRequest is an error in the request.
type badRequest struct{ error }

func badf(format string, args ...any) error { return badRequest{fmt.Errorf(format, args...)} }

// errBusy reports that too many bodies are being read.
var errBusy = errors.New("the server is busy: too many request bodies at once")

// patience limits the time that a request waits for others whose bodies are read.
const patience = 5 * time.Second

// read reads the body of a request. The caller must call release when it no longer
// needs what the body holds.
func (s *service) read(w http.ResponseWriter, r *http.Request, learn bool) (q query, release func(), err error) {
	// A body takes several times its size when it is decoded. So all bodies together
	// have a limit, too.
	size := s.Body
	if 0 <= r.ContentLength && r.ContentLength < size {
		size = r.ContentLength
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if s.budget.Acquire(ctx, size) != nil {
		return q, func() {}, errBusy
	}
	release = func() { s.budget.Release(size) }
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.Body))
	if err == nil {
		q, err = decode(body, learn)
	}
	return q, release, err
}

// decode decodes a body, which must be exactly one JSON object. encoding/json alone
// accepts duplicate keys, and keys in upper case.
func decode(body []byte, learn bool) (q query, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if first, err := d.Token(); err != nil {
		return q, explain(err)
	} else if first != json.Delim('{') {
		return q, badf("the body is %s, want an object", describe(first))
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return q, explain(err)
		}
		key := token.(string)
		if seen[key] {
			return q, badf("the body has %q twice", key)
		}
		seen[key] = true
		if err := q.field(d, key); err != nil {
			return q, explain(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return q, explain(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return q, badf("trailing data after the object")
	}
	return q, q.check(seen, learn)
}

// field decodes the value of a key.
func (q *query) field(d *json.Decoder, key string) error {
	switch key {
	case "row", "rows":
		q.one = key == "row"
		return d.Decode(&q.rows)
	case "class":
		q.classes = make([]any, 1)
		return d.Decode(&q.classes[0])
	case "classes":
		return d.Decode(&q.classes)
	}
	return badf("unknown field %q; want row, or rows, and to learn class, or classes", key)
}

// check checks that the keys belong together.
func (q *query) check(seen map[string]bool, learn bool) error {
	switch {
	case seen["row"] == seen["rows"]:
		return badf("want exactly one of row and rows")
	case !learn && (seen["class"] || seen["classes"]):
		return badf("class is not allowed here: use /update to learn")
	case learn && (seen["class"] != seen["row"] || seen["classes"] != seen["rows"]):
		return badf("want row and class, or rows and classes")
	case seen["classes"] && q.classes == nil:
		return badf("classes is null, want an array")
	}
	return nil
}

// explain turns an error of encoding/json into a badRequest without Go's names of types.
func explain(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, new(badRequest)):
		return err
	case errors.As(err, &kind):
		return badf("%s at byte %d: want an array", kind.Value, kind.Offset)
	case errors.As(err, &syntax):
		return badf("the body is not JSON: at byte %d: %v", syntax.Offset, err)
	case errors.Is(err, io.EOF):
		return badf("the body is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return badf("the body is not JSON: it ends too early")
	}
	return badRequest{err}
}

// describe returns a JSON token as an error shows it.
func describe(token json.Token) string {
	switch t := token.(type) {
	case json.Delim:
		return map[json.Delim]string{'[': "an array", '{': "an object"}[t]
	case string:
		return strconv.Quote(t)
	case nil:
		return "null"
	}
	return fmt.Sprint(token)
}

// A features function receives the index of a row and its features. The next row
// overwrites them. The features of a missing value are NaN.
type features func(i int, x []float64, missing bool) error

// each calls f for each row.
func (st *state) each(q query, f features) error {
	d := json.NewDecoder(bytes.NewReader(q.rows))
	d.UseNumber()
	r := row{state: st, values: make([]any, len(st.file.Schema.Columns)), set: make([]bool, len(st.file.Schema.Columns))}
	if q.one {
		return r.next(d, 0, f)
	}
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return badf("rows is %s, want an array", describe(token))
	}
	for i := 0; d.More(); i++ {
		if err := r.next(d, i, f); err != nil {
			return fmt.Errorf("rows[%d]: %w", i, err)
		}
	}
	return nil
}

// A row holds the values of a row in the order of the model's columns.
type row struct {
	*state
	values []any
	set    []bool
	x      []float64
}

// next decodes a row and passes on its features.
func (r *row) next(d *json.Decoder, i int, f features) error {
	clear(r.values)
	clear(r.set)
	token, err := d.Token()
	if err != nil {
		return badRequest{err}
	}
	switch token {
	case json.Delim('['):
		err = r.inOrder(d)
	case json.Delim('{'):
		err = r.byName(d)
	default:
		err = badf("%s, want a row: an object, or an array", describe(token))
	}
	if err != nil {
		return err
	}
	if r.x, err = r.encoder.Encode(r.x[:0], r.values); err != nil {
		return badRequest{err}
	}
	missing, err := r.missing(r.x)
	if err != nil {
		return err
	}
	return f(i, r.x, missing)
}

// inOrder decodes an array. Its values are in the order of the model's columns.
func (r *row) inOrder(d *json.Decoder) (err error) {
	n := 0
	for ; d.More(); n++ {
		if n == len(r.values) {
			return badf("more values than the %d columns of the model", n)
		}
		if r.values[n], err = value(d); err != nil {
			return fmt.Errorf("column %q: %w", r.file.Schema.Columns[n].Name, err)
		}
	}
	if n < len(r.values) {
		return badf("%d values, but the model has %d columns", n, len(r.values))
	}
	_, err = d.Token()
	return err
}

// byName decodes an object. A column that it does not name is missing.
func (r *row) byName(d *json.Decoder) error {
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return badRequest{err}
		}
		name := token.(string)
		j, ok := r.columns[name]
		switch {
		case !ok:
			return badf("the model has no column %q; /model has the names", name)
		case r.set[j]:
			return badf("column %q: it is there twice", name)
		}
		r.set[j] = true
		if r.values[j], err = value(d); err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
	}
	_, err := d.Token()
	return err
}

// value decodes a number, a string or null.
func value(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, badRequest{err}
	}
	switch t := token.(type) {
	case nil, string:
		return t, nil
	case json.Number:
		v, err := t.Float64()
		if err != nil {
			return nil, badf("%s, want a finite number", t)
		}
		return v, nil
	}
	return nil, badf("%s, want a number, a string or null", describe(token))
}
