package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// TestRequests checks the answer to every kind of request, and that a bad request does
// not change the model.
func TestRequests(t *testing.T) {
	s, url := start(t, "multiclass", table.MissingError)
	before, model := s.current.Load(), get(t, url+"/model")
	for _, c := range []struct {
		path, body string
		status     int
		text       string
	}{
		{"/predict", `{"row":` + red + `}`, 200, `{"class":"3.0"}`},
		{"/predict?scores=false", ` { "row" : ` + blue + ` } `, 200, `{"class":"1"}`},
		{"/predict", `{"rows":[` + red + `,` + blue + `]}`, 200, `{"predictions":[{"class":"3.0"},{"class":"1"}]}`},
		{"/predict", `{"rows":[]}`, 200, `{"predictions":[]}`},
		{"/predict?scores=true", `{"row":` + red + `}`, 200, `{"class":"3.0","scores":{"1":-`},
		{"/predict", `{"row":["3",3e2," red "]}`, 200, `{"class":"3.0"}`},
		{"/predict", `{"rows":[` + red + `,[1]]}`, 400, `{"error":"rows[1]: 1 value, but the model has 3 columns"}`},
		{"/predict", `{"rows":[[1,2,"red",4]]}`, 400, `{"error":"rows[0]: more values than the 3 columns of the model"}`},
		{"/predict", `{"rows":` + red + `}`, 400, `{"error":"rows is an object, want an array"}`},
		{"/predict", `{"row":7}`, 400, `{"error":"7, want a row: an object, or an array"}`},
		{"/predict", `{"row":{"height":1,"weight":2,"color":"red"}}`, 400, `the model has no column \"color\"; /openapi.yaml has the names`},
		{"/predict", `{"row":{"height":1,"weight":2}}`, 400, `{"error":"column \"colour\": \"\": the value is missing`},
		{"/predict", `{"rows":[` + red + `,{"height":1,"weight":2}]}`, 400, `{"error":"rows[1]: column \"colour\": \"\": the value is missing`},
		{"/predict", `{"row":{"height":1,"weight":2,"height":1,"colour":"red"}}`, 400, `{"error":"\"height\" is there twice"}`},
		{"/predict", `{"row":{"Height":1,"weight":2,"colour":"red"}}`, 400, `no column \"Height\"`},
		{"/predict", `{"row":[1,null,"red"]}`, 400, `{"error":"column \"weight\": \"\": the value is missing`},
		{"/predict", `{"row":[1,2,"?"]}`, 400, `{"error":"column \"colour\": \"?\": the value is missing`},
		{"/predict", `{"row":[1,true,"red"]}`, 400, `{"error":"column \"weight\": true, want a number, a string or null"}`},
		{"/predict", `{"row":[1,[2],"red"]}`, 400, `{"error":"column \"weight\": an array, want a number, a string or null"}`},
		{"/predict", `{"row":[1,1e999,"red"]}`, 400, `{"error":"column \"weight\": 1e999, want a finite number"}`},
		{"/predict", `{"row":[1,"two","red"]}`, 400, `column \"weight\": \"two\", want a finite number`},
		{"/predict", `{"row":[1,2,"green"]}`, 400, `column \"colour\": \"green\" does not occur in the training file`},
		{"/predict", `{"row":[1,2,3]}`, 400, `column \"colour\": \"3\" does not occur`},
		{"/predict", `{"row":` + red + `,"rows":[]}`, 400, `{"error":"the body has the fields [\"row\" \"rows\"], want [\"row\"] or [\"rows\"]"}`},
		{"/predict", `{"row":` + red + `,"class":"1"}`, 400, `the fields [\"class\" \"row\"], want`},
		{"/predict", `{}`, 400, `the fields [], want`},
		{"/predict?score=true", `{"row":` + red + `}`, 400, `{"error":"unknown query parameter \"score\""}`},
		{"/predict?scores=1", `{"row":` + red + `}`, 400, `{"error":"scores is \"1\", want true or false"}`},
		{"/predict?scores=true&scores=false", `{"row":` + red + `}`, 400, `{"error":"scores is \"true, false\", want true or false"}`},
		{"/predict?a=%", `{"row":` + red + `}`, 400, `invalid URL escape`},
		{"/update?scores=true", `{"row":` + red + `,"class":"1"}`, 400, `{"error":"unknown query parameter \"scores\""}`},
		{"/update", `{"row":` + red + `}`, 400, `{"error":"the body has the fields [\"row\"], want [\"row\" \"class\"] or [\"examples\"]"}`},
		{"/update", `{"rows":[` + red + `]}`, 400, `the fields [\"rows\"], want`},
		{"/update", `{"row":` + red + `,"class":"9"}`, 400, `{"error":"class \"9\" is not among the model's \"1\", \"2\", \"3.0\""}`},
		{"/update", `{"row":` + red + `,"class":9}`, 400, `{"error":"class 9 is not among`},
		{"/update", `{"row":` + red + `,"class":null}`, 400, `{"error":"class null is not among`},
		{"/update", `{"row":` + red + `,"class":[1]}`, 400, `{"error":"class [1] is not among`},
		{"/update", `{"examples":[{"row":` + red + `,"class":"1"},{"row":[1,2,"green"],"class":"1"}]}`, 400, `{"error":"examples[1]: column \"colour\": \"green\"`},
		{"/update", `{"examples":[{"row":` + red + `,"class":"1"},{"row":` + red + `,"class":"4"}]}`, 400, `{"error":"examples[1]: class \"4\"`},
		{"/update", `{"examples":[{"row":` + red + `}]}`, 400, `{"error":"examples[0]: want row and class"}`},
		{"/update", `{"examples":[{"row":` + red + `,"y":1}]}`, 400, `{"error":"examples[0]: unknown field \"y\""}`},
		{"/update", `{"examples":[` + blue + `]}`, 400, `{"error":"examples[0]: an array, want an object"}`},
		{"/update", `{"row":` + red + `,"row":` + red + `,"class":"1"}`, 400, `{"error":"\"row\" is there twice"}`},
		{"/update", `{"row":` + red + `,"Class":"1"}`, 400, `the fields [\"Class\" \"row\"], want`},
		{"/update", `{"row":` + red + `,"class":"1"}{}`, 400, `invalid character '{' after top-level value`},
		{"/update", `{"row":[1,2`, 400, `{"error":"the body is not JSON: at byte 11: unexpected end of JSON input"}`},
		{"/update", ``, 400, `{"error":"the body is not JSON: at byte 0: unexpected end of JSON input"}`},
		{"/update", `[1,2]`, 400, `{"error":"an array, want an object"}`},
		{"/update", `{"row":}`, 400, `{"error":"the body is not JSON: at byte 8: invalid character`},
		{"/update", `{"row":` + red + `,"class":"` + strings.Repeat("a", 4096) + `"}`, 413, `{"error":"the body has more than 4096 bytes"}`},
		{"/model", ``, 405, `{"error":"method POST is not allowed here; use GET, HEAD"}`},
		{"/elsewhere", ``, 404, `{"error":"there is no such path; see /openapi.yaml"}`},
	} {
		status, text := post(t, url+c.path, c.body)
		if status != c.status || !strings.Contains(text, c.text) {
			t.Errorf("%s %.60s: %d %s, want %d %s", c.path, c.body, status, text, c.status, c.text)
		}
	}
	if s.current.Load() != before || s.learned != 0 || !bytes.Equal(get(t, url+"/model"), model) {
		t.Errorf("the model has changed; %d rows learned", s.learned)
	}
}

// TestLearn: each model learns what the library's Update teaches it, to the bit. Each
// answer has the predictions that /predict would have given just before.
func TestLearn(t *testing.T) {
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			s, url := start(t, kind, table.MissingError)
			want := example(t, kind, table.MissingError)
			r := rand.New(rand.NewPCG(3, 4))
			rows, updates, wrong := 0, 0, 0
			for n := range 30 {
				var examples, predicted []string
				for range max(1, n%4) {
					row, x := draw(r)
					class := r.IntN(len(want.Classes))
					p, err := want.Predictor()
					if err != nil {
						t.Fatal(err)
					}
					before, err := p.Predict(table.Vector{Value: x})
					if err != nil {
						t.Fatal(err)
					}
					z, err := want.Scaling.Apply(nil, x)
					if err != nil {
						t.Fatal(err)
					}
					updated, err := want.Model.(perceptron.Learner).Update(z, want.Labels()[class])
					if err != nil {
						t.Fatal(err)
					}
					rows++
					if updated {
						updates++
					}
					if before != class {
						wrong++
					}
					name := fmt.Sprintf("%q", want.Classes[class])
					if name == `"3.0"` || name == `"2"` {
						name = strings.Trim(name, `"`) // a number names a class too
					}
					examples = append(examples, fmt.Sprintf(`{"class":%s,"row":%s}`, name, row))
					predicted = append(predicted, fmt.Sprintf("%q", want.Classes[before]))
				}
				body, answer := examples[0], predicted[0]
				if n%2 == 0 {
					body, answer = `{"examples":[`+strings.Join(examples, ",")+`]}`, "["+strings.Join(predicted, ",")+"]"
				} else if len(examples) > 1 {
					for i, body := range examples {
						if status, text := post(t, url+"/update", body); status != 200 || !strings.Contains(text, `{"predicted":`+predicted[i]+`,`) {
							t.Fatalf("%s: %d %s", body, status, text)
						}
					}
					continue
				}
				if status, text := post(t, url+"/update", body); status != 200 || !strings.Contains(text, `{"predicted":`+answer+`,`) || !strings.Contains(text, fmt.Sprintf(`"learned":%d,"saved":0}`, rows)) {
					t.Fatalf("%s: %d %s, want %s", body, status, text, answer)
				}
			}
			want.Program, want.Data.Served = modelfile.Program(), rows
			text, err := want.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if got := get(t, url+"/model"); !bytes.Equal(got, text) {
				t.Error("the model differs from one that the library trained")
			}
			metrics := string(get(t, url+"/metrics"))
			for _, line := range []string{fmt.Sprintf("rows_learned_total %d", rows), fmt.Sprintf("updates_total %d", updates), fmt.Sprintf("mistakes_total %d", wrong),
				fmt.Sprintf("progressive_accuracy %v", float64(rows-wrong)/float64(rows)), fmt.Sprintf("unsaved_rows %d", rows)} {
				if !strings.Contains(metrics, "\nperceptron_"+line+"\n") {
					t.Errorf("no line perceptron_%s in\n%s", line, metrics)
				}
			}
			s.writer.Lock()
			defer s.writer.Unlock()
			if err := s.save(); err != nil {
				t.Fatal(err)
			}
			if saved, err := os.ReadFile(s.Model); err != nil || !bytes.Equal(saved, text) {
				t.Errorf("the file does not hold the model: %v", err)
			}
		})
	}
}

// TestOverflow: a row whose score overflows changes nothing.
func TestOverflow(t *testing.T) {
	s, url := start(t, "online", table.MissingError)
	huge := `{"row":[1e308,1,"red"],"class":"low"}`
	before := s.current.Load()
	for path, body := range map[string]string{"/update": huge, "/predict": `{"row":[1e308,1,"red"]}`} {
		if status, text := post(t, url+path, body); status != 409 || !strings.HasPrefix(text, `{"error":"not finite`) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, text := post(t, url+"/update", `{"examples":[{"row":[1,1,"red"],"class":"low"},`+huge+`]}`); status != 409 || !strings.HasPrefix(text, `{"error":"examples[1]: not finite`) {
		t.Errorf("%d %s", status, text)
	}
	if s.current.Load() != before || s.learned != 0 {
		t.Error("a bad request changes the model")
	}
}

// TestMissing: a missing value is replaced or its row left out, as the model says.
func TestMissing(t *testing.T) {
	s, url := start(t, "online", table.MissingMean)
	var filled, given struct{ Scores map[string]float64 }
	for body, to := range map[string]any{`{"row":{"height":1,"colour":"red"}}`: &filled,
		fmt.Sprintf(`{"row":[1,%v,"red"]}`, s.current.Load().file.Fill[1]): &given} {
		status, text := post(t, url+"/predict?scores=true", body)
		if err := json.Unmarshal([]byte(text), to); status != 200 || err != nil || !strings.Contains(text, `"scores":{"top":`) {
			t.Fatalf("%d %s", status, text)
		}
	}
	if filled.Scores["top"] != given.Scores["top"] {
		t.Errorf("%v, want %v", filled, given)
	}
	if status, text := post(t, url+"/update", `{"row":{"colour":"red"},"class":"top"}`); status != 200 || !strings.Contains(text, `"learned":1`) {
		t.Errorf("%d %s", status, text)
	}
	for _, row := range []string{"{}", "[null,null,null]", `{"height":null,"colour":"?"}`} {
		for path, class := range map[string]string{"/predict": "", "/update": `,"class":"top"`} {
			if status, text := post(t, url+path, `{"row":`+row+class+`}`); status != 400 || !strings.Contains(text, "every value is missing") {
				t.Errorf("%s %s: %d %s", path, row, status, text)
			}
		}
	}
	_, url = start(t, "online", table.MissingDrop)
	if status, text := post(t, url+"/predict", `{"row":{}}`); status != 200 || text != "{\"class\":null}\n" {
		t.Errorf("%d %s", status, text)
	}
	if status, text := post(t, url+"/predict?scores=true", `{"rows":[{"height":1},`+red+`]}`); status != 200 || !strings.HasPrefix(text, `{"predictions":[{"class":null},{"class":"top","scores":{"top":`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := post(t, url+"/update", `{"row":{"colour":"red"},"class":"top"}`); status != 400 || !strings.Contains(text, "a value is missing: the model leaves such rows out") {
		t.Errorf("%d %s", status, text)
	}
}

// TestIncomplete: an error names the missing column, also after columns of words.
func TestIncomplete(t *testing.T) {
	s := table.Schema{Missing: table.MissingError, Columns: []table.Column{columns[2], columns[0], columns[1]}}
	for want, row := range map[string][]any{"": {"red", 2.0, 3.0}, "colour": {nil, 2.0, 3.0}, "height": {"red", nil, 3.0}, "weight": {"red", 2.0, "NA"}} {
		lacks, err := s.Encoder(false).Encode(new(table.Vector), row)
		field := map[bool]string{true: "NA"}[want == "weight"]
		if (want == "") != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("column %q: %q: the value is missing; train with --missing mean, --missing drop or --drop %q", want, field, want)) || (lacks > 0) != (want != "") {
			t.Errorf("%v: %d, %v, want %s", row, lacks, err, want)
		}
	}
}

// TestUnknown: with --unknown none, a new word is none of the known ones.
func TestUnknown(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Unknown = "none"
	s := begin(t, c)
	if text := record(s, local("GET", "/openapi.yaml", "")).Body.String(); !strings.Contains(text, `"colour":{"type":["string","number"]}`) {
		t.Errorf("the description has no words that are not known: %s", text)
	}
	w := record(s, local("POST", "/predict", `{"row":[3,300,"green"]}`))
	if w.Code != 200 || w.Body.String() != "{\"class\":\"top\"}\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestNumbers: a number in a request names the class with the same spelling, or else the class with
// the same value.
func TestNumbers(t *testing.T) {
	st := &state{file: &modelfile.File{Details: modelfile.Details{Classes: []string{"1", "1.0", "20", "x"}}}}
	for number, want := range map[json.Number]int{"1": 0, "1.0": 1, "1.00": 0, "2e1": 2, "20.0": 2, "2": -1, "1e999": -1} {
		if i, err := st.place(number); i != want || (err == nil) != (want >= 0) {
			t.Errorf("%s: %d, %v, want %d", number, i, err, want)
		}
	}
}

// TestHost: a request for another host is refused, as is one from another site's page.
func TestHost(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Address, c.Host = "10.1.2.3:8080", []string{"models.example.com"}
	s := begin(t, c)
	for host, want := range map[string]int{"localhost": 200, "LOCALHOST:1": 200, "127.0.0.1:8080": 200, "[::1]:80": 200, "[::1]": 200, "::1": 200, "10.1.2.3": 200, "10.1.2.3:8080": 200,
		"models.example.com": 200, "Models.Example.com:443": 200,
		"evil.example": 421, "evil.example:8080": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421, "192.0.2.1:8080": 421, "": 421, ":8080": 421} {
		r := local("POST", "/predict", `{"row":`+red+`}`)
		r.Host = host
		if w := record(s, r); w.Code != want {
			t.Errorf("%q: %d %s, want %d", host, w.Code, w.Body, want)
		}
	}
	s.Address = ":8080" // all addresses: a request may name the one that it arrived at
	for address, want := range map[string]int{"192.0.2.7:8080": 200, "192.0.2.8:8080": 421} {
		r := local("GET", "/healthz", "")
		r.Host = address
		r = r.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 8080}))
		if w := record(s, r); w.Code != want {
			t.Errorf("%s: %d %s, want %d", address, w.Code, w.Body, want)
		}
	}
	foreign := local("POST", "/update", `{"row":`+red+`,"class":"low"}`)
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := record(s, foreign); w.Code != 403 || s.learned != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestLoad: many clients send examples at the same time, and some send bad requests.
// The model is the one that learned the rows in the order of the answers. Every model
// read in the meantime is valid, and every prediction is one of a whole state.
func TestLoad(t *testing.T) {
	s, url := start(t, "average", table.MissingError)
	s.Every = 50
	const clients, each = 8, 40
	examples := make([]string, clients*each+1) // in the order of learning
	var clientsDone, readersDone sync.WaitGroup
	done := make(chan struct{})
	var mu sync.Mutex
	for c := range clients {
		clientsDone.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 1))
			for i := range each {
				row, x := draw(r)
				sent := fmt.Sprintf(`{"row":%s,"class":%q}`, row, []string{"low", "top"}[class(x, 2)])
				status, text := post(t, url+"/update", sent)
				var a struct{ Learned, Saved int }
				if err := json.Unmarshal([]byte(text), &a); status != 200 || err != nil || a.Learned-a.Saved >= 50 {
					t.Errorf("%d %s %v", status, text, err)
					return
				}
				mu.Lock()
				examples[a.Learned] = sent
				mu.Unlock()
				if i%5 == 0 {
					if status, _ := post(t, url+"/update", sent[:len(sent)/2]); status != 400 {
						t.Errorf("half an example: %d", status)
					}
				}
			}
		})
	}
	for c := range 3 {
		readersDone.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 2))
			path := filepath.Join(t.TempDir(), "read")
			for {
				select {
				case <-done:
					return
				default:
				}
				row, _ := draw(r)
				if status, text := post(t, url+"/predict", `{"rows":[`+row+`,`+row+`]}`); status != 200 || strings.Count(text, "low")%2 != 0 {
					t.Errorf("%d %s", status, text)
				}
				if err := os.WriteFile(path, get(t, url+"/model"), 0o600); err != nil {
					t.Error(err)
				}
				if _, err := modelfile.Read(path); err != nil {
					t.Error(err)
				}
			}
		})
	}
	clientsDone.Wait()
	close(done)
	readersDone.Wait()
	again := begin(t, config(t, example(t, "average", table.MissingError)))
	for _, sent := range examples[1:] {
		q, err := decode([]byte(sent), true)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := again.learn(q, local("POST", "/update", "")); err != nil {
			t.Fatal(err)
		}
	}
	want, err := again.current.Load().file.Encode()
	if got := get(t, url+"/model"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the model differs from one that learned the same examples: %v", err)
	}
}

// TestReaders: readers get answers while the writer is busy.
func TestReaders(t *testing.T) {
	s, url := start(t, "online", table.MissingError)
	s.writer.Lock()
	defer s.writer.Unlock()
	if status, text := post(t, url+"/predict", `{"row":`+red+`}`); status != 200 || text != "{\"class\":\"top\"}\n" {
		t.Errorf("%d %s", status, text)
	}
	for _, path := range []string{"/model", "/metrics", "/openapi.yaml", "/readyz"} {
		get(t, url+path)
	}
}
