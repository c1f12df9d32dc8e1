package perceptron

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHostileValues puts values that mean mischief in the place of every value, in
// both forms, under a good checksum.
func TestHostileValues(t *testing.T) {
	values := strings.Fields(`0 -0 1 -1 2 3 0.5 5e-324 1.7976931348623157e+308 -1.7976931348623157e+308 2147483648 4294967296 9007199254740993
		4611686018427387904 9223372036854775807 -9223372036854775808 9223372036854775808 1e999 true null "" "0" "18446744073709551615" "Linear" "Pocket" "Sampled" "OnGradient" [] {} [[]]`)
	value := regexp.MustCompile(`(-?[0-9][-+.e0-9]*|"[^"]*"|true|false|\[\])[],}]`)
	for _, s := range seeds(t) {
		for _, at := range value.FindAllSubmatchIndex(s.text, -1) {
			for _, v := range values {
				text := fmt.Appendf(nil, "%s%s%s", s.text[:at[2]], v, s.text[at[3]:])
				hold(t, s.into, func(c coder) error { return c.UnmarshalBinary(sealed(text)) })
				hold(t, s.into, func(c coder) error { return c.UnmarshalJSON(text) })
				must(0, s.into.UnmarshalBinary(s.data))(t)
			}
		}
	}
}

// TestHostileState reads states that training cannot reach. Each replaces a part of
// the JSON of a trained model.
func TestHostileState(t *testing.T) {
	average, pocket := &Margin{Keep: Average, Threshold: 2}, &OneVsRest{Binary: &Online{Keep: Pocket, Order: Shuffled, Start: Hyperplane{[]float64{0, 0}, 0}}}
	linear, batch, empty := &Margin{Space: Linear}, new(Batch), new(Online)
	for _, m := range []model{average, pocket, linear, batch} {
		accept.of(t, m, xor.X[2:], xor.y[2:], "Fit")
	}
	must(empty.Learn(pairs(nil, nil)))(t)
	for _, c := range []struct {
		m             model
		old, new, err string
	}{
		{average, `"learned":{"rate":1`, `"learned":{"rate":0`, `rate: 0, want more than 0`},
		{average, `"learned":{"rate":1`, `"learned":{"rate":-1`, `rate: -1, want more than 0`},
		{linear, `"learned":{"rate":1,"space":"Linear","start":{"weights":[],"bias":0}`, `"learned":{"rate":1,"space":"Linear","start":{"weights":[],"bias":1}`, `start: Start.Bias is 1 in Linear space, want 0`},
		{pocket, `"start":{"weights":[0,0],"bias":0},"order":"Shuffled","keep":"Pocket","rule"`, `"start":{"weights":[0],"bias":0},"order":"Shuffled","keep":"Pocket","rule"`, `start: width 1, want 2`},
		{average, `"rule":"WithinTheta"`, `"rule":"OnMistake"`, `rule: OnMistake does not fit Margin`},
		{average, `"rule":"WithinTheta"`, `"rule":"WithinR"`, `bound: 2 does not fit the rule WithinR`},
		{average, `"bound":2`, `"bound":0`, `bound: 0 does not fit the rule WithinTheta`},
		{average, `"bound":2`, `"bound":-2`, `bound: -2 does not fit the rule WithinTheta`},
		{linear, `"bound":0`, `"bound":-2`, `bound: -2 does not fit the rule WithinR`},
		{linear, `"rule":"WithinR"`, `"rule":"OnMistake"`, `rule: OnMistake does not fit Margin`},
		{batch, `"rule":"OnGradient"`, `"rule":"OnMistake"`, `rule: OnMistake does not fit Batch`},
		{batch, `"order":"Cyclic"`, `"order":"Sampled"`, `rule: OnGradient with Order Sampled and Keep Last`},
		{batch, `"keep":"Last"`, `"keep":"Pocket"`, `rule: OnGradient with Order Cyclic and Keep Pocket`},
		{empty, `"rule":"OnMistake"`, `"rule":"OnGradient"`, `rule: OnGradient does not fit Online`},
		{average, `"width":2`, `"width":-1`, `width: -1, want at least 0`},
		{average, `"width":2`, `"width":3`, `hyperplanes[0].weights: 2 weights, want 3`},
		{average, `"width":2`, `"width":1000000000`, `hyperplanes[0].weights: 2 weights, want 1000000000`},
		{average, `"width":2`, `"width":0`, `hyperplanes: 1 hyperplanes, want 0`},
		{empty, `"width":0`, `"width":1`, `hyperplanes: 0 hyperplanes, want 1`},
		{pocket, `"width":2`, `"width":0`, `width: 0 with 2 hyperplanes`},
		{average, `"passes":`, `"passes":-`, `passes: -10, want at least 0`},
		{average, `"classes":[-1,1]`, `"classes":[1,-1]`, `classes: want -1 and 1, or for OneVsRest any that ascend`},
		{pocket, `"classes":[-1,1]`, `"classes":[1,-1]`, `classes: want -1 and 1, or for OneVsRest any that ascend`},
		{pocket, `"classes":[-1,1]`, `"classes":[1,1]`, `classes: want -1 and 1, or for OneVsRest any that ascend`},
		{pocket, `"classes":[-1,1]`, `"classes":[1]`, `hyperplanes: 2 hyperplanes, want 1`},
		{linear, `"r2":2`, `"r2":-2`, `hyperplanes[0].r2: -2, want at least 0`},
		{linear, `"r2":2`, `"r2":2,"iterate":{"weights":[1,1],"bias":0}`, `hyperplanes[0].iterate: does not fit Keep Last`},
		{linear, `"r2":2`, `"r2":2,"average":{"sum":{"weights":[],"bias":0},"low":{"weights":[],"bias":0},"count":0,"since":0}`, `hyperplanes[0].average: does not fit Keep Last`},
		{linear, `"r2":2`, `"r2":2,"pocket":{"length":0,"right":0,"run":0,"tried":true}`, `hyperplanes[0].pocket: does not fit Keep Last`},
		{average, `"iterate":{`, `"pocket":{"length":0,"right":0,"run":0,"tried":true},"iterate":{`, `hyperplanes[0].pocket: does not fit Keep Average`},
		{linear, `"bias":0,"r2"`, `"bias":1,"r2"`, `hyperplanes[0].bias: 1 in Linear space, want 0`},
		{average, `"iterate":{"weights":[`, `"iterate":{"weights":[0,`, `hyperplanes[0].iterate.weights: 3 weights, want 2`},
		{average, `"sum":{"weights":[`, `"sum":{"weights":[0,`, `hyperplanes[0].average.sum.weights: 3 weights, want 2`},
		{average, `"low":{"weights":[`, `"low":{"weights":[0,`, `hyperplanes[0].average.low.weights: 3 weights, want 2`},
		{average, `"count":16`, `"count":-16`, `hyperplanes[0].average.count: -16, want 0 to 2⁵³`},
		{average, `"count":16`, `"count":1e16`, `hyperplanes[0].average.count: 1e+16, want 0 to 2⁵³`},
		{average, `"since":4`, `"since":1.5`, `hyperplanes[0].average.since: 1.5, want an integer from 0 to 2⁵³`},
		{average, `"since":4`, `"since":-1`, `hyperplanes[0].average.since: -1, want an integer from 0 to 2⁵³`},
		{average, `"since":4`, `"since":1e16`, `hyperplanes[0].average.since: 1e+16, want an integer from 0 to 2⁵³`},
		{pocket, `"length":2`, `"length":-2`, `hyperplanes[0].pocket.length: -2, want 0 to 2⁵³`},
		{pocket, `"right":`, `"right":-`, `hyperplanes[0].pocket.right: -2, want at least 0`},
		{pocket, `"run":`, `"run":9007199254740993,"x":`, `hyperplanes[0].pocket: byte 581: unknown or duplicate field "x"`},
		{pocket, `"tried":true`, `"tried":null`, `hyperplanes[0].pocket.tried: byte 575: found null`},
		{pocket, `"tried":true`, `"tried":7`, `hyperplanes[0].pocket.tried: byte 572: cannot unmarshal number into Go value of type bool`},
		{pocket, `"tried":true`, `"tried":"true"`, `hyperplanes[0].pocket.tried: byte 577: cannot unmarshal string into Go value of type bool`},
	} {
		text := string(must(c.m.(coder).MarshalJSON())(t))
		if !strings.Contains(text, c.old) {
			t.Errorf("%s has no %s", text, c.old)
		}
		changed := []byte(strings.Replace(text, c.old, c.new, 1))
		into := trainedOther(t, c.m).(coder)
		refuse(t, c.new, into, into.UnmarshalJSON, changed, "learned."+c.err)
		refuse(t, c.new, into, into.UnmarshalBinary, sealed(changed), "")
	}
}

// limits are the largest counts that are accepted.
var limits = []struct {
	name  string
	limit uint64
	keep  Keep
}{
	{"passes", math.MaxInt, Last}, {"count", 1 << 53, Average}, {"since", 1 << 53, Average}, {"length", 1 << 53, Pocket}, {"run", 1 << 53, Pocket},
}

// atLimit returns the JSON of a trained model with a count set.
func atLimit(t *testing.T, m model, name string, n uint64) []byte {
	t.Helper()
	text := must(m.(coder).MarshalJSON())(t)
	field := regexp.MustCompile(`"` + name + `":[0-9.]+`)
	if !field.Match(text) {
		t.Fatalf("no %s in %s", name, text)
	}
	return field.ReplaceAll(text, fmt.Appendf(nil, `"%s":%d`, name, n))
}

// TestLimits checks that counts are accepted up to their limits, and rejected above.
// Whatever a model at its limits learns then, it can still be saved and loaded.
func TestLimits(t *testing.T) {
	set := noisy(3, 20, 2)
	path := filepath.Join(t.TempDir(), "model")
	for _, c := range limits {
		for _, m := range []model{&Online{Keep: c.keep}, &OneVsRest{Binary: &Margin{Keep: c.keep}}} {
			accept.of(t, m, set.X, set.y, "Fit")
			above := c.limit + 2 // 2⁵³+1 is no float64
			refuse(t, c.name, m.(coder), m.(coder).UnmarshalJSON, atLimit(t, m, c.name, above), "")
			must(0, m.(coder).UnmarshalJSON(atLimit(t, m, c.name, c.limit)))(t)
			for _, method := range []string{"Update", "Learn", "Epochs", "Update"} {
				accept.of(t, m, set.X, set.y, method)
				must(0, Save(path, m))(t)
				loaded := must(Load(path))(t).(model)
				if snapshot(loaded) != snapshot(m) {
					t.Errorf("%s at its limit, %s: loaded\n%s, want\n%s", c.name, method, snapshot(loaded), snapshot(m))
				}
				if n := m.engine().now.passes; c.name == "passes" && n != math.MaxInt {
					t.Errorf("%s: %d passes", method, n)
				}
			}
		}
	}
}

// TestLimitsMixed checks that mixing models at their limits gives one that can be
// saved and loaded.
func TestLimitsMixed(t *testing.T) {
	var m [2]Online
	for i := range m {
		m[i].Keep = Average
		accept.of(t, &m[i], xor.X, xor.y, "Learn")
		must(0, m[i].UnmarshalJSON(atLimit(t, &m[i], "count", 1<<53)))(t)
		must(0, m[i].UnmarshalJSON(atLimit(t, &m[i], "since", 1<<53)))(t)
	}
	mixed := must(Mix([]*Online{&m[0], &m[1]}, nil))(t)
	must(0, new(Online).UnmarshalBinary(must(mixed.MarshalBinary())(t)))(t)
}
