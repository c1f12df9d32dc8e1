package serve

import (
	"encoding/json"
	"strconv"
	"time"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// A state is a state of the model. It never changes: to learn, the service replaces it.
// So readers never wait for the writer.
type state struct {
	file      *modelfile.File
	predictor *modelfile.Predictor
	encoder   *table.Encoder
	columns   map[string]int // the place of a column by its name
	quoted    []string       // the classes as JSON
	version   string         // differs for every state
	at        time.Time
}

// newState returns the state of a file.
func newState(f *modelfile.File, skipUnknown bool) (*state, error) {
	p, err := f.Predictor()
	if err != nil {
		return nil, err
	}
	st := &state{file: f, predictor: p, encoder: f.Schema.Encoder(skipUnknown), columns: map[string]int{}, at: time.Now()}
	for j, c := range f.Schema.Columns {
		st.columns[c.Name] = j
	}
	for _, class := range f.Classes {
		text, err := json.Marshal(class)
		if err != nil {
			return nil, err
		}
		st.quoted = append(st.quoted, string(text))
	}
	return st, nil
}

// A learner is a model that learns one row at a time.
type learner interface {
	perceptron.Model
	Update(x []float64, y int) (bool, error)
}

// clone returns a copy of a model, or nil if it cannot learn one row at a time.
func clone(m perceptron.Model) learner {
	var binary perceptron.Model
	var c learner
	switch m := m.(type) {
	case *perceptron.Online:
		c = m.Clone()
	case *perceptron.Margin:
		c = m.Clone()
	case *perceptron.OneVsRest:
		binary, c = m.Binary, m.Clone()
	case *perceptron.Multiclass:
		binary, c = m.Binary, m.Clone()
	}
	if _, batch := binary.(*perceptron.Batch); batch {
		return nil
	}
	return c
}

// leavesOut reports whether the model leaves out rows with missing values.
func (st *state) leavesOut() bool { return st.file.Schema.Missing == table.MissingDrop }

// appendPrediction appends the prediction for a row to out, as JSON.
func (st *state) appendPrediction(out []byte, r *row, scores bool) ([]byte, error) {
	if r.missing && st.leavesOut() {
		return append(out, `{"class":null}`...), nil
	}
	class, err := st.predictor.Predict(r.x)
	if err != nil {
		return out, err
	}
	out = append(append(out, `{"class":`...), st.quoted[class]...)
	if !scores {
		return append(out, '}'), nil
	}
	values, err := st.predictor.Scores(nil, r.x)
	if err != nil {
		return out, err
	}
	names := st.quoted[len(st.quoted)-len(values):] // of two classes, only the second
	for i, v := range values {
		out = append(out, map[bool]string{true: `,"scores":{`, false: ","}[i == 0]...)
		out = append(append(out, names[i]...), ':')
		out = strconv.AppendFloat(out, v, 'g', -1, 64)
	}
	return append(out, "}}"...), nil
}

// place returns the index of the class that a request names. A number names the class
// with this value, in whatever form the training file had it.
func (st *state) place(name any) (int, error) {
	found := -1
	switch name := name.(type) {
	case string:
		found = st.file.Place(name)
	case json.Number:
		v, err := name.Float64()
		for i, class := range st.file.Classes {
			w, err2 := strconv.ParseFloat(class, 64)
			if err == nil && err2 == nil && v == w {
				if found >= 0 {
					return -1, badf("class %s: the model has %q and %q; send a string", name, st.file.Classes[found], class)
				}
				found = i
			}
		}
	}
	if found < 0 {
		return -1, badf("class %s is not among the model's %s", describe(name), table.Short(st.file.Classes))
	}
	return found, nil
}
