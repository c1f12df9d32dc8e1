package modelfile

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"perceptron"
)

// A model of sparse rows is saved as the library's binary form in two parts, each compressed. The
// first part has the head and the weights that predict. The second part has everything else, which
// only further training needs. Most weights are 0 and are left out. ReadPredictor decompresses only
// the first part.

// The binary form has frameHeader bytes before the length of the head, and frameSum bytes after the
// vectors: see docs/format.md.
const frameHeader, frameSum = 8 + 4 + 8, 4

var errPacked = errors.New("the model is damaged")

// pack returns the two compressed parts of a binary form, one after the other.
func pack(frame []byte) ([]byte, error) {
	body := frame[frameHeader : len(frame)-frameSum]
	head, all, err := divide(body)
	if err != nil {
		return nil, err
	}
	classes, err := classesOf(head)
	if err != nil {
		return nil, err
	}
	first, rest := slices.Clone(body[:8+len(head)]), slices.Clone(frame[:frameHeader])
	for i, v := range all {
		if i%(len(all)/len(classes)) == 0 { // the first vector of each class has the weights that predict
			first = append(first, v...)
		} else {
			rest = append(rest, v...)
		}
	}
	var to bytes.Buffer
	for _, part := range [][]byte{first, append(rest, frame[len(frame)-frameSum:]...)} {
		w, _ := flate.NewWriter(&to, 3) // higher levels save little room, and take more time
		w.Write(part)
		w.Close()
	}
	return to.Bytes(), nil
}

// unpack is the inverse of pack.
func unpack(model []byte) (frame []byte, err error) {
	in := bytes.NewReader(model)
	first, err := inflate(in, len(model))
	rest, also := inflate(in, len(model))
	if err != nil || also != nil || in.Len() > 0 || len(rest) < frameHeader+frameSum {
		return nil, errPacked
	}
	end := len(rest) - frameSum
	head, weights, err := divide(first)
	others, also := vectors(rest[frameHeader:end])
	if err != nil || also != nil || len(weights) == 0 {
		return nil, errPacked
	}
	frame, each := slices.Concat(rest[:frameHeader], first[:8+len(head)]), len(others)/len(weights)
	for i, w := range weights {
		frame = slices.Concat(append(frame, w...), slices.Concat(others[i*each:(i+1)*each]...))
	}
	return append(frame, rest[end:]...), nil
}

// most returns the most bytes that a file of a size may take in memory: enough for every model that the command
// has trained, and too little to hurt a service.
func most(size int) int { return 30*size + 64<<20 }

// inflate decompresses a part of a model of a size.
func inflate(in *bytes.Reader, size int) ([]byte, error) {
	all, err := io.ReadAll(io.LimitReader(flate.NewReader(in), int64(most(size))+1))
	if err == nil && len(all) > most(size) {
		err = errPacked
	}
	return all, err
}

// divide returns the head of a body, and the bytes of each vector. A body begins with the length of
// the head.
func divide(body []byte) (head []byte, all [][]byte, err error) {
	if len(body) < 8 || binary.LittleEndian.Uint64(body) > uint64(len(body)-8) {
		return nil, nil, errPacked
	}
	end := 8 + binary.LittleEndian.Uint64(body)
	all, err = vectors(body[end:])
	return body[8:end], all, err
}

// vectors returns the bytes of each vector. A vector has its length, the number of elements that
// follow, the indexes of these elements unless all elements follow, and their values.
func vectors(b []byte) (all [][]byte, err error) {
	for len(b) > 0 {
		n, k := lengths(b)
		size := 16 + 8*k
		if k < n {
			size += 4 * k
		}
		if k > n || k > uint64(len(b)) || size > uint64(len(b)) {
			return nil, errPacked
		}
		all, b = append(all, b[:size]), b[size:]
	}
	return all, nil
}

// lengths returns the length n of a vector, and the number k of its elements that follow. If b has too
// few bytes, k is more than n.
func lengths(b []byte) (n, k uint64) {
	if len(b) < 16 {
		return 0, 1
	}
	return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
}

// classesOf returns the class of each hyperplane.
func classesOf(head []byte) (classes []int, err error) {
	var form struct{ Learned struct{ Classes []int } }
	if err := json.Unmarshal(head, &form); err != nil {
		return nil, err
	}
	switch classes = form.Learned.Classes; len(classes) {
	case 0:
		return nil, errPacked
	case 1: // a binary model, whose only plane has the index 0 here
		return []int{0}, nil
	}
	return classes, nil
}

// readPlanes reads the hyperplanes for raw rows from the first part of a model.
func (f *File) readPlanes(model []byte) error {
	first, err := inflate(bytes.NewReader(model), len(model))
	if err != nil {
		return errPacked
	}
	head, weights, err := divide(first)
	if err != nil {
		return err
	}
	f.planes = &perceptron.Hyperplanes{}
	if f.planes.Classes, err = classesOf(head); err != nil || len(weights) != len(f.planes.Classes) {
		return errPacked
	}
	d := f.Schema.Features()
	// Most pages of these vectors are never written, so that a model of many classes may take more than most.
	if mib := 8 * float64(d+1) * float64(len(weights)) / (1 << 20); mib > float64(1000*len(model))/(1<<20)+64 {
		return fmt.Errorf("%d features and %d classes take %.0f MiB, too much for a model of %d bytes", d, len(weights), mib, len(model))
	}
	if _, err := f.Scaling.Unscale(perceptron.Hyperplane{Weights: make([]float64, d)}); err != nil { // Unscale validates the scales
		return err
	}
	for _, v := range weights {
		n, k := lengths(v)
		h := perceptron.Hyperplane{Weights: make([]float64, d)} // pages of zeros take no memory until a weight is written
		values := v[uint64(len(v))-8*k:]
		for i := range k {
			j, x := i, math.Float64frombits(binary.LittleEndian.Uint64(values[8*i:]))
			if k < n {
				j = uint64(binary.LittleEndian.Uint32(v[16+4*i:]))
			}
			if j < uint64(d) && f.Scaling.Scale != nil {
				x /= f.Scaling.Scale[j]
			}
			switch {
			case n != uint64(d)+1 || j > uint64(d) || math.IsNaN(x) || math.IsInf(x, 0):
				return errPacked
			case j == uint64(d): // the last element is the bias
				h.Bias = x
			default:
				h.Weights[j] = x
			}
		}
		f.planes.Planes = append(f.planes.Planes, h)
	}
	return nil
}
