/** What is expected of every run against a hostile server, whatever the server does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { badXml, liveParts } from './markup.js';
import { shortened } from '../../src/history/long-text.js';
import { JUDGED, type Mode } from './mode.js';
import type { CheckRun } from './run-check.js';
import type { Search } from './secrets.js';

export interface Limits {
  readonly budgetMs: number;
  /** How much later than its budget a run may end. */
  readonly overrunMs: number;
  /** How much later than Ctrl-C a run may end. */
  readonly stopMs: number;
  readonly memoryMb: number;
}

export interface RunOutcome {
  /** Everything that was written, by its path below the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Ids of jobs that the server still has. */
  readonly jobs: readonly string[];
  readonly ran: CheckRun;
}

const ROOT = join(import.meta.dirname, '../..');
/** More text than this is unreadable, both in a terminal and in a file. */
const SAID_CHARACTERS_MAX = 200_000;
const WRITTEN_MB_MAX = 100;

// Controls but for line ends and tabs, and what turns text around. Lone surrogates cannot be in a file of UTF-8.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

let schema: ValidateFunction | null = null;
function validate(): ValidateFunction {
  const text = readFileSync(join(ROOT, 'schemas/report.schema.json'), 'utf8');
  return (schema ??= new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(text) as object));
}

/** One sentence for each thing that does not hold. */
export function breaches(mode: Mode, left: RunOutcome, limits: Limits, search: Search): readonly string[] {
  return [
    ...ending(mode, left.ran, limits),
    ...words(left.ran),
    ...report(left),
    ...texts(left),
    ...jobs(mode, left),
    ...secrets(left, search),
  ];
}

function ending(
  mode: Mode,
  { exit, signal, tookMs, stoppedWithinMs, peakMb }: CheckRun,
  limits: Limits,
): readonly string[] {
  const found: string[] = [];
  const expected = stoppedWithinMs === null ? (mode.exits ?? JUDGED) : [130, ...(mode.exits ?? JUDGED)];
  if (exit === null) found.push(`killed by ${signal}`);
  else if (!expected.includes(exit)) found.push(`exit ${exit}, not ${expected.join(', ')}`);
  if (tookMs > limits.budgetMs + limits.overrunMs)
    found.push(`${seconds(tookMs)}, with a budget of ${seconds(limits.budgetMs)}`);
  if (stoppedWithinMs !== null && stoppedWithinMs > limits.stopMs)
    found.push(`${seconds(stoppedWithinMs)} from Ctrl-C to the end`);
  if (peakMb > limits.memoryMb) found.push(`${peakMb} MB`);
  return found;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** What a person sees has a last word, and no stack. */
function words({ exit, stdout, stderr }: CheckRun): readonly string[] {
  const found: string[] = [];
  const said = `${stdout}\n${stderr}`;
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  if (exit === 2 || exit === 3) {
    if (!/\(exit \d+\)|^runproof: .{10,}/m.test(said)) found.push('no word to the human');
  } else if (exit !== null && !/exit \d+/.test(stdout)) found.push('no verdict on stdout');
  if (lines.some((line) => /^ {4}at |node:internal|Error: .*\n {4}at/.test(line)))
    found.push('a stack on the screen');
  if (said.length > SAID_CHARACTERS_MAX) found.push(`${said.length} characters on the screen`);
  if (/^::(?!error|warning|notice|group|endgroup)|^::.*::hostile$|^##vso/m.test(said))
    found.push('a workflow command on the screen');
  return found;
}

/** What counts here of `report.json`. */
interface Told {
  readonly exitCode: number;
  readonly requirements: readonly { readonly level: string; readonly verdict: string }[];
}

/** Only a run whose key was never accepted has nothing to report. */
function report({ files, ran }: RunOutcome): readonly string[] {
  if (!files.has('history.ndjson')) return ran.exit === 3 || ran.exit === 130 ? [] : ['no history'];
  const text = files.get('report.json');
  if (text === undefined) return ran.exit === 3 || ran.exit === 2 ? [] : ['no report.json'];
  const found: string[] = [];
  try {
    const check = validate();
    const value = JSON.parse(text) as Told;
    if (!check(value)) found.push(`report.json: ${JSON.stringify(check.errors?.[0])}`);
    if (value.exitCode !== ran.exit)
      found.push(`report.json tells exit ${String(value.exitCode)}, not ${ran.exit}`);
  } catch (error) {
    found.push(`report.json: ${String(error)}`);
  }
  const page = files.get('report.html');
  if (page === undefined) found.push('no report.html');
  else found.push(...liveParts(page).map((part) => `report.html: ${part}`));
  return found;
}

function texts({ files, ran }: RunOutcome): readonly string[] {
  const found: string[] = [];
  let characters = 0;
  for (const [name, text] of [...files, ['stdout', ran.stdout], ['stderr', ran.stderr]] as const) {
    characters += text.length;
    const unseen = UNSEEN.exec(text);
    if (unseen !== null) {
      const code = unseen[0].charCodeAt(0).toString(16).padStart(4, '0');
      found.push(
        `${name}: U+${code} in ${JSON.stringify(text.slice(Math.max(0, unseen.index - 40), unseen.index + 20))}`,
      );
    }
    const bad = form(name, text);
    if (bad !== null) found.push(`${name}: ${bad}`);
  }
  if (characters > WRITTEN_MB_MAX * 1024 * 1024)
    found.push(`${Math.round(characters / 1024 / 1024)} MB written`);
  return found;
}

/** Format errors of a file, by its name. */
function form(name: string, text: string): string | null {
  try {
    if (name.endsWith('.ndjson')) for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
    if (/\.(json|har|sarif)$/.test(name)) JSON.parse(text);
  } catch (error) {
    return String(error);
  }
  if (name.endsWith('.xml')) return badXml(text);
  if (name.endsWith('.md')) return liveMarkdown(text);
  if (name.endsWith('.tap')) {
    const [, last = '0'] = /^1\.\.(\d+)/m.exec(text) ?? [];
    const lines = text.match(/^(?:not )?ok \d+/gm)?.length ?? 0;
    if (lines !== Number(last)) return `${lines} results for a plan of ${last}`;
    if (/^Bail out!/m.test(text)) return 'it bails out';
  }
  return null;
}

/** Markup of others outside of code, and links that run or leave; null where there are none. */
function liveMarkdown(text: string): string | null {
  // Indented lines are code, too.
  const shown = text
    .replace(/^ {4}.*$/gm, '')
    .replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1$/gm, '')
    .replace(/(`+)[^`\n]+\1/g, '');
  const live =
    /(?<!\\)<(?!\/?(?:details|summary|br)\b)[a-z/!]|(?<!\\)\]\((?!#)(?:javascript|http:\/\/hostile)/i.exec(
      shown,
    );
  return live === null
    ? null
    : `live markup in ${JSON.stringify(shown.slice(Math.max(0, live.index - 40), live.index + 40))}`;
}

/** Of these jobs, those that the ledger does not hold open: created, and not known to have ended. */
export function unnamedIn(ledger: string, jobs: readonly string[]): readonly string[] {
  const open = openIn(ledger);
  // An id that no call can name is kept in the short form.
  return jobs.filter((id) => !open.has(id) && !open.has(shortened(id)));
}

function openIn(ledger: string): ReadonlySet<string> {
  const open = new Set<string>();
  for (const line of ledger.split('\n')) {
    if (line === '') continue;
    const { job, event } = JSON.parse(line) as { readonly job?: string; readonly event?: string };
    if (job !== undefined) open[event === 'created' ? 'add' : 'delete'](job);
  }
  return open;
}

/** Jobs left on the server are listed in jobs.ndjson; and none is left where it could be ended. */
function jobs(mode: Mode, { jobs: left, files, ran }: RunOutcome): readonly string[] {
  if (mode.jobs === 'untold' || left.length === 0) return [];
  const unknown = unnamedIn(files.get('jobs.ndjson') ?? '', left);
  const told = JSON.stringify(unknown.slice(0, 3)).slice(0, 200);
  const found =
    unknown.length === 0 ? [] : [`${unknown.length} jobs left that the ledger does not name: ${told}`];
  if (mode.jobs !== 'named' && ran.stoppedWithinMs === null) found.push(`${left.length} jobs left`);
  return found;
}

function secrets({ files, ran }: RunOutcome, search: Search): readonly string[] {
  return [...files, ['stdout', ran.stdout] as const, ['stderr', ran.stderr] as const].flatMap(
    ([name, text]) => search(text).map((part) => `a secret in ${name}: ${part}`),
  );
}
