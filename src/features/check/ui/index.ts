/**
 * `check --ui`: a page of this machine on which its user chooses what to check, follows the run, and opens what failed. It runs
 * what `check` runs; the page adds nothing to it.
 */
import type { ExitCode } from '../../../report/index.js';
import { REQUIREMENTS } from '../../../spec/index.js';
import { UsageError } from '../../../util/errors.js';
import { listen } from '../../../wire/listen.js';
import { select } from '../../../checking/selectors.js';
import type { Io } from '../../../cli/io.js';
import { openAddress } from '../../../cli/report/open-page.js';
import type { CheckSettings } from '../index.js';
import { loadAllScenarios } from '../load-scenarios.js';
import { answerFor } from './answer.js';
import { rowsOf } from './rows.js';
import { Runs, type CheckOnce } from './runs.js';

/** A browser that is still reading when it ends. */
const CLOSE_MS = 500;

/**
 * @param once one check, whose exit code it gives
 * @returns the exit code of the last check once the user interrupts; 0 without one
 * @throws {UsageError} for options that the page has itself, and for selectors that match nothing
 */
export async function checkOnPage(settings: CheckSettings, io: Io, once: CheckOnce): Promise<ExitCode> {
  if (settings.lastFailed) throw new UsageError('--ui has a button for what failed: omit --last-failed');
  const scenarios = await loadAllScenarios(settings.scenarios, io);
  const selection = select(settings.only, settings.skip, REQUIREMENTS, scenarios);
  let bug!: (error: unknown) => void;
  const ended = new Promise<void>((end, fail) => {
    io.onInterrupt(end);
    bug = fail;
  });
  const runs = new Runs(settings, rowsOf(selection), io, once, bug);
  if (settings.watch) runs.watch(true);
  const { url, close } = await listen({ host: '127.0.0.1', port: 0 }, { answer: answerFor(runs, scenarios) });
  io.out(`choose and run on ${url}/ (Ctrl-C ends)\n`);
  if (settings.open) openAddress(`${url}/`, io);
  try {
    await ended;
    return await runs.end();
  } finally {
    await runs.end();
    await close(CLOSE_MS);
  }
}
