/** `examples/verify/verify.py` gives the verdicts of `bin/runproof-verify.mjs`, or says that it cannot check. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkReport, historyOf } from '../../../bin/runproof-verify.mjs';
import { MUTANTS } from '../../../src/mutants/index.js';
import { PACKAGE_ROOT } from '../../../src/package-files.js';
import { createRandom } from '../../../src/time/random.js';
import { reportOn } from './faulty-report.js';
import { forgedCycles, forgedFrom, type Proof } from './forged-proofs.js';

const FOLDER = join(PACKAGE_ROOT, 'examples', 'verify');
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
const FAULTS =
  'ttl-spares-running cancel-only-queued timeout-not-enforced ttl-two-seconds-early retry-of-failed-feigned';

/** Reads histories and proofs, and returns the verdict on each proof. */
const PROGRAM = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify
given = json.load(sys.stdin)
histories = [verify.history_of(events) for events in given["histories"]]
print(json.dumps([verify.check_job(p["id"], p["failure"], histories[p["history"]])[0] for p in given["proofs"]]))
`;

/** The verdicts of the port, in the order of the proofs. */
function portOn(proofs: readonly Proof[]): readonly string[] {
  const histories = [...new Set(proofs.map(({ history }) => history))];
  const given = proofs.map((proof) => ({ ...proof, history: histories.indexOf(proof.history) }));
  const input = JSON.stringify({ histories, proofs: given });
  const { stdout, stderr } = spawnSync('python3', ['-c', PROGRAM, FOLDER], { input, maxBuffer: 1 << 28 });
  expect(stderr.toString()).toBe('');
  return JSON.parse(stdout.toString()) as readonly string[];
}

const isOfJob = ({ failure }: Proof): boolean => failure.contradiction?.kind !== 'number';

describe.skipIf(!HAS_PYTHON)(`the port to Python${HAS_PYTHON ? '' : ' (no python3 on this machine)'}`, () => {
  it('agrees on proofs of faults, and on forged ones', { timeout: 300_000 }, async () => {
    const random = createRandom(54);
    const reports = await Promise.all(
      FAULTS.split(' ').map((fault) => reportOn(MUTANTS.find(({ id }) => id === fault)!)),
    );
    const faulty = reports.flatMap(({ report, history }) =>
      report.requirements.flatMap(({ id, failures }) =>
        failures.map((failure) => ({ id, failure, history })),
      ),
    );
    const correct = await reportOn(null, ['2.2']);
    const forged = faulty.flatMap((proof) => forgedFrom(proof, random, 1)).map(({ proof }) => proof);
    const proofs = [...faulty, ...forged, ...forgedCycles(correct.history).slice(0, 60)].filter(isOfJob);
    const verdicts = portOn(proofs);
    const counts: { [verdict: string]: number } = {};
    const differing = proofs.flatMap(({ id, failure, history }, nth) => {
      const [row] = checkReport({ requirements: [{ id, failures: [failure] }] }, historyOf(history));
      const verdict = verdicts[nth]!;
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      const isSame = verdict === row!.result || verdict === 'not checkable';
      return isSame ? [] : [`${id}: ${verdict}, not ${row!.result} (${row!.how})`];
    });
    console.log(`${proofs.length} proofs: ${JSON.stringify(counts)}`);
    expect(differing).toEqual([]);
    expect(counts['verified']).toBeGreaterThan(30);
    expect(counts['REFUSED']).toBeGreaterThan(200);
  });

  it('is a program that reads a report and exits as the original', { timeout: 60_000 }, async () => {
    const { report, history } = await reportOn(MUTANTS.find(({ id }) => id === 'ttl-spares-running')!);
    const folder = mkdtempSync(join(tmpdir(), 'verify-'));
    const run = (): { readonly status: number | null; readonly lines: readonly string[] } => {
      const { status, stdout } = spawnSync('python3', [join(FOLDER, 'verify.py'), folder]);
      return { status, lines: stdout.toString().trimEnd().split('\n') };
    };
    const written = (value: unknown): void =>
      writeFileSync(join(folder, 'report.json'), JSON.stringify(value));
    written(report);
    expect(run().status).toBe(2);
    writeFileSync(
      join(folder, 'history.ndjson'),
      history.map((event) => `${JSON.stringify(event)}\n`).join(''),
    );
    const { status, lines } = run();
    expect(status).toBe(0);
    expect(lines[0]).toMatch(/^verified: 2\.2\/\S+ 1 \(time\): no other explanation$/);
    expect(lines.at(-1)).toMatch(/^\d+ failures: [1-9]\d* verified, 0 refused, \d+ not checkable$/);
    const requirements = report.requirements.map((requirement) => ({
      ...requirement,
      failures: requirement.failures.map(({ contradiction, ...failure }) => ({
        ...failure,
        contradiction: contradiction?.kind === 'time' ? { ...contradiction, overMs: 1 } : contradiction,
      })),
    }));
    written({ ...report, requirements });
    expect(run().status).toBe(1);
    rmSync(folder, { recursive: true });
  });
});
