// Runs page/maths.js for the tests in Go: reads {sources, sets, rules}, and prints one answer for
// each source. A source that fails has the answer null.
import {readFileSync} from "node:fs";

const {sources, sets, rules} = JSON.parse(readFileSync(0, "utf8"));

function learn(maths, {points, bias}) {
  const z = maths.vectors(points, bias),
    {tips, rows, ends, stop, since} = maths.run(z);
  const against = maths.against(z),
    r2 = maths.square(z);
  const answer = {tips: tips.flat(), rows, ends, stop, since, against, r2};
  if (against.length > 0) return answer;
  const best = maths.margin(z),
    arc = bias ? [] : maths.arc(z, best.u);
  const places = maths.climb(tips, best.u).flat();
  const [bound, plane] = [maths.bound(r2, best), maths.planeBound(r2, best)];
  return {...answer, ...best, arc, places, bound, plane};
}

function play(maths, {R, gamma, w, p}) {
  const r = {R, gamma},
    lens = maths.lens(w, r);
  const longest = maths.longest(r).flat(),
    spiral = maths.spiral(r).flat();
  const more =
    lens.length === 0 ? {} : {nearest: maths.nearest(p, w, r), middle: maths.middle(lens)};
  return {
    lens: lens.flat(),
    longest,
    spiral,
    area: maths.area(lens),
    broken: maths.broken(p, w, r),
    ...more,
  };
}

const answers = [];
for (const source of sources) {
  try {
    const maths = await import("data:text/javascript," + encodeURIComponent(source));
    const learned = (sets ?? []).map((s) => learn(maths, s));
    answers.push({sets: learned, rules: (rules ?? []).map((r) => play(maths, r))});
  } catch (err) {
    if (sources.length === 1) throw err;
    answers.push(null);
  }
}
process.stdout.write(JSON.stringify(answers));
