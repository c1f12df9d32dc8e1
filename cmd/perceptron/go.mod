module perceptron/cmd/perceptron

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/vbauerster/mpb/v8 v8.10.2
	golang.org/x/sys v0.33.0
	perceptron v0.0.0
)

require (
	github.com/VividCortex/ewma v1.2.0 // indirect
	github.com/acarl005/stripansi v0.0.0-20180116102854-5a71ef0e047d // indirect
	github.com/mattn/go-runewidth v0.0.16 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
)

replace perceptron => ../..
