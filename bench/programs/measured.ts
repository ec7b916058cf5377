/** Runs what a program measures, and prints the result as one line of JSON. */
import { Bench } from 'tinybench';

/** Before these rounds the compiler is at work, too. */
const WARM_UP = 3;
const ROUNDS = 5;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * The median of five rounds after three to warm up, in CPU time of this process: wall time says little where others
 * work as well.
 *
 * @param units of work in a round
 */
export function measured(units: number, round: () => unknown): void {
  const bench = new Bench({
    now: cpuMs,
    time: 0,
    iterations: ROUNDS,
    warmupTime: 0,
    warmupIterations: WARM_UP,
    retainSamples: true,
  });
  bench.add('round', round);
  const [task] = bench.runSync();
  if (task?.result.state !== 'completed') throw new Error(`the benchmark ended as ${task?.result.state}`);
  print(units, task.result.latency.p50);
}

/** Of what cannot be repeated, or takes its time in other processes. @param ms that the units took */
export function print(units: number, ms: number): void {
  process.stdout.write(`${JSON.stringify({ units, ms })}\n`);
}
