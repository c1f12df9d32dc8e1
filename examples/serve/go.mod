module perceptron/examples/serve

go 1.24

require perceptron v0.0.0

replace perceptron => ../..
