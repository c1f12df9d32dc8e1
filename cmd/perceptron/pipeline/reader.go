package pipeline

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"iter"
	"os"

	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/pipeline/report"
)

// Records returns a table of records, such as slices.Values of a [][]string. The first has the names of the columns.
// A sequence that fails should cancel the context of Train.
func Records(records iter.Seq[[]string]) io.Reader { return &recordReader{records: records} }

// A recordReader is a table of records: a CSV file whose form is known.
type recordReader struct {
	records iter.Seq[[]string]
	next    func() ([]string, bool)
	stop    func()
	text    bytes.Buffer // of the last record
	out     *csv.Writer  // to text
}

// Read reads the file. The sequence runs in the goroutine that calls Read, which gets its panics.
func (r *recordReader) Read(block []byte) (int, error) {
	if r.next == nil {
		r.next, r.stop = iter.Pull(r.records)
		r.out = csv.NewWriter(&r.text)
	}
	for r.text.Len() == 0 {
		record, ok := r.next()
		if !ok {
			return 0, io.EOF
		}
		_ = r.out.Write(record) // to memory
		r.out.Flush()
	}
	return r.text.Read(block)
}

// Close ends the sequence.
func (r *recordReader) Close() {
	if r.stop != nil {
		r.stop()
	}
}

// A Progress says that a stage of the work begins, advances or ends.
type Progress struct {
	Stage       string       // training, folds, "choosing, folds", or what a pass over the table does, such as measuring
	Done, Total int64        // epochs or folds, at most Total; else bytes
	Epoch       report.Epoch // the last one of training
	Ended       bool
}

// A watch passes what happens to the caller, and what the caller wants to the passes over a table.
type watch struct {
	ctx      context.Context // ends the passes
	progress func(Progress)
	note     func(string)
}

// say reports progress, and tell a remark.
func (w *watch) say(p Progress) {
	if w.progress != nil {
		w.progress(p)
	}
}

func (w *watch) tell(what string) {
	if w.note != nil {
		w.note(what)
	}
}

// An interruption is the error of a training whose context has ended.
type interruption struct{ cause error }

func (i interruption) Error() string {
	if i.cause == context.Canceled {
		return "interrupted"
	}
	return "interrupted: " + i.cause.Error()
}
func (i interruption) Unwrap() error { return i.cause }

// alive returns an error if the context has ended.
func (w *watch) alive() error {
	if w.ctx.Err() == nil {
		return nil
	}
	return interruption{context.Cause(w.ctx)}
}

// open opens a table, which it reads several times. A file is read where it is, and any other reader is copied to a
// temporary file.
func (w *watch) open(r io.Reader, o table.Options) (src *table.Source, err error) {
	name := "table"
	switch in := r.(type) {
	case *recordReader:
		name, o = "records", table.Options{Format: "csv", Header: "yes", Comma: "comma", Decimal: "point"}
		defer in.Close()
	case interface{ Name() string }:
		name = in.Name()
	}
	if r == os.Stdin {
		name = table.StandardInput
	}
	src, err = table.From(r, &pass{r, w, Progress{}}, name, o)
	if err == nil {
		src.Tell, src.Watch = w.tell, w.pass
	}
	return src, err
}

// pass returns a reader for a pass over the table, which reports its progress and ends with the context.
func (w *watch) pass(r io.Reader, size int64, purpose string) io.Reader {
	return &pass{r, w, Progress{Stage: purpose, Total: size}}
}

// A pass is a pass over a table.
type pass struct {
	io.Reader
	*watch
	Progress
}

// Read reads a block.
func (p *pass) Read(block []byte) (n int, err error) {
	if err := p.alive(); err != nil {
		return 0, err
	}
	n, err = p.Reader.Read(block)
	if p.Done += int64(n); p.Total > 0 && p.Stage != "" {
		p.Ended = err != nil
		p.say(p.Progress)
	}
	return n, err
}
