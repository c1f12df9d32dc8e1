package pipeline

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"perceptron"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/pipeline/report"
)

// fit trains until the library stops, --patience ends the training, or the context is done and the current
// epoch is finished. With --patience, d.Model is then the model of the best epoch. If fit returns
// an interruption, d and the run are as after a training of fewer epochs.
func (t *trainer) fit(d *dataset.Dataset) (run report.Run, err error) {
	// now.Model is trained. d.Model is the model to save: with --patience the best model so far, else
	// now.Model. now has its own File, so that the two models can differ. now and d share the rows.
	now, file, s, least := *d, *d.File, modelfile.SettingsOf(d.Model), math.Inf(1)
	now.File = &file
	t.say(Progress{Stage: "training", Total: int64(t.Epochs)})
	defer t.say(Progress{Stage: "training", Ended: true})
	defer func(begin time.Time) { run.Seconds = time.Since(begin).Seconds() }(time.Now())
	*s.Epochs = t.Epochs
	// A continued training begins with the saved model as its best. So if patience ends it, a
	// training that was interrupted and continued gives the same model as an uninterrupted one.
	if t.Patience > 0 && t.Model != nil {
		share, err := wrong(&now)
		if err != nil {
			return run, err
		}
		least, d.Model = *share, modelfile.Clone(now.Model)
	}
	// Predicting the rows held out takes time, so this is done only if a flag needs their error.
	measured := (t.Patience > 0 || t.Curves) && d.Rows[split.HeldOut] > 0
	for e, err := range epochs(&now, t.Epochs) {
		if err != nil {
			return run, now.Blame(err, split.Training)
		}
		last := add(&run, e, s.Mistakes)
		t.say(Progress{Stage: "training", Done: int64(run.Epochs), Total: int64(t.Epochs), Epoch: *last})
		if measured {
			if last.HeldOut, err = wrong(&now); err != nil {
				return run, err
			}
		}
		if t.Patience > 0 {
			run.BestEpoch = cmp.Or(run.BestEpoch, e.N-1) // at first the last epoch of the saved model
		}
		// Of epochs with equal errors, the first is best, because it needs the least training.
		if t.Patience > 0 && *last.HeldOut < least {
			least, run.BestEpoch, d.Model = *last.HeldOut, e.N, modelfile.Clone(now.Model)
		}
		if t.Checkpoint > 0 && run.Epochs%t.Checkpoint == 0 {
			p, err := trained(d.File.Copy()) // nothing changes it when the training goes on
			if err = cmp.Or(err, t.save(p)); err != nil {
				return run, err
			}
		}
		// A training that the library ends in this epoch does not count as interrupted.
		if e.Stop == perceptron.Running && t.alive() != nil {
			run.Stop = "Interrupted"
			return run, t.alive()
		}
		if e.Stop == perceptron.Running && t.Patience > 0 && e.N-run.BestEpoch >= t.Patience {
			run.Stop = "Patience"
			break
		}
	}
	return run, nil
}

// wrong returns the share of the rows held out that the model predicts wrong. It uses the model
// and not a Predictor, because the rows are scaled already.
func wrong(d *dataset.Dataset) (*float64, error) {
	var failed error
	wrong, rows := 0, 0
	for x, label := range d.Examples(split.HeldOut, &failed) {
		predicted, err := predict(d, x)
		if err != nil {
			return nil, d.Blame(&perceptron.ExampleError{Index: rows, Err: err}, split.HeldOut)
		}
		rows++
		if predicted != label {
			wrong++
		}
	}
	return number(float64(wrong) / float64(d.Rows[split.HeldOut])), failed
}

// epochs trains for at most limit further epochs and yields each result. If the rows are not in
// memory, it reads them from a file in each epoch. It then stops after an epoch without an update,
// as the library does, but never with Cycled.
//
// The time for a dense row depends on the number of features, and the time for a sparse row on the number
// of its non-zeros. The last bits of the two models may differ, because their sums have other orders.
func epochs(d *dataset.Dataset, limit int) iter.Seq2[perceptron.Epoch, error] {
	switch {
	case d.Loaded && d.Schema.Sparse:
		return d.Sparse().Epochs(d.NonZeros[split.Training], d.Y[split.Training])
	case d.Loaded:
		return d.Model.(interface { // all models are
			Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
		}).Epochs(d.X[split.Training], d.Y[split.Training])
	}
	// prepare has refused the models that cannot learn from a stream.
	return func(yield func(perceptron.Epoch, error) bool) {
		for n := 1; ; n++ {
			var failed error
			e, err := learn(d, d.Examples(split.Training, &failed))
			switch {
			case failed != nil:
				err = failed
			case e.Mistakes == 0:
				e.Stop = perceptron.Converged
			case n == limit:
				e.Stop = perceptron.EpochLimit
			}
			if !yield(e, err) || err != nil || e.Stop != perceptron.Running {
				return
			}
		}
	}
}

// learn makes one pass over a stream.
func learn(d *dataset.Dataset, rows iter.Seq2[perceptron.Sparse, int]) (perceptron.Epoch, error) {
	if d.Schema.Sparse {
		return d.Sparse().Learn(rows)
	}
	return d.Model.(perceptron.Learner).Learn(func(yield func(x []float64, label int) bool) {
		rows(func(x perceptron.Sparse, label int) bool { return yield(x.Value, label) })
	})
}

// predict predicts a scaled row.
func predict(d *dataset.Dataset, x perceptron.Sparse) (int, error) {
	if d.Schema.Sparse {
		return d.Sparse().Predict(x)
	}
	return d.Model.Predict(x.Value)
}

// Weights of up to leastMemory MiB are accepted, whatever --memory says. If the training takes at
// least muchMemory MiB, the program prints how many.
const leastMemory, muchMemory = 64, 16

// mostTried is the most rows on which waves are tried beside straight borders, drawn from more: it takes many times as
// long as to train with straight ones.
const mostTried = 50_000

// weights returns an estimate, in MiB, of the memory for the weights: the iterate, the sums of the
// average, and the planes that predict.
func (t *trainer) weights(d *dataset.Dataset) float64 {
	planes := len(d.Classes)
	if algorithm, _ := t.kind(planes); d.Model == nil && algorithm != "multiclass" && algorithm != "onevsrest" || modelfile.IsTwo(d.Model) {
		planes = 1
	}
	all := float64(planes) * float64(d.Schema.Features()+d.Waves.Count+1)
	if d.Schema.Sparse { // an update adds weights only for the row's features; two classes are assumed
		values := float64(d.Bytes-dataset.RowHead*(d.Rows[split.Training]+d.Rows[split.HeldOut])) / 12
		return (min(all, 2*float64(t.Epochs)*values+float64(planes))*4*20 + all*2*8) / (1 << 20)
	}
	return all * 6 * 8 / (1 << 20)
}

// needs returns the memory for the rows, in MiB.
func needs(d *dataset.Dataset) float64 {
	raw, _ := d.Src.Kept()
	return float64(raw+d.Bytes) / (1 << 20)
}

// room reports whether the rows fit in memory beside the weights, or returns an error if the weights do not fit.
func (t *trainer) room(d *dataset.Dataset) (fits bool, err error) {
	_, fits = d.Src.Kept()
	mib, weights := needs(d), t.weights(d)
	fits = fits && mib+weights <= float64(t.Memory)
	if mib+weights >= muchMemory && t.once(d) {
		d.Src.Tell(fmt.Sprintf("%s: the training takes about %.0f MiB: %.1f for the rows, which are in %s, and %.1f for the weights; --memory is %d", d.Src.Name,
			weights+map[bool]float64{true: mib}[fits], mib, map[bool]string{true: "memory", false: "a file"}[fits], weights, t.Memory))
	}
	switch {
	case t.tries && !fits:
		err = fmt.Errorf("%d rows with %d waves take %.0f MiB, and --memory is %d; --waves %d trains with them", d.Rows[split.Training], d.Waves.Count, mib, t.Memory, d.Waves.Count)
	case weights <= float64(max(t.Memory, leastMemory)):
	case d.Bent():
		err = fmt.Errorf("%s: the weights of %d classes, %d features and %d waves take about %.0f MiB, and --memory is %d: fewer waves need less", d.Src.Name, len(d.Classes), d.Schema.Features(), d.Waves.Count, weights, t.Memory)
	default:
		err = fmt.Errorf("%s: the weights of %d classes and %d features take about %.0f MiB, and --memory is %d: fewer features need less%s, and fewer classes; or set a greater --memory", d.Src.Name, len(d.Classes), d.Schema.Features(), weights, t.Memory, map[bool]string{true: " (--drop, --ngrams 1, a smaller --hash)"}[d.Src.Format != "libsvm"])
	}
	return fits, err
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
