//go:build !race

package vec

// raceDetector reports whether the race detector watches the tests.
const raceDetector = false
