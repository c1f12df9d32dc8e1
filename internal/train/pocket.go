package train

import "perceptron/internal/weights"

// Gallant's pocket algorithm with ratchet (1990) keeps the best iterate of a unit.
//
// A streak is a sequence of examples without an update. At the end of an epoch, two iterates may
// replace the best one: the iterate of the epoch's longest streak, and the last iterate. challenge, in
// pocket_count.go, counts the rows that each of them has right. In a stream, rows cannot be counted:
// there the iterate in training replaces the best one if its streak exceeds beat.

// answer counts an example of a stream. If the example was a mistake, answer is called after the
// update. The iterate in training replaces the iterate in the pocket as soon as its streak exceeds
// beat.
func (u *unit) answer(planes *weights.Planes, mistaken bool) {
	k := &u.pocket
	if k.streak = min(k.streak+1, weights.Countable); mistaken {
		k.streak = 0
	}
	u.replace(planes, weights.Training, k.streak)
}

// replace puts an iterate in the pocket, in O(Kd), if number exceeds beat. number counts the rows that
// the iterate has right, or in a stream the examples of its streak.
func (u *unit) replace(planes *weights.Planes, of weights.Iterate, number uint64) {
	if number > u.pocket.beat {
		u.pocket.beat = number
		for k := range u.scores {
			planes.Replace(u.first+k, of)
		}
	}
}

// endStreak ends the streak of the iterate in training. It is called before the update by the row at
// position pos of the order. The iterate is copied if its streak is the longest of this epoch so far.
func (u *unit) endStreak(planes *weights.Planes, pos uint64) {
	k := &u.pocket
	if streak := pos - k.from; streak > k.record {
		k.record = streak
		for i := range u.scores {
			planes.Remember(u.first + i)
		}
	}
	k.from = pos + 1
}
