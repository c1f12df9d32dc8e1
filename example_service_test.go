package perceptron_test

import (
	"fmt"
	"sync"
	"sync/atomic"

	"perceptron"
)

// A learner serves many readers while one writer at a time trains. Readers use a copy
// that never changes, so they never wait.
type learner struct {
	mu        sync.Mutex // protects model
	model     perceptron.Online
	published atomic.Pointer[perceptron.Online]
}

// learn trains on one example and publishes a copy. Clone costs O(d); to save time,
// publish less often.
func (l *learner) learn(x []float64, y int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.model.Update(x, y); err != nil {
		return err
	}
	l.published.Store(l.model.Clone())
	return nil
}

// predict may be called by any number of goroutines.
func (l *learner) predict(x []float64) (int, error) {
	p := l.published.Load()
	if p == nil {
		return 0, perceptron.ErrUntrained
	}
	return p.Predict(x)
}

// Many goroutines predict while others learn.
func Example_service() {
	var l learner
	_, err := l.predict([]float64{1, 0})
	fmt.Println(err)
	if err := l.learn([]float64{2, 1}, +1); err != nil {
		fmt.Println(err)
		return
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			var err error
			for range 100 {
				if i == 0 { // the writer
					err = l.learn([]float64{-2, -1}, -1)
				} else {
					_, err = l.predict([]float64{2, 1})
				}
				if err != nil {
					fmt.Println(err)
					return
				}
			}
		})
	}
	group.Wait()
	a, err := l.predict([]float64{2, 1})
	b, err2 := l.predict([]float64{-2, -1})
	fmt.Println(a, b, err, err2)
	// Output:
	// perceptron: untrained model
	// 1 -1 <nil> <nil>
}
