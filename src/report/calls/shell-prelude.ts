/** The beginning of a shell script of calls: its variables and functions. */
import type { BasePath } from '../../history/served-path.js';
import type { CallEvent, HistoryEvent, ScriptEvent } from '../../history/events.js';
import type { Failure } from '../../oracle/ledger/findings.js';
import { LOCAL_API_KEY } from '../../spec/local-key.js';
import { isLoopbackUrl } from '../../util/address.js';
import { escapeControls } from '../escape.js';
import type { FailureRate } from '../failure-file.js';
import { runsNeeded } from '../formatting.js';

/** A line of every such script, by which it is known as one of ours. */
export const SHELL_SCRIPT_MARK = '# `runproof replay` runs the same script and judges it.';

export interface ShellScriptInput {
  readonly history: readonly HistoryEvent[];
  /** The number of the script in the history. */
  readonly script: number;
  /** What it showed. */
  readonly failures: readonly Failure[];
  /** `{base_url}` of the target. */
  readonly url: string;
  readonly basePath: BasePath | null;
  /** The address of test control; null: time is real. */
  readonly control: string | null;
  /** Of an intermittent failure. */
  readonly rate?: FailureRate | undefined;
}

/** Of commands that submit jobs to an endpoint that others may use. */
export const BUSY =
  'A job waits while all workers are busy, also with jobs of the run: begin when /health shows none in progress';

/** What differing answers mean. */
export function ifDiffering({ rate }: Pick<ShellScriptInput, 'rate'>): string {
  const needed = rate === undefined ? null : runsNeeded(rate);
  return needed === null
    ? 'the failure is fixed, or the script did not get as far: runproof replay tells which'
    : `that does not yet show that it is fixed: ${needed}. Only runproof replay judges the answers`;
}

/** The first id in a file, or in what is read from a pipe, as a pipe. */
export const idIn = (file = ''): string =>
  `grep -o '"id" *: *"[^"]*"'${file && ` ${file}`} | head -n 1 | sed 's/.*: *"\\(.*\\)"/\\1/'`;

export const comment = (text: string): string => `# ${escapeControls(text)}`;

/** The keys that calls may show, each with how the kinds of its calls begin. */
const KEY_VARIABLES = [
  ['RUNPROOF_API_KEY', 'the API key', ''],
  ['RUNPROOF_UNPERMITTED_API_KEY', 'the key without permission', 'unpermitted'],
  ['RUNPROOF_OTHER_API_KEY', 'the key of another user', 'other-user'],
] as const;

function howToSet([name, what, kind]: (typeof KEY_VARIABLES)[number], url: string): string {
  // A run on this machine may have used this key, unasked.
  const ours = kind === '' && isLoopbackUrl(url) ? ` (that of the emulator: ${LOCAL_API_KEY})` : '';
  return `set ${name} to ${what}${ours}`;
}

/** How to set the keys that commands read. */
export const keysFor = (commands: string, url: string): readonly string[] =>
  KEY_VARIABLES.filter(([name]) => commands.includes(name)).map((key) => howToSet(key, url));

export function head(
  { failures, url, control, rate }: ShellScriptInput,
  begin: ScriptEvent,
  calls: readonly CallEvent[],
): readonly string[] {
  const has = (kind: string): boolean => calls.some(({ request }) => request.auth.startsWith(kind));
  return [
    '#!/usr/bin/env bash',
    comment(`Script ${begin.script} of this run, ${begin.scenario}, as curl commands.`),
    ...failures.map(({ requirement, expected }) => comment(`It showed ${requirement}: ${expected}`)),
    '# At the end it compares the answers with the recorded failure: exit 1 if code and status are the same, 0 if not.',
    comment(`If they differ, ${ifDiffering({ rate })}.`),
    ...(control === null ? [comment(`${BUSY}.`)] : []),
    SHELL_SCRIPT_MARK,
    'set -euo pipefail',
    ...KEY_VARIABLES.filter(([, , kind]) => kind === '' || has(kind)).map(
      (key) => `if [ -z "\${${key[0]}:-}" ]; then echo "${howToSet(key, url)}" >&2; exit 2; fi`,
    ),
    `BASE_URL="\${BASE_URL:-${inDoubleQuotes(url)}}"`,
    ...(control === null ? [] : [`CONTROL_URL="\${CONTROL_URL:-${inDoubleQuotes(control)}}"`]),
    `ENDPOINT="\${ENDPOINT:-${inDoubleQuotes(begin.endpoint)}}"`,
    ...(begin.secondEndpoint === undefined
      ? []
      : [`ENDPOINT_2="\${ENDPOINT_2:-${inDoubleQuotes(begin.secondEndpoint)}}"`]),
    'replies=$(mktemp -d)',
    `trap 'rm -rf "$replies"' EXIT`,
    '',
    '# call NUMBER ARGUMENTS…: sends a call with curl and shows its reply.',
    'call() {',
    '  local number=$1 code',
    '  shift',
    `  code=$(curl -sS --max-time 120 -o "$replies/$number" -w '%{http_code}' "$@") || code=lost`,
    '  printf %s "$code" >"$replies/$number.code"',
    `  printf '#%s → %s %s\\n' "$number" "$code" "$(head -c 300 "$replies/$number" 2>/dev/null)"`,
    '}',
    '# id_of NUMBER: the id of the job that this call submitted.',
    'id_of() {',
    `  ${idIn('"$replies/$1"')}`,
    '}',
    'no_id() { printf "call #%s returned no id, so the script ends here\\n" "$1" >&2; exit 2; }',
    ...(control === null ? [] : CONTROL_FUNCTIONS),
    '',
  ];
}

const CONTROL_FUNCTIONS = [
  '# control METHOD PATH [BODY]: a call of test control.',
  'control() {',
  `  curl -sS -f -X "$1" "$CONTROL_URL$2" -H "authorization: $RUNPROOF_API_KEY" -H 'content-type: application/json' \${3:+--data-binary "$3"}`,
  '}',
  '# advance MS: moves the clock.',
  'advance() { control POST /clock/advance "{\\"byMs\\":$1}" >/dev/null; }',
  '# arrived COUNT: waits until so many calls have reached the endpoint.',
  'arrived() {',
  '  for _ in $(seq 200); do',
  `    [ "$(control GET "/endpoints/$ENDPOINT" | grep -o '"received" *: *[0-9]*' | grep -o '[0-9]*$')" -lt "$1" ] || return 0`,
  '    sleep 0.05',
  '  done',
  '}',
];

/** Inside double quotes, within `${…:-…}`. */
function inDoubleQuotes(text: string): string {
  return escapeControls(text).replace(/[\\"$`}]/g, '\\$&');
}
