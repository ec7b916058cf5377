/** `clean`: ends the jobs that an interrupted run left behind. */
import type { ExitCode } from '../../report/index.js';
import { truncated } from '../../report/escape.js';
import { pluralize } from '../../report/formatting.js';
import { LOCAL_API_KEY } from '../../server/index.js';
import { endJobs, TargetError } from '../../target/http/index.js';
import { UnreachableError, UsageError } from '../../util/errors.js';
import { isLoopbackUrl } from '../../util/address.js';
import type { Io } from '../../cli/io.js';
import type { CleanSettings } from './index.js';
import { isMasked, noteEnded, readCreatedJobs, type UnfinishedJob } from '../../files/created-jobs.js';
import { connectionSettings, NO_KEY, type ConnectionSettings } from '../../cli/options/settings.js';

/** How many jobs that could not be ended are named, and how many characters of each. */
const NAMED_MAX = 10;
const NAME_CHARACTERS_MAX = 80;

export async function clean(given: CleanSettings, io: Io): Promise<ExitCode> {
  const { jobs: file } = given;
  const { open, damaged } = readCreatedJobs(file, io.cwd);
  const unread =
    damaged.length === 0
      ? []
      : [`${pluralize(damaged.length, 'line')} of ${file} cannot be read, line ${damaged[0]!} first`];
  if (open.length === 0) {
    if (unread.length > 0) throw new UnreachableError(`${unread.join('')}: all other jobs have ended`);
    io.out('nothing to end: every job in the file is known to have ended\n');
    return 0;
  }
  const connection = connectionSettings(given, io);
  // As in `check`: on this machine the key of our own `serve` is tried.
  const isHere = open.every(({ url }) => isLoopbackUrl(url));
  const settings = { ...connection, apiKey: connection.apiKey ?? (isHere ? LOCAL_API_KEY : undefined) };
  if (settings.apiKey === undefined) throw new UsageError(NO_KEY);
  const left: UnfinishedJob[] = open.filter(isMasked);
  const whole = open.filter((job) => !isMasked(job));
  for (const url of new Set(whole.map((job) => job.url)))
    left.push(
      ...(await endJobsOf(
        whole.filter((job) => job.url === url),
        settings,
      )),
    );
  const ended = open.filter((job) => !left.includes(job));
  noteEnded(file, io.cwd, ended);
  io.out(`${pluralize(ended.length, 'job')} ended\n`);
  if (left.length === 0 && unread.length === 0) return 0;
  const named = left
    .slice(0, NAMED_MAX)
    .map(({ endpoint, job }) => truncated(`${endpoint}/${job}`, NAME_CHARACTERS_MAX));
  const rest = left.length > NAMED_MAX ? ' and others' : '';
  const notEnded =
    left.length === 0
      ? []
      : [`${pluralize(left.length, 'job')} could not be ended: ${named.join(', ')}${rest}`];
  throw new UnreachableError([...notEnded, ...unread].join('; '));
}

/** Ends jobs of one target, and returns those that could not be ended. */
async function endJobsOf(
  jobs: readonly UnfinishedJob[],
  settings: ConnectionSettings,
): Promise<readonly UnfinishedJob[]> {
  const [first] = jobs;
  if (first === undefined) return [];
  const { apiKey, auth } = settings;
  try {
    const left = await endJobs(
      {
        ...settings,
        url: first.url,
        basePath: first.basePath ?? undefined,
        apiKey: apiKey ?? null,
        auth: auth === 'auto' ? first.auth : auth,
      },
      jobs,
    );
    return jobs.filter((one) =>
      left.some(({ endpoint, job }) => endpoint === one.endpoint && job === one.job),
    );
  } catch (error) {
    // An invalid address must not prevent the jobs of other targets from being ended.
    if (error instanceof TargetError) return jobs;
    throw error;
  }
}
