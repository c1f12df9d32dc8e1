// Package modelfile reads and writes the model files of the command. A file has a model of the
// library and everything that prediction from raw rows needs: the columns, the scaling, the classes
// and the threshold.
//
// The file is one line of JSON with a checksum. A model of sparse rows is binary data in this line.
// [Read] encodes the Details that it has decoded, and accepts the file only if this gives the same
// bytes. So it rejects unknown, missing and repeated fields. The library rejects such fields in the
// text of the model.
//
// The text of a model with a million features has 70 MB. So [Read] and [File.Write] do not copy it.
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

// Begins has the first bytes of every file of this version.
const Begins = `{"format":"perceptron command","version":1,`

// A File is a model with everything that prediction needs.
type File struct {
	Details
	Model perceptron.Model
	Sum   [sha256.Size]byte // checksum of the file that was read

	// planes has the hyperplanes for raw rows of a File that only predicts, whose Model is untrained.
	// It is nil if the Model itself was read or trained.
	planes *perceptron.Hyperplanes
}

// Details describe what the model was trained on, and how to predict with it. They are a
// type of their own because a report shows them without the weights.
type Details struct {
	Program   string             `json:"program"` // the version that wrote the file
	Data      Data               `json:"data"`
	Schema    table.Schema       `json:"schema"`
	Scaling   perceptron.Scaling `json:"scaling"`
	Waves     perceptron.Waves   `json:"waves,omitzero"` // of scaled rows
	Fill      []float64          `json:"fill,omitempty"` // replaces missing features: the means of the training rows
	Classes   []string           `json:"classes"`        // in the order of table.CompareClasses
	Threshold float64            `json:"threshold"`      // least score with which the second of two classes is predicted

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

	// First has the rows of each class to train on, if all later ones are held out. Group is the column of which all
	// rows with one value are in one part. Without them, the rows held out are drawn.
	First map[string]int `json:"first,omitempty"`
	Group string         `json:"group,omitempty"`

	// Kept has the classes with so few rows that all would be held out. All rows of these classes are
	// training rows instead.
	Kept []string `json:"kept,omitempty"`

	// Served and Earlier describe what the model has learned beside the rows of File. Served counts
	// rows that were sent to a server, and Since is what Served was after the last training. Earlier has the files
	// of earlier trainings.
	Served  int      `json:"served,omitempty"`
	Since   int      `json:"since,omitempty"`
	Earlier []Origin `json:"earlier,omitempty"`
}

// An Origin is a file on which the model was trained before.
type Origin struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// Others returns the files of all trainings so far, except the file with the checksum sum.
func (d Data) Others(sum string) []Origin {
	// A new training stores the Others of its own file. So a file of several trainings is listed
	// once, with the number of rows of its last training.
	all := append(slices.Clone(d.Earlier), Origin{d.File, d.SHA256, d.Rows})
	return slices.DeleteFunc(all, func(o Origin) bool { return o.SHA256 == sum || o.SHA256 == "" })
}

// A form is the JSON of a File without its last field, the model. Format and Version come first, so
// that the first bytes of a file, Begins, show that it is a model.
type form struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	SHA256  string `json:"sha256"` // checksum of the file with this field empty, and without the newline
	Type    string `json:"type"`   // of the model
	*Details
}

// Program returns the name and the version of this program, and the revision if the program was
// built from a checkout.
func Program() string {
	info, _ := debug.ReadBuildInfo() // every program that is built from a module has it
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

// parts returns the text of the file, in parts: the model is one of them and is not copied.
func (f *File) parts(model []byte) (net.Buffers, error) {
	head, err := json.Marshal(form{Format: "perceptron command", Version: 1, Type: Type(f.Model), Details: &f.Details})
	if err != nil {
		return nil, err
	}
	head = append(head[:len(head)-1], before...)
	// The checksum is computed with its own field empty, because it cannot cover itself.
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

// Write replaces the file in one step. After a crash the file has the old model or the new model.
func (f *File) Write(path string) error {
	parts, err := f.encode()
	if err != nil {
		return err
	}
	return atomicfile.WriteIf(path, &parts, ".perceptron-*.tmp", func() error { return nil })
}

// Read reads a file that Write wrote, or one of a Classifier of dense rows, and validates it.
func Read(path string) (*File, error) { return read(path, false) }

// ReadPredictor is like Read, but returns a File for predictions only. Its Model may be untrained.
func ReadPredictor(path string) (*File, error) { return read(path, true) }

// read reads and validates a file. If predicts is true, the File may be for predictions only. read
// checks the first bytes before it reads the rest, because a wrong file may have any size.
func read(path string, predicts bool) (f *File, err error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text := bufio.NewReader(in) // what Peek returns, ReadFrom reads again
	head, _ := text.Peek(len(Begins))
	if slices.ContainsFunc(classifiers, func(begins string) bool { return strings.HasPrefix(string(head), begins) }) {
		return readClassifier(path)
	}
	if string(head) != Begins {
		return nil, fmt.Errorf("%s: not a model of this program: it begins %q, want %q", path, head, Begins)
	}
	var all bytes.Buffer
	if info, err := in.Stat(); err == nil { // room for the whole file, so that the buffer never grows
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

// decode decodes and validates the text of a file.
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
	// The text must be the same as the encoding of the decoded Details, the model and the checksum.
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

// restore decodes the model. If predicts is true and the rows are sparse, it reads only the planes
// that predict.
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

// check returns an error for the first invalid detail. The checksum does not prove that the details
// are valid, because another program can compute a checksum too.
func (f *File) check() error {
	d, n := f.Schema.Features(), len(f.Classes)
	_, odd := f.Waves.Apply(nil, []float64{0})
	switch err := cmp.Or(f.Schema.Check(), odd); {
	case err != nil:
		return err
	case !f.Bent() && f.Waves != perceptron.Waves{}, f.Bent() && f.Schema.Sparse:
		return fmt.Errorf("waves %+v", f.Waves)
	case n < 2 || !table.Ascending(f.Classes, table.CompareClasses) || slices.Contains(f.Classes, ""):
		return fmt.Errorf("classes %s, want at least two, sorted and different", table.Short(f.Classes))
	case len(f.Fill) != 0 && len(f.Fill) != d, f.Schema.Missing == table.MissingMean && len(f.Fill) != d:
		return fmt.Errorf("%d values for missing ones, but %d features", len(f.Fill), d)
	case !IsTwo(f.Model) && f.Threshold != 0, math.Abs(f.Threshold) > mostThreshold:
		return fmt.Errorf("threshold %v", f.Threshold)
	case !(f.Data.Holdout >= 0 && f.Data.Holdout < 1) || f.Data.Rows < 1 || f.Data.HeldOut < 0 || f.Data.LeftOut < 0 || f.Data.Since < 0 || f.Data.Served < f.Data.Since:
		return fmt.Errorf("data %+v", f.Data)
	}
	return nil
}

// fits returns an error if the model does not fit the rest of the file. The library has validated
// the model itself.
func (f *File) fits() error {
	d, n := f.Schema.Features()+f.Waves.Count, len(f.Classes)
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

// IsTwo reports whether the model is a binary model, with labels −1 and +1. A Multiclass or OneVsRest
// model may have two classes too, but it has no threshold.
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

// Clone returns a copy of a model. It calls the model's method Clone by reflection: each method
// returns a type of its own, so that no interface describes them all.
func Clone(m perceptron.Model) perceptron.Model {
	return reflect.ValueOf(m).MethodByName("Clone").Call(nil)[0].Interface().(perceptron.Model)
}

// Sparse returns the model with methods that take sparse rows.
func (f *File) Sparse() perceptron.SparseModel {
	return perceptron.SparseModel{Model: f.Model, Width: f.Schema.Features()}
}

// Copy returns a File to train further: a copy of the model, by this program. Training it does not change f.
func (f *File) Copy() *File {
	next := &File{Model: Clone(f.Model), Details: f.Details}
	next.Program = Program()
	return next
}

// Predicts reports whether the File only predicts.
func (f *File) Predicts() bool { return f.planes != nil }

// Scaled returns the row as the model gets it: scaled, and mapped by Waves. It overwrites z, and reuses its
// memory. Training and a server scale rows with it; a Predictor takes raw rows.
func (f *File) Scaled(z, x table.Vector) (_ table.Vector, err error) {
	if !f.Schema.Sparse {
		z.Value, _, err = f.row(z.Value[:0], x.Value)
		return z, err
	}
	// The means of sparse rows are 0: to subtract other means would make the row dense. Training
	// returns an error if a scaled number is not finite.
	z.Index, z.Value = x.Index, append(z.Value[:0], x.Value...)
	if f.Scaling.Scale != nil {
		for k, j := range x.Index {
			z.Value[k] /= f.Scaling.Scale[j]
		}
	}
	return z, nil
}

// Labels returns the model's label of each class: −1 and +1, or the index of the class. A class name
// is never a label, even if it is a number, because it need not be a whole number.
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

// Place returns the index of a class, or -1 if the model does not have the class.
func (f *File) Place(class string) int { return slices.Index(f.Classes, class) }
