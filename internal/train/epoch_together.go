package train

import "perceptron/internal/vec"

// A worker trains some units in an epoch of dense rows. All their planes score a row together, which
// takes less time than scoring it with one plane after another. The next epoch reuses its memory.
type worker struct {
	*pass
	// units are the units that it trains: in OneVsRest one for each of its classes, in Multiclass the
	// only unit.
	units []*unit
	// members has the planes of the units, and labels the class of each, ascending.
	members []int
	labels  []int
	// together scores rows with the iterates of all members. It has the iterates, as copies or as
	// slices that share the members' memory, and in OneVsRest the θ of each unit. After an update by
	// a unit, both must be set again.
	together vec.Classes
	// Two workers that write to one cache line slow each other down. The padding keeps them in
	// different cache lines.
	_ [64]byte
}

// train trains the units with the rows of an epoch, and returns the first error. Scan skips the
// rows that all units have right. A call of Scan gets at most 1024 rows: Scan may be assembly, and
// the garbage collector must wait until assembly returns.
func (g *worker) train(r *pass, units []*unit) rowError {
	g.load(r, units)
	const rows = 1024
	n, l, learn := len(g.X), g.lesson(r.order), g.learnEach
	if g.fields.Rival != nil {
		learn, l.Theta = g.learnTogether, units[0].theta
	}
	for pos := 0; pos < n; {
		end := min(pos+rows, n)
		if pos = g.together.Scan(&l, pos, end); pos == end {
			continue
		}
		if err := learn(&l, pos, l.At(pos)); err != nil {
			return rowError{pos, err}
		}
		pos++
	}
	for k, i := range g.members {
		g.together.Get(k, g.planes.InTraining(i)) // learnTogether may have trained the vector in together alone
	}
	return rowError{}
}

// load prepares the worker for an epoch: it sets the units, and puts their iterates and each θ in
// together, in O(Kd).
func (g *worker) load(p *pass, units []*unit) {
	g.pass, g.units = p, units
	g.members, g.labels, g.together.Thetas = g.members[:0], g.labels[:0], g.together.Thetas[:0]
	for _, u := range units {
		if p.fields.Rival == nil {
			g.together.Thetas = append(g.together.Thetas, u.theta)
		}
		for k := range u.scores {
			g.members, g.labels = append(g.members, u.first+k), append(g.labels, p.classes[u.first+k])
		}
	}
	g.together.Reset(g.labels, p.planes.Width())
	for k, i := range g.members {
		g.together.Set(k, p.planes.InTraining(i))
	}
}

// learnEach trains units of one plane with the i-th row, at position pos of the order. Scan has
// set the row's scores by all units, and an update of one unit does not change the scores of the
// others. The row is shown to each unit whose margin does not exceed its θ, or is not finite. Then
// the iterate and θ of that unit are set again in g.together.
func (g *worker) learnEach(l *vec.Lesson, pos, i int) error {
	label := g.y[i]
	for k, s := range g.together.Scores {
		if satisfied(vec.Sign(label == g.labels[k])*s, g.together.Thetas[k]) {
			continue
		}
		u := g.units[k]
		u.scores[0] = s
		if err := g.learnRow(u, &vec.Row{Value: l.X[i]}, pos, i); err != nil {
			return err
		}
		g.together.Thetas[k] = u.theta
		g.together.Set(k, g.planes.InTraining(g.members[k]))
	}
	return nil
}

// learnTogether trains Multiclass's unit with the i-th row, at position pos of the order. The row
// may need no update. If the training is plain, an update changes only weights and biases. Then
// learnTogether makes it only in g.together, and train copies the vectors to the planes at the end of
// the epoch. Else the unit makes the update, and the planes that have moved are set in g.together.
func (g *worker) learnTogether(l *vec.Lesson, pos, i int) error {
	u, x := g.units[0], l.X[i]
	u.scores = g.together.Scores
	if !g.fields.plain() {
		err := g.learnRow(u, &vec.Row{Value: x}, pos, i)
		if err == nil && u.step != 0 {
			g.together.Set(u.rise, g.planes.InTraining(u.rise))
			g.together.Set(u.fall, g.planes.InTraining(u.fall))
		}
		l.Theta = u.theta
		return err
	}
	if _, finite := u.right(&g.core, g.y[i], u.theta); !finite {
		return ErrorAt(i, ScoreError(g.planes.Width(), x))
	}
	if u.step == 0 {
		return nil
	}
	u.countUpdate()
	g.updated.Add(i)
	if !g.together.Move(u.rise, u.step, x, l.Bias) || !g.together.Move(u.fall, -u.step, x, -l.Bias) {
		return ErrorAt(i, errOverflow)
	}
	return nil
}
