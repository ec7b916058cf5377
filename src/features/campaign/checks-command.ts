/** `campaign schedule` and `campaign work --checks`: deployed targets are checked around the clock. */
import { schedule, scheduledChecks, unschedule, workOnChecks, type CheckPoint } from './checks.js';
import { serveChecks } from './checks-view.js';
import { codeHash } from './chunks.js';
import type { Engine } from './engine.js';
import { REFUSED_OPTION } from './schemas.js';
import { whyNotListening, type Listening } from '../../wire/listen.js';
import { UsageError } from '../../util/errors.js';
import type { ExitCode } from '../../report/index.js';
import { program } from '../../program-name.js';
import { quoteForShell } from '../../report/escape.js';
import type { CampaignSettings } from './index.js';
import type { Io } from '../../cli/io.js';
import { runCommand } from '../../cli/run-command.js';
import { durationMs, httpUrl } from '../../cli/values.js';

const EVERY_MIN_MS = 5_000;

export async function scheduleCheck(engine: Engine, settings: CampaignSettings, io: Io): Promise<ExitCode> {
  const { targets, every = '10m' } = settings;
  const [target, ...more] = targets.map((each) => httpUrl('target', each));
  if (target === undefined || more.length > 0)
    throw new UsageError('campaign schedule requires one --target; call it again for each other');
  if (every === 'never') {
    if (!(await unschedule(engine, target))) throw new UsageError(`no check of ${target} is scheduled`);
    io.out(`${target} is not checked any more\n`);
    return 0;
  }
  const everyMs = durationMs('every', every, EVERY_MIN_MS);
  const options = checkOptions(settings);
  await schedule(engine, { target, everyMs, options });
  io.out(`${target} is checked every ${every}, the first time at once\n`);
  io.note(`on a machine that can reach it: ${campaignCommand('work', settings)} --checks\n`);
  return 0;
}

/** The command for an action on the same server. A password is not printed. */
export function campaignCommand(
  action: string,
  { server }: Pick<CampaignSettings, 'server'>,
  name?: string,
): string {
  const shown = /^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(server) ? 'SERVER' : server;
  const words = ['campaign', action, shown, ...(name === undefined ? [] : [name])];
  return [program(), ...words.map(quoteForShell)].join(' ');
}

/** Options of `check` that --check gives. @throws {UsageError} for those that a worker sets itself */
export function checkOptions({ check = '' }: CampaignSettings): readonly string[] {
  const options = check.split(/\s+/).filter((word) => word !== '');
  const refused = options.find((option) => REFUSED_OPTION.test(option));
  if (refused !== undefined)
    throw new UsageError(
      `--check takes no ${refused}: keys stay with the workers, in RUNPROOF_API_KEY or a file, and reports in the queue`,
    );
  return options;
}

export async function workChecks(
  engine: Engine,
  { listen, onChange: command, once }: CampaignSettings,
  io: Io,
  stop: AbortSignal,
): Promise<ExitCode> {
  const view = listen === undefined ? null : await listenAt(listen, engine, io);
  try {
    await workOnChecks(engine, {
      stop,
      tell: (line) => io.note(`${line}\n`),
      onPoint: ({ target }, point) => {
        io.out(pointText(target, point));
        if (command !== undefined && point.drift.length > 0)
          runCommand('on-change', command, `${point.drift.join('\n')}\n`, { RUNPROOF_TARGET: target }, io);
      },
      now: () => ({ timestamp: io.timestamp(), monotonicMs: io.monotonicMs() }),
      environment: io.env,
      code: codeHash(),
      once,
    });
  } finally {
    await view?.close(0);
  }
  return stop.aborted ? 130 : 0;
}

async function listenAt(
  at: { readonly host: string; readonly port: number },
  engine: Engine,
  io: Io,
): Promise<Listening> {
  try {
    const server = await serveChecks(at, () => scheduledChecks(engine));
    io.note(`the trend is at http://${at.host}:${at.port}/, metrics at /metrics\n`);
    return server;
  } catch (error) {
    const why = whyNotListening(error, at) ?? (error as Error).message;
    throw new UsageError(`--listen ${at.host}:${at.port}: ${why}`);
  }
}

const pointText = (
  target: string,
  { at, exitCode, passed, failed, undecided, problem, drift }: CheckPoint,
): string =>
  [
    `${at} ${target}: exit ${exitCode}, ${problem ?? `${failed} failed, ${passed} passed, ${undecided} undecided`}`,
    ...drift.map((change) => `  CHANGED ${change}`),
    '',
  ].join('\n');
