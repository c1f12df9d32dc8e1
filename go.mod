module perceptron

go 1.24

require golang.org/x/exp v0.0.0-20250506013437-ce4c2cf36ca6

require github.com/google/go-cmp v0.7.0
