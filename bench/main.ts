/**
 * `npm run bench [-- WORD…]`: speed beside peers, written into docs/performance.md; with words, only the rows that have
 * one of them; `-- network` takes minutes, so it is measured only then. `-- profiles`: only where the time goes; `-- latency`: only
 * what the proxy adds to a call. `-- memory`: also what judging holds in memory. `-- guard`: a quick run of the rows that CI guards; exit code 1 where one is far
 * from its aim.
 */
import { writeLatency } from './latency.js';
import { retained } from './memory.js';
import { writeProfiles } from './profiles.js';
import { isFarOff, measureRatios, ratioText, writeRatios, type Ratio } from './ratios.js';
import { ROWS, type Row } from './rows.js';

/** Jobs of the endpoint that lives long. */
const JOBS = 20_000;

const words = process.argv.slice(2);
const tell = (ratio: Ratio): void => void process.stdout.write(`${ratioText(ratio)}\n`);
const isWanted = ({ what, slow }: Row): boolean =>
  words.length === 0
    ? slow !== true
    : words.some((word) => (slow === true ? what.startsWith(word) : what.includes(word)));

if (words[0] === 'guard') {
  const guarded = ROWS.filter((row) => row.guarded);
  // One that is far off is measured again: the machine may have been busy.
  const far = measureRatios(guarded, tell, 1).filter(isFarOff);
  const still = measureRatios(
    far.map(({ row }) => row),
    tell,
  ).filter(isFarOff);
  for (const ratio of still) process.stderr.write(`far from its aim: ${ratioText(ratio)}\n`);
  process.exit(still.length > 0 ? 1 : 0);
}

if (words[0] === 'profiles') {
  writeProfiles();
  process.exit();
}

if (words[0] === 'latency') {
  writeLatency();
  process.exit();
}

writeRatios(measureRatios(ROWS.filter(isWanted), tell));
if (words.length === 0) writeProfiles();
if (words.includes('memory')) {
  const { points, bytesPerJob } = retained(JOBS);
  for (const { jobs, judgingBytes } of points)
    process.stdout.write(
      `one endpoint, many scripts: after ${jobs} jobs judging holds ${(judgingBytes / 1e6).toFixed(1)} MB\n`,
    );
  process.stdout.write(`memory that judging holds per finished job: ${bytesPerJob} bytes\n`);
}
