// Package report has what a training and an evaluation by package pipeline find out, as values. The command
// perceptron prints them as text, or as JSON. The names of the JSON are stable, because scripts read them.
package report

import (
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// A Training describes a training and its result.
type Training struct {
	Data         modelfile.Data `json:"data"`     // File, SHA256, Rows trained on, HeldOut, LeftOut and more: the numbers of rows
	Lacks        map[string]int `json:"-"`        // rows left out, by the column without a value
	Streamed     bool           `json:"streamed"` // each epoch read the rows from a file
	Features     int            `json:"features"`
	Waves        int            `json:"waves,omitempty"`  // that bend borders, given or chosen
	Sparse       bool           `json:"sparse,omitempty"` // rows have their non-zeros only
	Standardized bool           `json:"standardized"`     // if rows are sparse, scaled to deviation 1
	Classes      []string       `json:"classes"`
	Absent       []string       `json:"noneHeldOut,omitempty"` // classes without a row held out
	Model        string         `json:"model"`
	Run
	Columns
	Threshold float64  `json:"threshold,omitempty"` // of the second of two classes
	Training  *Quality `json:"training"`            // on the rows trained on
	HeldOut   *Quality `json:"heldOut,omitempty"`   // on the rows held out: what to expect of new rows; nil if there are none
	dataset.Novelty
	Refit    int      `json:"refit,omitempty"` // epochs of the second training; the figures are those of the first
	Saved    string   `json:"saved,omitempty"` // for the caller, who knows the file
	Choices  []Choice `json:"choices,omitempty"`
	Warnings []Remark `json:"warnings,omitempty"`
	Folds    *Folds   `json:"-"` // with CV, and all other fields are empty
}

// A Run is the epochs of a training. An update of batch is a row that is predicted wrong.
type Run struct {
	FirstEpoch       int      `json:"firstEpoch"` // more than 1 if a training is continued
	Epochs           int      `json:"epochs"`
	BestEpoch        int      `json:"bestEpoch,omitempty"` // whose model Patience keeps
	Stop             string   `json:"stop"`                // Converged, Cycled, EpochLimit, Patience or Interrupted
	Updates          int      `json:"updates"`
	LastUpdates      int      `json:"lastUpdates"`      // in the last epoch
	ProgressiveError *float64 `json:"progressiveError"` // share predicted wrong before learning, in the last epoch; nil if unknown
	LastLoss         *float64 `json:"lastLoss"`         // nil if it overflowed
	Seconds          float64  `json:"seconds"`
	Curve            []Epoch  `json:"curve"`
}

// An Epoch is one pass over the rows to train on.
type Epoch struct {
	N       int      `json:"epoch"`
	Rows    int      `json:"rows"`
	Updates int      `json:"updates"`
	Loss    *float64 `json:"loss"`
	HeldOut *float64 `json:"heldOutError,omitempty"` // share of the rows held out predicted wrong, with Patience or Curves
}

// Columns says how each column was read.
type Columns struct {
	Numbers     []string       `json:"numbers,omitempty"`
	Codes       map[string]int `json:"codes,omitempty"`       // numbers of few whole values, which may be codes: how many values
	Words       map[string]int `json:"words,omitempty"`       // how many different words
	ScaledWords bool           `json:"scaledWords,omitempty"` // else their features are 0 and 1
	Texts       []string       `json:"text,omitempty"`
	IDF         bool           `json:"idf,omitempty"`
}

// A Choice is what folds of the rows to train on have chosen, where an option was open.
type Choice struct {
	Of          string             `json:"of"`
	Accuracy    map[string]float64 `json:"accuracy"`
	Chosen      string             `json:"chosen"`
	Consecutive bool               `json:"consecutive,omitempty"` // the folds are consecutive parts of each class
	Default     string             `json:"default"`
	LeastLead   float64            `json:"leastLead"` // by which another than Default must lead
}

// A Quality measures the predictions of some rows.
type Quality struct {
	metrics.Figures // Rows, Accuracy, Baseline (of the most frequent class), MacroF1 and PerClass: Precision, Recall, F1

	Positive         string   `json:"positive,omitempty"` // the class of the next two figures; "": the second of two
	AUC              *float64 `json:"auc,omitempty"`      // nil without two kinds of rows
	AveragePrecision *float64 `json:"averagePrecision,omitempty"`
	Sampled          bool     `json:"sampled,omitempty"` // the two are about a sample of the rows

	Twins         int                  `json:"twins,omitempty"` // rows held out that equal a row trained on
	WithoutTwins  *float64             `json:"accuracyWithoutTwins,omitempty"`
	Probabilities *metrics.Reliability `json:"probabilities,omitempty"` // LogLoss, Brier and Bins of a calibrated model
	Confusion     [][]int              `json:"confusion"`               // rows by true class and predicted class
}

// Folds describe a cross-validation.
type Folds struct {
	Data      string     `json:"data"`
	Model     string     `json:"model"`
	LeftOut   int        `json:"leftOut"` // rows with a missing value, which are in no fold
	Classes   []string   `json:"classes"`
	Folds     []*Quality `json:"folds"`
	Mean      float64    `json:"mean"`              // of the folds' accuracies
	Deviation float64    `json:"standardDeviation"` // their sample standard deviation; folds share training rows, so that it is too small
	Baseline  float64    `json:"baseline"`          // mean share of the most frequent class
	Choices   []Choice   `json:"choices,omitempty"` // of each fold, and of the model of all rows
	Saved     string     `json:"saved,omitempty"`   // for the caller, who knows the file
	Warnings  []Remark   `json:"warnings,omitempty"`
}

// An Evaluation measures a model on a table.
type Evaluation struct {
	Data    string             `json:"data"`
	Part    string             `json:"part"`             // all, or heldOut: the rows held out of the training file
	Served  int                `json:"served,omitempty"` // rows that the model has learned one by one,
	Others  []modelfile.Origin `json:"others,omitempty"` // and other files, if Part is heldOut: the figures may be too good
	LeftOut int                `json:"leftOut"`          // rows with a missing value, which are not measured
	Classes []string           `json:"classes"`
	*Quality
	dataset.Novelty
	Warnings []Remark `json:"warnings,omitempty"`
}

// A Remark is a warning: what looks odd in a table, or about a figure. It has a Column (or ""), a Line (or 0)
// and a Text, which is its JSON.
type Remark = table.Remark
