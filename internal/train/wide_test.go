package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// wide is the largest width of sparse rows.
const wide = min(math.MaxUint32, math.MaxInt-1)

// wideRow returns a row of z non-zeros whose values are v.
func wideRow(r *rand.Rand, z int, v float64) vec.Row {
	x := vec.Row{Index: []uint32{}, Width: wide}
	for k := range z {
		x.Index, x.Value = append(x.Index, uint32(k*(wide/z)+r.IntN(wide/z))), append(x.Value, v)
	}
	return x
}

// TestWideMemory: a model of the largest width needs memory for the features that updates have touched,
// and for nothing else: not for rows that are refused, nor for dense rows of another width, nor to save,
// load, copy and mix.
func TestWideMemory(t *testing.T) {
	for keep := range KeepNames {
		for _, kind := range []Config{{}, {Rival: &rivalRule}} {
			kind.Keep = Keep(keep)
			r, m := rand.New(rand.NewPCG(67, 4)), newModel(kind)
			update := func(m *model, x vec.Row, label int) error {
				_, err := m.Engine.Update(&m.Config, &m.Start, &x, label)
				return err
			}
			check := func(what string, most uint64, f func() error) {
				t.Helper()
				var err error
				if n, _ := naive.Allocated(func() { err = f() }); n > most || err != nil {
					t.Errorf("keep %d, %s: %d bytes allocated, want at most %d; error %v", keep, what, n, most, err)
				}
			}
			const MiB = 1 << 20
			check("Update", 16*MiB, func() error { // 20 kB of features in each plane
				for i := range 200 {
					if err := update(m, wideRow(r, 50, 1), 1-i%2*2); err != nil {
						return err
					}
				}
				return nil
			})
			before := snapshot(m)
			// Each error takes 100 bytes, or twice as many under the race detector.
			check("refused rows", 16*MiB, func() error {
				x, huge := wideRow(r, 40, math.NaN()), wideRow(r, 40, 1e308)
				for i := range 65536 {
					x.Index[39] = uint32(wide - 1 - i)
					if update(m, x, 1-i%2*2) == nil {
						return fmt.Errorf("NaN is learned")
					}
					if huge.Index[39] = x.Index[39]; i%64 == 0 {
						_ = update(m, vec.Row{Index: huge.Index, Value: []float64{1}, Width: wide}, 1)
					}
				}
				return nil
			})
			check("reads", MiB/2, func() error {
				for range 100 {
					x := wideRow(r, 10, 1)
					if _, err := m.SparseLabel(x.Index, x.Value); err != nil {
						return err
					}
				}
				if m.Labeler()(make([]int, 1), [][]float64{{1, 2}}) > 0 {
					return fmt.Errorf("a row of another width has a label")
				}
				if _, err := m.Reader(2); err == nil {
					return fmt.Errorf("a row of another width is read")
				}
				if _, err := m.Update([]float64{1, 2}, 1); err == nil {
					return fmt.Errorf("a row of another width is learned")
				}
				return nil
			})
			var copied *model
			check("Clone", 4*MiB, func() error { copied = m.Clone(); return nil })
			check("State and Restore", 32*MiB, func() error {
				c, start, s := m.State()
				return new(Engine).Restore(c, &start, s)
			})
			check("Mix", 32*MiB, func() error {
				_, err := mixed(m, copied)
				if keep == int(Pocket) && err != nil {
					return nil // it cannot be mixed
				}
				return err
			})
			check("a Mix that is refused", MiB, func() error {
				other := newModel(kind)
				other.Rule = WithinR
				x := wideRow(r, 5, 1)
				if err := update(other, x, 1); err != nil {
					return err
				}
				if _, err := mixed(m, other); err == nil {
					return fmt.Errorf("models of two rules are mixed")
				}
				return nil
			})
			if snapshot(m) != before {
				t.Error("refused rows and reads have changed the model")
			}
		}
	}
}
