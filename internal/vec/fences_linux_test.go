package vec

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// fenced returns n float64s that end, or begin, at an inaccessible page.
func fenced(t *testing.T, n int, end bool) []float64 {
	page := syscall.Getpagesize()
	room := (8*n + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, room+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(memory) })
	for _, fence := range [][]byte{memory[:page], memory[page+room:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	from := page
	if end {
		from += room - 8*n
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&memory[from])), n)
}

// part returns the n elements of v that end, or begin, at a fence.
func part[T any](v []T, n int, end bool) []T {
	if end {
		return v[len(v)-n:]
	}
	return v[:n]
}

// TestFences: no kernel touches memory before or behind its slices. A kernel that did would crash.
func TestFences(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		const most = 300
		for _, end := range []bool{false, true} {
			var v [9][]float64
			for i := range v {
				v[i] = fenced(t, most, end)
				for j := range v[i] {
					v[i][j] = float64(i + j%7 - 3)
				}
			}
			for n := range most + 1 {
				var w [9][]float64
				for i := range v {
					w[i] = part(v[i], n, end)
				}
				if got, want := dotFetch(w[0], w[1], w[2]), naiveDot(w[0], w[1]); got != want {
					t.Fatalf("n = %d: dot = %v, want %v", n, got, want)
				}
				var b block
				x := (*[blockRows][]float64)(w[:])
				for k := 1; k <= 5; k++ {
					b.load(w[blockRows : blockRows+k])
					got := b.dots(x, (*[blockRows][]float64)(w[1:]))
					for i, p := range got {
						if want := naiveDot(x[i%blockRows], w[blockRows+i/blockRows]); p != want {
							t.Fatalf("n = %d: product %d with %d vectors is %v, want %v", n, i, k, p, want)
						}
					}
				}
				if !Axpy(w[0], w[1], 2, w[2]) || !Accumulate(w[0], w[1], w[2], w[3], 2, w[4], w[5]) {
					t.Fatalf("n = %d: Axpy or Accumulate reports a non-finite element", n)
				}
			}
		}
	})
}

// TestClassesFences: no kernel touches memory around the row, the vectors or the scores.
func TestClassesFences(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		const mostK, mostD = 20, 100
		for _, end := range []bool{false, true} {
			var v [3][]float64
			for i := range v {
				v[i] = fenced(t, (mostK+8)*(mostD+1), end)
				for j := range v[i] {
					v[i][j] = float64(i + j%7 - 3)
				}
			}
			for k := 1; k <= mostK; k++ {
				for d := range mostD {
					var c Classes
					c.Reset(slices.Repeat([]int{7}, k), d)
					c.w = part(v[0], len(c.w), end) // the last group may have elements of no vector
					c.scores = part(v[1], len(c.scores), end)
					x, want := part(v[2], d, end), make([]float64, k)
					for i := range want {
						vector := slices.Repeat([]float64{float64(i + 1), 2}, d+1)[:d+1]
						c.Set(i, vector)
						want[i] = naiveDot(vector[:d], x) + vector[d]
					}
					c.Scan(&Lesson{X: [][]float64{x}, Y: []int{7}, Fetch: true}, 0, 1)
					if got := c.scores[:k]; !slices.Equal(got, want) {
						t.Fatalf("%d vectors of %d elements: %v, want %v", k, d, got, want)
					}
					if k == 1 && d > 0 {
						w := append(part(v[0], d+1, end)[:0], slices.Repeat([]float64{1, 2}, d+1)[:d+1]...)
						l := Lesson{X: [][]float64{x}, Y: []int{-1}, Rate: 1, Fetch: true}
						if r := l.Learn(w, -1, 0, 1, 0); r.Score != want[0] {
							t.Fatalf("%d elements: Learn's score %v, want %v", d, r.Score, want[0])
						}
					}
				}
			}
		}
	})
}

// TestLessonFences: no kernel touches memory around the rows' slices, their labels or their order.
func TestLessonFences(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		const n, most = 80, 36
		for _, end := range []bool{false, true} {
			slots, labels, order := fenced(t, 3*n, end), fenced(t, n, end), fenced(t, n, end)
			for d := 1; d < most; d++ {
				l := Lesson{
					X: unsafe.Slice((*[]float64)(unsafe.Pointer(&slots[0])), n),
					Y: unsafe.Slice((*int)(unsafe.Pointer(&labels[0])), n),
				}
				row := slices.Repeat([]float64{1}, d)
				for i := range n {
					l.X[i], l.Y[i] = row, 7
				}
				for _, ordered := range []bool{false, true} {
					if ordered {
						l.Order = unsafe.Slice((*int)(unsafe.Pointer(&order[0])), n)
						for i := range n {
							l.Order[i] = n - 1 - i
						}
					}
					for _, l.Fetch = range []bool{false, true} {
						if r := l.Learn(slices.Repeat([]float64{1}, d+1), 7, 0, n, 0); r.Next != n {
							t.Fatalf("%d elements: Learn stopped at %d", d, r.Next)
						}
						for _, k := range []int{3, 9} {
							var c Classes
							c.Reset([]int{7, 8, 9, 10, 11, 12, 13, 14, 15}[:k], d)
							for i := range k {
								c.Set(i, make([]float64, d+1))
							}
							c.Set(0, slices.Repeat([]float64{1}, d+1))
							if next := c.Scan(&l, 0, n); next != n {
								t.Fatalf("%d classes, %d elements: Scan stopped at %d", k, d, next)
							}
						}
					}
				}
				runtime.KeepAlive(row) // the collector does not look into the slots
			}
		}
	})
}
