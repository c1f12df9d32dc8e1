// Package modelfile is the one file that the command saves: a model of the library and
// all that prediction from raw rows needs. The columns, the scaling, the classes and the
// threshold cannot get lost, because they are in the same file.
//
// The file is one line of JSON with a checksum; a model of sparse rows is binary in it. [Read] writes
// the Details of a File again, and accepts the file only if this gives the same bytes. So it rejects
// unknown, missing and repeated fields. The library rejects them in its own part, the model.
//
// A model of a million features is a text of 70 MB, which is neither copied nor written twice.
package modelfile

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/internal/atomicfile"
)

// Begins is how each file of this version begins.
const Begins = `{"format":"perceptron command","version":1,`

// A File is a model with everything that prediction needs.
type File struct {
	Details
	Model perceptron.Model
	Sum   [sha256.Size]byte // of the file that was read

	// planes are for raw rows. They are nil if the Model is there, and not only its type.
	planes *perceptron.Hyperplanes
}

// Details describe what the model was trained on, and how to predict with it. They are a
// type of their own because a report shows them without the weights.
type Details struct {
	Program   string             `json:"program"` // the version that wrote the file
	Data      Data               `json:"data"`
	Schema    table.Schema       `json:"schema"`
	Scaling   perceptron.Scaling `json:"scaling"`
	Fill      []float64          `json:"fill,omitempty"` // replaces missing features: the means of the training rows
	Classes   []string           `json:"classes"`        // in the order of table.CompareClasses
	Threshold float64            `json:"threshold"`      // of two classes, the second is predicted from this score on

	// Calibration turns scores into probabilities. It is nil if the training did not ask for it.
	Calibration *metrics.Calibration `json:"calibration,omitempty"`
}

// Data describes the training data. With it, evaluate recognises the training file and finds
// the rows held out again.
type Data struct {
	File    string  `json:"file"`
	SHA256  string  `json:"sha256"`
	Rows    int     `json:"rows"`    // trained on
	HeldOut int     `json:"heldOut"` // rows
	LeftOut int     `json:"leftOut"` // rows with a missing value
	Holdout float64 `json:"holdout"` // share of the rows of each class to hold out
	Seed    uint64  `json:"seed"`    // chooses the rows held out

	// Kept are classes of so few rows that all would be held out. All are trained on instead.
	Kept []string `json:"kept,omitempty"`

	// What the model has learned beside the rows of this file: the rows sent to a server, and
	// those of the files on which it was trained before.
	Served  int      `json:"served,omitempty"`
	Earlier []Origin `json:"earlier,omitempty"`
}

// An Origin is a file on which the model was trained before.
type Origin struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// Others returns the files of all trainings so far, except the file with the checksum.
func (d Data) Others(sum string) []Origin {
	// A file of several trainings counts once. Its last training knows its rows best.
	all := append(slices.Clone(d.Earlier), Origin{d.File, d.SHA256, d.Rows})
	return slices.DeleteFunc(all, func(o Origin) bool { return o.SHA256 == sum || o.SHA256 == "" })
}

// A form is the JSON of a File, but for its last field, the model. What identifies the file comes
// first, so that Begins can tell a model from other files without reading them.
type form struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	SHA256  string `json:"sha256"` // of the file with this field empty, and without its newline
	Type    string `json:"type"`   // of the model
	*Details
}

// Program returns the version of this program. One that was built from a checkout has a revision,
// and one that go install fetched has none.
func Program() string {
	info, _ := debug.ReadBuildInfo() // which every program of a module has
	text := "perceptron " + info.Main.Version
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			text += ", revision " + setting.Value
		}
	}
	return text
}

// Type returns the name of the model's type.
func Type(m perceptron.Model) string {
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", m), "*perceptron."))
}

// before and after surround the text of the model in the file. No string in JSON contains before,
// because its quotes would be escaped.
const before, after = `,"model":`, "}"

// parts returns the text of the file around that of the model.
func (f *File) parts(model []byte) (net.Buffers, error) {
	head, err := json.Marshal(form{Format: "perceptron command", Version: 1, Type: Type(f.Model), Details: &f.Details})
	if err != nil {
		return nil, err
	}
	head = append(head[:len(head)-1], before...)
	// The sum is over the text with an empty sum: otherwise it would have to contain itself.
	sum := sha256.New()
	for _, part := range [][]byte{head, model, []byte(after)} {
		sum.Write(part)
	}
	at := len(Begins + `"sha256":"`)
	return net.Buffers{head[:at], fmt.Appendf(nil, "%x", sum.Sum(nil)), head[at:], model, []byte(after + "\n")}, nil
}

// encode returns the parts of the text of the file.
func (f *File) encode() (net.Buffers, error) {
	if !f.Schema.Sparse {
		model, err := f.Model.(json.Marshaler).MarshalJSON()
		if err != nil {
			return nil, err
		}
		return f.parts(model)
	}
	frame, err := f.Model.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, err
	}
	model, err := pack(frame)
	if err != nil {
		return nil, err
	}
	return f.parts(model)
}

// Encode returns the text of the file.
func (f *File) Encode() ([]byte, error) {
	parts, err := f.encode()
	return bytes.Join(parts, nil), err
}

// Write replaces the file in one step. After a crash it holds the old model or the new
// one.
func (f *File) Write(path string) error {
	parts, err := f.encode()
	if err != nil {
		return err
	}
	return atomicfile.WriteIf(path, &parts, ".perceptron-*.tmp", func() error { return nil })
}

// Read reads a file that Write wrote, and validates it.
func Read(path string) (*File, error) { return read(path, false) }

// ReadPredictor is as Read, but the file only predicts. Its Model may be untrained.
func ReadPredictor(path string) (*File, error) { return read(path, true) }

// read reads the beginning first, because a wrong path may lead to a file of any size.
func read(path string, predicts bool) (f *File, err error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text := bufio.NewReader(in) // Peek reads the beginning, and ReadFrom reads it again
	if head, _ := text.Peek(len(Begins)); string(head) != Begins {
		return nil, fmt.Errorf("%s: not a model of this program: it begins %q, want %q", path, head, Begins)
	}
	var all bytes.Buffer
	if info, err := in.Stat(); err == nil { // without its size, the buffer would be copied as it grows
		all.Grow(int(info.Size()) + bytes.MinRead)
	}
	if _, err = all.ReadFrom(text); err == nil {
		f, err = decode(all.Bytes(), predicts)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// decode validates the text of a file.
func decode(text []byte, predicts bool) (*File, error) {
	f := &File{Sum: sha256.Sum256(text)}
	of := form{Details: &f.Details}
	head, model, _ := bytes.Cut(text, []byte(before))
	if err := json.Unmarshal(append(slices.Clip(head), '}'), &of); err != nil {
		return nil, err
	}
	// The type must be known before the model is decoded into it.
	types := []perceptron.Model{new(perceptron.Online), new(perceptron.Margin), new(perceptron.Batch), new(perceptron.OneVsRest), new(perceptron.Multiclass)}
	i := slices.IndexFunc(types, func(m perceptron.Model) bool { return Type(m) == of.Type })
	if i < 0 {
		return nil, fmt.Errorf("model of unknown type %q", of.Type)
	}
	f.Model = types[i]
	// The text must be what the Details give, with the checksum of the whole text.
	model = bytes.TrimSuffix(model, []byte(after+"\n"))
	again, err := f.parts(model)
	for _, part := range again {
		var same bool
		if text, same = bytes.CutPrefix(text, part); !same {
			err = errors.New("the file is damaged, or was changed by another program")
		}
	}
	if err = cmp.Or(err, f.check()); err == nil {
		err = f.restore(model, predicts)
	}
	if err != nil {
		return nil, err
	}
	return f, f.fits()
}

// restore reads the model, or of sparse rows, if predicts is true, only the planes that predict.
func (f *File) restore(model []byte, predicts bool) error {
	if !f.Schema.Sparse {
		return f.Model.(json.Unmarshaler).UnmarshalJSON(model)
	}
	if predicts {
		return f.readPlanes(model)
	}
	frame, err := unpack(model)
	if err != nil {
		return err
	}
	return f.Model.(encoding.BinaryUnmarshaler).UnmarshalBinary(frame)
}

// check returns the first detail that makes no sense. A checksum does not show that: another
// program can compute it too.
func (f *File) check() error {
	d, n := f.Schema.Features(), len(f.Classes)
	switch err := f.Schema.Check(); {
	case err != nil:
		return err
	case n < 2 || !table.Ascending(f.Classes, table.CompareClasses) || slices.Contains(f.Classes, ""):
		return fmt.Errorf("classes %s, want at least two, sorted and different", table.Short(f.Classes))
	case len(f.Fill) != 0 && len(f.Fill) != d, f.Schema.Missing == table.MissingMean && len(f.Fill) != d:
		return fmt.Errorf("%d values for missing ones, but %d features", len(f.Fill), d)
	case !IsTwo(f.Model) && f.Threshold != 0, math.Abs(f.Threshold) > mostThreshold:
		return fmt.Errorf("threshold %v", f.Threshold)
	case !(f.Data.Holdout >= 0 && f.Data.Holdout < 1) || f.Data.Rows < 1 || f.Data.HeldOut < 0 || f.Data.LeftOut < 0 || f.Data.Served < 0:
		return fmt.Errorf("data %+v", f.Data)
	}
	return nil
}

// fits returns an error if the model does not fit the rest of the file. The library has validated
// the model itself.
func (f *File) fits() error {
	d, n := f.Schema.Features(), len(f.Classes)
	p, err := f.Predictor()
	switch {
	case err != nil:
		return err
	case !slices.Equal(p.Planes.Classes, places(n)):
		return fmt.Errorf("%d classes, but the model has %v, want them numbered from 0", n, p.Planes.Classes)
	case f.Schema.Sparse && slices.ContainsFunc(f.Scaling.Mean, func(v float64) bool { return v != 0 }):
		return errors.New("the rows are sparse, but their means are not 0")
	case len(p.Planes.Planes[0].Weights) != d:
		return fmt.Errorf("%d features, but the model has %d weights", d, len(p.Planes.Planes[0].Weights))
	}
	return nil
}

// IsTwo reports whether the model is one of two classes, with labels −1 and +1. A model of
// many classes may have two as well, but then no threshold.
func IsTwo(m perceptron.Model) bool {
	_, ok := m.(perceptron.Binary)
	return ok
}

// Learns reports whether a model learns one row at a time. The batch rule needs all rows at once.
func Learns(m perceptron.Model) bool {
	if many, ok := m.(*perceptron.OneVsRest); ok {
		m = many.Binary
	}
	_, batch := m.(*perceptron.Batch)
	return !batch
}

// Clone returns a copy of a model. All models of the library have this method, but each returns
// its own type, so that no interface has it.
func Clone(m perceptron.Model) perceptron.Model {
	return reflect.ValueOf(m).MethodByName("Clone").Call(nil)[0].Interface().(perceptron.Model)
}

// Sparse returns the model as one of sparse rows.
func (f *File) Sparse() perceptron.SparseModel {
	return perceptron.SparseModel{Model: f.Model, Width: f.Schema.Features()}
}

// Update learns a scaled row. The function Learns must have returned true for the model.
func (f *File) Update(x table.Vector, label int) (updated bool, err error) {
	if f.Schema.Sparse {
		return f.Sparse().Update(perceptron.Sparse(x), label)
	}
	return f.Model.(perceptron.Learner).Update(x.Value, label)
}

// Scaled returns the scaled row, in the memory of z. Training, predictions and a server all scale rows
// with it.
func (f *File) Scaled(z, x table.Vector) (_ table.Vector, err error) {
	if !f.Schema.Sparse {
		z.Value, err = f.Scaling.Apply(z.Value[:0], x.Value)
		return z, err
	}
	// The means of sparse rows are 0, because with others a row would have no zeros. Training returns
	// an error for a number that is not finite.
	z.Index, z.Value = x.Index, append(z.Value[:0], x.Value...)
	if f.Scaling.Scale != nil {
		for k, j := range x.Index {
			z.Value[k] /= f.Scaling.Scale[j]
		}
	}
	return z, nil
}

// Labels returns the model's label of each class: −1 and +1, or the place of the class. The
// names of the classes never become labels, not even numbers: they need not be whole.
func (f *File) Labels() []int {
	if IsTwo(f.Model) {
		return []int{-1, +1}
	}
	return places(len(f.Classes))
}

// places returns 0, 1, …, n-1.
func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Place returns the index of a class, or -1.
func (f *File) Place(class string) int { return slices.Index(f.Classes, class) }
