package pipeline_test

import (
	"fmt"
	"log"

	"perceptron/cmd/perceptron/pipeline"
)

// The model is that of
//
//	perceptron train churn.csv --label outcome --text note --hash 10 --missing mean --holdout 0.25 --calibrate -o churn.perceptron
//
// The age is missing in the second row. The plan of the third is a word that training did not see.
func Example() {
	p, err := pipeline.Load("testdata/churn.perceptron")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q, one of %q\n", p.Columns(), p.Classes())
	for _, row := range []map[string]string{
		{"age": "31", "plan": "basic", "months": "7", "note": "called twice"},
		{"age": "", "plan": "pro", "months": "40", "note": "Thank you!"},
		{"age": "31", "plan": "gold", "months": "7", "note": ""},
		{"age": "31", "plan": "basic", "months": "seven", "note": ""},
	} {
		class, err := p.Predict(row)
		fmt.Printf("%q %v\n", class, err)
	}
	// Output:
	// ["age" "plan" "months" "note"], one of ["leaves" "stays"]
	// "leaves" <nil>
	// "stays" <nil>
	// "leaves" <nil>
	// "" column "months": "seven", want a finite number; if it is a missing value, train with --na "seven" and --missing
}

// What decided the class of a row? A negative effect speaks against it.
func ExamplePredictor_Explain() {
	p, err := pipeline.Load("testdata/churn.perceptron")
	if err != nil {
		log.Fatal(err)
	}
	reasons, err := p.Explain([]string{"31", "basic", "7", "called twice about the bill"})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range reasons[:5] {
		fmt.Printf("%-6s  %-12s  %+.2f\n", r.Column, r.Value, r.Effect)
	}
	// Output:
	// months  7             +8.58
	// plan    basic         +3.25
	// age     31            +1.17
	// note    bill          +0.79
	// note    called        +0.68
}

// A model that was trained with --calibrate has probabilities. Of two classes, only the second has a score.
func ExamplePredictor_Probabilities() {
	p, err := pipeline.Load("testdata/churn.perceptron")
	if err != nil {
		log.Fatal(err)
	}
	record, err := p.Record(map[string]string{"note": "called twice", "age": "31", "plan": "basic", "months": "20"})
	if err != nil {
		log.Fatal(err)
	}
	scores, err := p.Scores(nil, record)
	if err != nil {
		log.Fatal(err)
	}
	shares, err := p.Probabilities(nil, record)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("score of %s: %.3f\n", p.Scored()[0], scores[0])
	for k, class := range p.Classes() {
		fmt.Printf("%s: %.3f\n", class, shares[k])
	}
	// Output:
	// score of stays: 4.358
	// leaves: 0.442
	// stays: 0.558
}
