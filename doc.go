// Package perceptron provides perceptrons: small linear classifiers that learn
// online, and whose theory can be held against every run.
package perceptron
