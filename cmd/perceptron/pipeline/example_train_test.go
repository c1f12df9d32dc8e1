package pipeline_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"perceptron/cmd/perceptron/pipeline"
)

// The table has words, a text, and ages that are missing. A quarter of its rows is held out, and measures the model.
func ExampleTrain() {
	table, err := os.Open("testdata/churn.csv")
	check(err)
	p, r, err := pipeline.Train(context.Background(), table, pipeline.Options{Label: "outcome", Text: []string{"note"}, Missing: "mean", Holdout: 0.25})
	check(err)
	fmt.Printf("%.2f of %d rows held out\n", r.HeldOut.Accuracy, r.HeldOut.Rows)
	check(p.Save(model))
	defer os.Remove(model)
	p, err = pipeline.Load(model)
	check(err)
	fmt.Println(p.Predict(map[string]string{"age": "31", "plan": "basic", "months": "7", "note": "called twice"}))
	// Output:
	// 0.83 of 30 rows held out
	// leaves <nil>
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A program would name a file of its own.
var model = os.TempDir() + fmt.Sprintf("/churn-%d.perceptron", os.Getpid())
