package perceptron

import (
	"math"
	"testing"
)

// FuzzSeparate separates rows of any bits and shapes. Verify, which shares no code
// with the search, must find every claim of an answer to be true; only what is no
// data may be an error.
func FuzzSeparate(f *testing.F) {
	f.Add(uint8(0), uint8(2), raw(1, 3, 2, 5, 4, 1, 6, 2))
	f.Add(uint8(1), uint8(2), raw(0, 0, 1, 2, -1, 2))
	f.Add(uint8(0), uint8(1), raw(0, 1, 1, 0))
	f.Add(uint8(3), uint8(2), raw(1, 1, 1, 1, -1, -1, 1, 1))
	f.Add(uint8(1), uint8(1), raw(1e300, 1e-300))
	f.Add(uint8(1), uint8(3), raw(5e-324, 0, 0, 0, 5e-324, 0, 0, 0, 5e-324))
	f.Add(uint8(2), uint8(2), raw(1e8, 1, 1e-8, 1, -1e8, 3, 1, -1e-8))
	f.Add(uint8(1), uint8(2), raw(math.MaxFloat64, 1, -math.MaxFloat64, 1))
	f.Add(uint8(2), uint8(0), raw(1e300, -1e300, 2e300))
	f.Add(uint8(0), uint8(0), raw(1e300, -1e300))
	f.Add(uint8(0), uint8(1), raw(math.NaN(), inf, 1))
	f.Add(uint8(5), uint8(4), raw(0, 0, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, kind, width uint8, data []byte) {
		var set dataset
		n := 1 + int(width%8)
		for v := floats(data); len(v) >= n; v = v[n:] {
			set.X, set.y = append(set.X, v[:n]), append(set.y, 1-2*(len(set.X)*int(kind)/2%2))
		}
		s := Space(kind % 2)
		sep, err := Separate(set.X, set.y, s)
		if err != nil {
			if _, known := Radius(set.X, s); known == nil {
				t.Fatalf("%v, though the rows are rows", err)
			}
			return
		}
		if err := sep.Verify(set.X, set.y); err != nil {
			t.Fatalf("%v\n%+v\nof %v, %v", err, sep, set.X, set.y)
		}
	})
}
