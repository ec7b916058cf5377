/** `shrink`: looks for a smaller script with the same failure, on the simulator or on a target. */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { plainEnvironment, shrinkViolation, shrinking, titleOf, type Environment } from '../explore/index.js';
import { judge, type Failure } from '../oracle/index.js';
import { packageVersion } from '../package-files.js';
import { truncated, jsonText } from '../report/escape.js';
import { createRedactor, FAILURE_SCHEMA, type ExitCode, type FailureFile } from '../report/index.js';
import { runScripts } from '../target/run-scripts.js';
import type { Script } from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import type { Json } from '../history/events.js';
import type { Target } from '../target/port.js';
import type { RawOptions } from './config-file.js';
import { confirm, type FailureRate } from '../app/confirm/confirm.js';
import { UsageError } from '../app/errors.js';
import { mutantOf } from './explore-settings.js';
import { createTestBed } from '../app/explore/test-bed.js';
import { healthyTestBed } from '../app/explore/worker.js';
import { foundFile, storyText } from '../app/explore/outcome-files.js';
import type { Io } from './io.js';
import { withTarget, type OpenedTarget } from './open-target.js';
import { TRIALS_SIMULATOR, TRIALS_TARGET } from './command-options.js';
import { isToken } from '../app/files/replay-token.js';
import { reproduce } from '../app/explore/reproduce.js';
import { readSavedFailure } from '../app/files/saved-failure.js';
import { targetSettings, text } from './settings.js';
import { integer } from './values.js';

/** The same as in a report on the terminal. */
const ACTUAL_CHARACTERS_MAX = 400;

export async function shrink(raw: RawOptions, io: Io): Promise<ExitCode> {
  const file = text(raw, 'file') ?? '';
  const saved = await readSavedFailure(file, io.cwd);
  const edition: Edition = saved.edition === 'runpod' ? 'runpod' : 'document';
  const wanted = text(raw, 'requirement') ?? saved.requirements[0] ?? null;
  const out = text(raw, 'out') ?? `${isToken(file) ? 'shrunk' : file.replace(/\.json$/, '')}.small.json`;
  if (existsSync(resolve(io.cwd, out)))
    throw new UsageError(`${out} exists already: choose another file with --out`);
  const trialsOption = text(raw, 'trials');
  const trials = trialsOption === undefined ? null : integer('trials', trialsOption, 1, 1_000_000);
  const smaller =
    text(raw, 'url') === undefined
      ? onSimulator(
          saved.script,
          wanted,
          edition,
          saved.found?.world ?? plainEnvironment(0),
          mutantOf(text(raw, 'mutant')) ?? saved.found?.mutant ?? null,
          trials,
        )
      : await withTarget(targetSettings({ ...raw, edition }, io), io, async (opened, safeIo) =>
          createRedactor(opened.secrets).value(
            await onTarget(opened, saved.script, wanted, edition, trials, safeIo),
          ),
        );
  if (smaller === null) {
    io.out(`FIXED: ${wanted ?? 'nothing'} does not fail here  (exit 0)\n`);
    return 0;
  }
  writeFileSync(resolve(io.cwd, out), `${jsonText(smaller, 2)}\n`);
  const script = smaller.script as unknown as Script;
  const { requirement, actual } = smaller.failures[0]!;
  const lines = [
    `${requirement}: ${saved.script.steps.length} steps → ${script.steps.length} steps`,
    ...storyText(script.steps),
    `  Actual: ${truncated(actual, ACTUAL_CHARACTERS_MAX)}`,
    `saved as ${out}`,
  ];
  io.out(`${lines.join('\n')}\n`);
  return 1;
}

function onSimulator(
  script: Script,
  wanted: string | null,
  edition: Edition,
  environment: Environment,
  mutant: string | null,
  trials: number | null,
): FailureFile | null {
  const settings = { edition, mutant };
  const testBed = createTestBed(settings);
  const { violations } = testBed.judge(testBed.run([script], environment), environment);
  const violation = violations.find(({ requirement }) => wanted === null || requirement === wanted);
  if (violation === undefined) return null;
  const found = { ...violation, run: 0, script, environment };
  const shrunk = shrinkViolation(found, testBed, {
    trialsMax: trials ?? TRIALS_SIMULATOR,
    ...healthyTestBed(settings),
  });
  return foundFile(script.seed, settings, { found, shrunk, runs: 1 });
}

async function onTarget(
  { target, interrupted }: OpenedTarget,
  script: Script,
  wanted: string | null,
  edition: Edition,
  trials: number | null,
  io: Io,
): Promise<FailureFile | null> {
  const failuresOf = async (candidate: Script) => {
    const done = await runScripts(target, [candidate], {
      seed: candidate.seed,
      edition,
      runproof: packageVersion(),
      signal: interrupted,
    });
    return judge(done.events).requirements.flatMap(({ failures }) => failures);
  };
  const first = (await failuresOf(script)).find(
    ({ requirement }) => wanted === null || requirement === wanted,
  );
  if (first === undefined) return null;
  const fails = async (candidate: Script): Promise<boolean> =>
    candidate.needs.every((need) => target.capabilities.includes(need)) &&
    (await failuresOf(candidate)).some(({ requirement }) => requirement === first.requirement);
  const { requirement } = first;
  const about = { edition, signal: interrupted };
  const simulated = onSimulatorFirst(script, requirement, edition, target);
  if (simulated !== null) {
    const [rate] = await confirm(target, [{ script: simulated.script, requirement }], about);
    if (rate!.failed > 0 && rate!.failed === rate!.runs) {
      io.out(`shrunk on the simulator with ${simulated.fault}; ${rateInWords(rate!)}\n`);
      return failureFile(simulated.script, requirement, rate!.failures, edition, target.name);
    }
  }
  const search = shrinking(script, trials ?? TRIALS_TARGET);
  let next = search.next();
  // After an interrupt, the smallest script so far is used.
  while (next.done !== true) next = search.next(!interrupted.aborted && (await fails(next.value)));
  const smallest = { ...next.value, title: titleOf(next.value) };
  const [rate] = await confirm(target, [{ script: smallest, requirement }], about);
  io.out(`${rateInWords(rate!)}\n`);
  return failureFile(
    smallest,
    requirement,
    rate!.failed > 0 ? rate!.failures : [first],
    edition,
    target.name,
  );
}

/** The failure of the requirement is the first in the file. */
function failureFile(
  small: Script,
  requirement: string,
  all: readonly Failure[],
  edition: Edition,
  target: string,
): FailureFile {
  const own = all.filter((failure) => failure.requirement === requirement);
  const failures = [...own, ...all.filter((failure) => !own.includes(failure))];
  return {
    schema: FAILURE_SCHEMA,
    runproof: packageVersion(),
    edition,
    target,
    expectedExit: 1,
    failures: failures.map(({ expected, actual, proof, ...failure }) => ({
      requirement: failure.requirement,
      expected,
      actual,
      proof,
    })),
    script: small as unknown as Json,
  };
}

const rateInWords = ({ failed, runs }: FailureRate): string => `fails in ${failed} of ${runs} runs`;

/** Shrinks the script on the simulator, which sends nothing, if a known fault shows the same failure. */
function onSimulatorFirst(
  script: Script,
  requirement: string,
  edition: Edition,
  { capabilities, executionTimeoutDefaultMs = null }: Target,
): { readonly script: Script; readonly fault: string } | null {
  const found = reproduce(script, requirement, [], {
    edition,
    dialect: {},
    capabilities,
    executionTimeoutDefaultMs,
  });
  if (found === null || !found.shrunk.alone) return null;
  const small = found.shrunk.script;
  return {
    script: { ...small, title: titleOf(small) },
    fault: found.settings.mutant ?? 'the default readings',
  };
}
