package main

import (
	"cmp"
	"os"
	"strconv"
	"strings"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
)

// Weights of up to leastMemory MiB are accepted, whatever --memory says. If the training takes at
// least muchMemory MiB, the program prints how many.
const leastMemory, muchMemory = 64, 16

// mostTried is the most rows on which waves are tried beside straight borders, drawn from more: it takes many times as
// long as to train with straight ones.
const mostTried = 50_000

// weights returns an estimate, in MiB, of the memory for the weights: the iterate, the sums of the
// average, and the planes that predict.
func (c *trainCmd) weights(d *dataset) float64 {
	planes := len(d.Classes)
	if algorithm, _ := c.kind(planes); d.Model == nil && algorithm != "multiclass" && algorithm != "onevsrest" || modelfile.IsTwo(d.Model) {
		planes = 1
	}
	all := float64(planes) * float64(d.Schema.Features()+d.Waves.Count+1)
	if d.Schema.Sparse { // an update adds weights only for the row's features; two classes are assumed
		values := float64(d.bytes-rowHead*(d.rows[split.Training]+d.rows[split.HeldOut])) / 12
		return (min(all, 2*float64(c.Epochs)*values+float64(planes))*4*20 + all*2*8) / (1 << 20)
	}
	return all * 6 * 8 / (1 << 20)
}

// machineMemory returns the memory of the machine or of the container, in MiB.
func machineMemory() int {
	mib := 0
	for path, unit := range map[string]int{"/proc/meminfo": 1 << 10, "/sys/fs/cgroup/memory.max": 1 << 20} {
		text, _ := os.ReadFile(path)
		fields := strings.Fields(strings.TrimPrefix(string(text), "MemTotal:"))
		if n, err := strconv.Atoi(strings.Join(fields[:min(1, len(fields))], "")); err == nil {
			mib = min(n/unit, cmp.Or(mib, n/unit))
		}
	}
	return cmp.Or(mib, 2048) // the default for systems without these files
}
