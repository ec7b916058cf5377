/**
 * Places of times in percent, as in the drawings of the report: a longer gap is longer, but not in proportion. Before the first
 * instant is 0, after the last 100.
 */
export function scaleOf(times: readonly number[]): (ms: number) => number {
  const knots = [...new Set(times)].filter(Number.isFinite).sort((one, other) => one - other);
  const places = [0];
  for (let at = 1; at < knots.length; at += 1)
    places.push(places[at - 1]! + Math.log2(1 + Math.max(1, knots[at]! - knots[at - 1]!)) ** 2);
  const whole = places.at(-1)! || 1;
  return (ms) => {
    const next = knots.findIndex((knot) => knot >= ms);
    if (next === 0 || knots.length < 2) return 0;
    if (next < 0) return 100;
    const [from, to] = [knots[next - 1]!, knots[next]!];
    const [left, right] = [places[next - 1]!, places[next]!];
    return (100 * (left + ((right - left) * (ms - from)) / (to - from))) / whole;
  };
}
