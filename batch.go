package perceptron

// descend is one epoch of Batch.
func (r *run) descend(learners []*learner) error { panic("next") }

type gradient struct{ sum []float64 }

func newGradient(n int) gradient { return gradient{make([]float64, n)} }
