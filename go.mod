module perceptron

go 1.26.0
