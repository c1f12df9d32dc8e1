package split

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// assigned returns the part of each row.
func assigned(d Division, classes string) string {
	rows := d.Divider()
	var parts strings.Builder
	for _, class := range classes {
		fmt.Fprint(&parts, int(rows.Part(string(class), "")))
	}
	return parts.String()
}

// letters returns n random classes: a more often than b, and b more often than c.
func letters(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for range n {
		text.WriteByte("aaaaaaabbc"[r.IntN(10)])
	}
	return text.String()
}

// TestStratified: the same share of each class is held out, to a row or two. The seed
// determines which rows.
func TestStratified(t *testing.T) {
	classes := letters(2000)
	for _, share := range []float64{0.001, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 0.99} {
		got := assigned(Division{Share: share, Seed: 1}, classes)
		for _, class := range "abc" {
			n, held := 0, 0
			for i, c := range classes {
				if c == class {
					n++
					held += int(got[i] - '0')
				}
			}
			if want := share * float64(n); math.Abs(float64(held)-want) > 1.5 {
				t.Errorf("share %v: %d rows of class %c held out, want about %v", share, held, class, want)
			}
		}
		if got != assigned(Division{Share: share, Seed: 1}, classes) || got == assigned(Division{Share: share, Seed: 2}, classes) {
			t.Errorf("share %v: the seed does not determine the rows", share)
		}
	}
	// A share of next to nothing holds out next to nothing, and takes no more memory.
	if strings.Contains(assigned(Division{Share: 1e-12}, classes), "1") {
		t.Error("share 1e-12 holds out one of 2000 rows")
	}
	if strings.Contains(assigned(Division{}, classes), "1") {
		t.Error("share 0 holds out rows")
	}
}

// TestRandom: within a block every row is held out equally often.
func TestRandom(t *testing.T) {
	got := assigned(Division{Share: 0.2, Seed: 3}, strings.Repeat("a", 50_000))
	var at [5]int
	for i, c := range got {
		at[i%5] += int(c - '0')
	}
	for k, n := range at {
		if math.Abs(float64(n)-2000) > 5*math.Sqrt(10_000*0.2*0.8) {
			t.Errorf("row %d of its block is held out %d times of 10000, want about 2000", k, n)
		}
	}
}

// TestFolds: each row is in exactly one fold. Each fold has an equal share of each class.
func TestFolds(t *testing.T) {
	classes := letters(1000)
	folds := make([]string, 5)
	for k := range folds {
		folds[k] = assigned(Division{Folds: 5, Fold: k, Seed: 9}, classes)
	}
	for i := range classes {
		n := 0
		for _, f := range folds {
			n += int(f[i] - '0')
		}
		if n != 1 {
			t.Fatalf("row %d is in %d folds", i, n)
		}
	}
	for _, class := range "abc" {
		want := float64(strings.Count(classes, string(class))) / 5
		for k, f := range folds {
			n := 0
			for i, c := range classes {
				if c == class {
					n += int(f[i] - '0')
				}
			}
			if math.Abs(float64(n)-want) >= 1 {
				t.Errorf("fold %d has %d rows of class %c, want %v", k, n, class, want)
			}
		}
	}
}

// TestWithin: folds of the training rows of a fold leave out that fold, and each other row is in exactly one of them.
func TestWithin(t *testing.T) {
	classes := letters(1000)
	outer := Division{Folds: 4, Fold: 2, Seed: 9}
	held := assigned(outer, classes)
	n := make([]int, len(classes))
	for k := range 5 {
		inner := Division{Folds: 5, Fold: k, Seed: 9, Within: &outer}.Divider()
		for i, c := range classes {
			switch part := inner.Part(string(c), ""); {
			case (part == Neither) != (held[i] == '1'):
				t.Fatalf("row %d of fold %d is in part %d", i, k, part)
			case part == HeldOut:
				n[i]++
			}
		}
	}
	for i, n := range n {
		if n != map[bool]int{true: 0, false: 1}[held[i] == '1'] {
			t.Fatalf("row %d is in %d folds", i, n)
		}
	}
}

// TestOrdered: the last rows of each class are held out, folds are consecutive parts, and a group is never divided.
func TestOrdered(t *testing.T) {
	const classes = "abaabbaaab" // six times a, four times b
	if got := assigned(Division{Share: 0.3, First: map[string]int{"a": 4, "b": 3}}, classes); got != "0000000111" {
		t.Error(got)
	}
	for fold, want := range []string{"1110100000", "0001011000", "0000000111"} { // a: 0 1 | 2 3 | 4 5; b: 0 1 | 2 | 3
		if got := assigned(Division{Folds: 3, Fold: fold, Rows: map[string]int{"a": 6, "b": 4}}, classes); got != want {
			t.Errorf("fold %d: %s, want %s", fold, got, want)
		}
	}
	all := letters(1000)
	counts := map[string]int{}
	for _, c := range all {
		counts[string(c)]++
	}
	held := make([]int, len(all))
	for fold := range 5 {
		last := map[rune]int{}
		for i, part := range assigned(Division{Folds: 5, Fold: fold, Rows: counts}, all) {
			if c := rune(all[i]); part == '1' {
				held[i]++
				if last[c] < 0 {
					t.Fatalf("fold %d: class %c is not consecutive", fold, c)
				}
				last[c] = 1
			} else if last[c] > 0 {
				last[c] = -1
			}
		}
	}
	for i, n := range held {
		if n != 1 {
			t.Fatalf("row %d is held out in %d folds", i, n)
		}
	}
	// Groups of five rows, of 40, within a division and without.
	outer := Division{Share: 0.25, Seed: 3, Grouped: true}
	for _, d := range []Division{outer, {Folds: 4, Fold: 1, Seed: 3, Grouped: true, Within: &outer}, {Share: 0.5, Seed: 3, Grouped: true, Within: &outer}} {
		rows, parts, n := d.Divider(), map[string]Part{}, map[Part]int{}
		for i := range 200 {
			group := fmt.Sprint(i * 7 % 40)
			part := rows.Part(string(all[i]), group)
			if known, ok := parts[group]; ok && known != part {
				t.Fatalf("%+v: group %s is divided", d, group)
			}
			parts[group] = part
			n[part]++
		}
		if want := map[int]int{0: 50, 4: 40}[d.Folds]; d.Within == nil && n[HeldOut] != 50 || d.Folds == 4 && (n[HeldOut] < want-10 || n[HeldOut] > want || n[Neither] != 50) {
			t.Errorf("%+v: %v", d, n)
		}
	}
	// A part of the rows is drawn within those to train on.
	outer = Division{Share: 0.2, Seed: 3}
	n := map[Part]int{}
	for rows, i := (Division{Share: 0.75, Seed: 3, Within: &outer}).Divider(), 0; i < 1000; i++ {
		n[rows.Part("a", "")]++
	}
	if n[Neither] != 200 || n[Training] < 195 || n[Training] > 205 {
		t.Error(n)
	}
}
