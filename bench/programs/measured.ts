/** Runs what a program measures, and prints the result as one line of JSON. */

const ROUNDS = 4;

/**
 * The last of four rounds counts: until then the compiler is at work, too.
 *
 * @param units of work in a round
 */
export function measured(units: number, round: () => unknown): void {
  let cpuMs = 0;
  for (let index = 0; index < ROUNDS; index++) {
    const before = process.cpuUsage();
    round();
    const { user, system } = process.cpuUsage(before);
    cpuMs = (user + system) / 1000;
  }
  process.stdout.write(`${JSON.stringify({ units, cpuMs })}\n`);
}
