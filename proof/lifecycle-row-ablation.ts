/**
 * `npm run proofs -- rows`: each bound of the life-cycle is needed. Its requirement is taken out of the table in turn, and the kept
 * histories of faults are judged without it: at least one fault that was caught has to escape. Else the row says nothing that
 * others do not say, or a fault is missing.
 *
 * A fault may be told by a narrower requirement than that of the row it breaks (`blame/narrower.ts`): all that break the
 * requirement by the lists of `breaks/` are tried.
 */
import { basename, join } from 'node:path';
import { readdirSync } from 'node:fs';
import { transitions } from '../src/oracle/index.js';
import { isRequirementId, requirement, type RequirementId } from '../src/spec/index.js';
import { brokenBy } from './breaks/index.js';
import { chosen } from './matches-selection.js';
import type { FindingsTask, JudgedHistory } from './trials/findings-trial.js';
import { HISTORY_ENDING } from './history-files.js';
import { workOff } from './pool.js';
import type { Wish } from './proof-options.js';

/** So many faults are tried for each requirement of those that it names, and of those that others name: first those that fewest do. */
const TRIED_MAX = 12;

const TTL_EXPIRED = /^7\/ttl-expired-/;
const RESULT_EXPIRED = /^7\/result-expired-/;
/**
 * What the document says twice. That a job is deleted shows in nothing but that calls do not find it, and section 7 says so of
 * each call: 404 for "a job whose `ttl` expired or whose result expired". Whoever breaks one of these breaks the other, so a
 * fault counts as escaped when nothing else names it. A running job has another end to show: its call of /runsync.
 */
const SAID_TWICE: Partial<Record<RequirementId, RegExp>> = {
  '2.2/ttl-removes-queued': TTL_EXPIRED,
  '2.2/ttl-removes-completed': TTL_EXPIRED,
  '2.2/ttl-removes-failed': TTL_EXPIRED,
  '2.2/ttl-removes-timed-out': TTL_EXPIRED,
  '4.1/retention-gone': RESULT_EXPIRED,
  '4.1/retention-with-wait-gone': RESULT_EXPIRED,
  '4.2/retention-gone': RESULT_EXPIRED,
};

interface Row {
  readonly id: RequirementId;
  /** Faults that are named by it. */
  readonly named: number;
  /** Faults that break it, and that nothing names without it. */
  readonly escaped: readonly string[];
}

/** Runs the proof; true where a fault escapes without each requirement. Throws where no history of a fault is given. */
export async function rows({
  threads,
  only,
  say,
  write,
  findings: { histories, every },
}: Wish): Promise<boolean> {
  const paths = histories
    .flatMap((folder) =>
      readdirSync(folder)
        .filter(isOfFault)
        .sort()
        .map((name) => join(folder, name)),
    )
    .filter((_, index) => index % every === 0);
  if (paths.length === 0)
    throw new Error(
      'no history of a fault: --histories names a folder of reports/histories/ that npm run proofs has filled',
    );
  const ids = boundIds().filter((id) => chosen(id, only));
  say(`${paths.length} histories, ${ids.length} requirements`);
  const judged = await workOff(
    paths.map((path) => taskOf(path)),
    threads,
    () => undefined,
  );
  const caught = judged
    .map((one, index) => ({ path: paths[index]!, by: rightlyNamed(paths[index]!, one) }))
    .filter(({ by }) => by.length > 0)
    .sort((left, right) => left.by.length - right.by.length);
  const found: Row[] = [];
  for (const id of ids) {
    const named = caught.filter(({ by }) => by.includes(id));
    const others = caught.filter(({ path, by }) => !by.includes(id) && brokenBy(faultOf(path)).has(id));
    const tried = [...named.slice(0, TRIED_MAX), ...others.slice(0, TRIED_MAX)];
    const tasks = tried.map(({ path }) => taskOf(path, [id]));
    const without = await workOff(tasks, threads, () => undefined);
    const escaped = without.flatMap((one, index) => {
      const { path } = tasks[index]!;
      const by = rightlyNamed(path, one).filter((each) => !SAID_TWICE[id]?.test(each));
      return by.length === 0 ? [faultOf(path)] : [];
    });
    found.push({ id, named: named.length, escaped });
    if (escaped.length === 0) say(`no fault escapes without ${id} (named for ${named.length})`);
  }
  write('rows.md', rowsMarkdown(found));
  const needed = found.filter(({ escaped }) => escaped.length > 0).length;
  say(`${needed} of ${found.length} requirements of the life-cycle are needed to catch some fault`);
  return needed === found.length;
}

/** The musts that bound a life, or forbid a move of it. */
function boundIds(): readonly RequirementId[] {
  const ids = transitions().flatMap((one) => [...one.notEarlier, ...one.notLater, ...one.requires]);
  return [...new Set(ids)].filter((id) => requirement(id).level === 'must').sort();
}

const isOfFault = (name: string): boolean => name.endsWith(HISTORY_ENDING) && !name.includes('-none.');

/** Without the digest of what has played it. */
const faultOf = (path: string): string =>
  basename(path, HISTORY_ENDING)
    .replace(/^(naive|mutant)-/, '')
    .replace(/\.[0-9a-f]{8}$/, '');

const taskOf = (path: string, without: readonly RequirementId[] = []): FindingsTask => ({
  kind: 'findings',
  path,
  without,
});

/** Musts that failed, and that the fault breaks. */
function rightlyNamed(path: string, { requirements }: JudgedHistory): readonly RequirementId[] {
  const broken = brokenBy(faultOf(path));
  return Object.entries(requirements).flatMap(([id, { failed, level }]) =>
    failed > 0 && level === 'must' && broken.has(id) && isRequirementId(id) ? [id] : [],
  );
}

function rowsMarkdown(found: readonly Row[]): string {
  const lines = found.map(
    ({ id, named, escaped }) =>
      `| \`${id}\` | ${named} | ${escaped.length === 0 ? '**none**' : escaped.slice(0, 3).join(', ')} | ${id in SAID_TWICE ? 'section 7' : ''} |`,
  );
  return `# Each bound of the life-cycle is needed\n\n| without | faults named by it | that escape | but for |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
}
