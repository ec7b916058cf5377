/** `shrink`: looks for a smaller script with the same failure, on the simulator or on a target. */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../util/errors.js';
import { storyText } from '../../exploring/outcome-files.js';
import { isToken } from '../../files/replay-token.js';
import { readSavedFailure } from '../../files/saved-failure.js';
import { shrinkOnSimulator, shrinkOnTarget } from './shrink.js';
import { truncated, jsonText } from '../../report/escape.js';
import { runsNeeded } from '../../report/formatting.js';
import { createRedactor, type ExitCode } from '../../report/index.js';
import type { Script } from '../../scenario/index.js';
import type { Given } from '../../cli/options/option.js';
import { mutantOf } from '../../cli/options/test-bed-settings.js';
import type { Io } from '../../cli/io.js';
import { withTarget } from '../../cli/open-target.js';
import { targetSettings } from '../../cli/options/settings.js';
import type { ShrinkSettings } from './index.js';

/** The same as in a report on the terminal. */
const ACTUAL_CHARACTERS_MAX = 400;

const stepsOf = ({ steps: { length } }: Script): string => `${length} ${length === 1 ? 'step' : 'steps'}`;

export async function shrink(settings: ShrinkSettings, io: Io, given: Given): Promise<ExitCode> {
  const { file } = settings;
  const saved = await readSavedFailure(file, io.cwd);
  const { requirement = saved.requirements[0], trials } = settings;
  const out = settings.out ?? `${isToken(file) ? 'shrunk' : file.replace(/\.json$/, '')}.small.json`;
  if (existsSync(resolve(io.cwd, out)))
    throw new UsageError(`${out} exists already: choose another file with --out`);
  const edition = saved.edition ?? 'document';
  const smaller =
    settings.url === undefined
      ? shrinkOnSimulator(saved, { requirement, trials, mutant: mutantOf(settings.mutant) })
      : await withTarget(
          targetSettings({ ...settings, edition }, io, given),
          io,
          async ({ target, secrets, interrupted: signal }, safeIo) => {
            const say = (line: string): void => safeIo.out(`${line}\n`);
            const found = await shrinkOnTarget(target, saved, { requirement, trials, signal, say });
            return createRedactor(secrets).value(found);
          },
        );
  if (smaller === 'interrupted') {
    io.out('interrupted before anything was found  (exit 130)\n');
    return 130;
  }
  if (smaller === 'undecided') {
    io.out(
      `ERROR: ${requirement ?? 'nothing'} was${requirement === undefined ? '' : ' not'} decided this time  (exit 6)\n`,
    );
    return 6;
  }
  if (smaller === 'fixed') {
    const more = saved.confirmed === undefined ? null : runsNeeded(saved.confirmed);
    const told =
      requirement === undefined
        ? 'PASSED: nothing fails here'
        : `${more === null ? 'FIXED' : 'PASSED'}: neither ${requirement} nor another required rule is broken here${more === null ? '' : `. The failure is intermittent: ${more}`}`;
    io.out(`${told}  (exit 0)\n`);
    return 0;
  }
  writeFileSync(resolve(io.cwd, out), `${jsonText(smaller, 2)}\n`);
  const script = smaller.script as unknown as Script;
  const [first] = smaller.failures;
  const [before, after] = [stepsOf(saved.script), stepsOf(script)];
  const isAnother = requirement !== undefined && first!.requirement !== requirement;
  const lines = [
    ...(isAnother
      ? [`${requirement} does not fail here, and another required rule is broken, which is kept:`]
      : []),
    `${first!.requirement}: ${before === after ? `${after}, and no shorter script was found` : `${before} → ${after}`}`,
    ...storyText(script.steps),
    `  Actual: ${truncated(first!.actual, ACTUAL_CHARACTERS_MAX)}`,
    `saved as ${out}`,
  ];
  io.out(`${lines.join('\n')}\n`);
  return 1;
}
