/** How failing scripts are played again: as shell scripts, and by tokens. */
import type { Findings } from '../oracle/index.js';
import { failingScripts } from '../report/failure-file.js';
import { shellScript } from '../report/calls/shell-script.js';
import type { failureFiles } from '../report/index.js';
import type { RunToConclude } from './conclude-run.js';

/** The failing scripts as shell scripts, for a target with an address. */
export function shellScripts(
  { events, url, basePath = null, replayArguments, redactor }: RunToConclude,
  findings: Findings,
  files: ReturnType<typeof failureFiles>,
): ReadonlyMap<number, { readonly name: string; readonly text: string }> {
  const scripts = new Map<number, { readonly name: string; readonly text: string }>();
  const [run] = events;
  if (url === null || run?.kind !== 'run' || run.clock === 'virtual') return scripts;
  const control = replayArguments[replayArguments.indexOf('--control') + 1];
  if (run.clock === 'controlled' && (control === undefined || !replayArguments.includes('--control')))
    return scripts;
  const failing = failingScripts(findings);
  // The scripts cut the answers short: a secret that is cut could no longer be told.
  const history = failing.size === 0 ? [] : events.map((event) => redactor.event(event));
  for (const [script, { failures }] of failing) {
    const name = files.get(script)?.name.replace(/\.json$/, '.sh');
    const text = shellScript({
      ...{ history, script, failures, url, basePath },
      control: run.clock === 'controlled' ? (control ?? null) : null,
    });
    if (name !== undefined && text !== null) scripts.set(script, { name, text });
  }
  return scripts;
}

/**
 * A script that contains a secret gets no token: tokens are compressed, so the secret could not be masked
 * there.
 */
export function tokensOf(
  { scripts, redactor, tokenOf }: RunToConclude,
  files: ReturnType<typeof failureFiles>,
): ReadonlyMap<number, string> {
  const tokens = new Map<number, string>();
  for (const [number, { file }] of files) {
    const script = scripts[number];
    const text = JSON.stringify(script);
    if (script === undefined || redactor.text(text) !== text) continue;
    const requirements = file.failures.map(({ requirement }) => requirement);
    const token = tokenOf?.(script, requirements) ?? null;
    if (token !== null) tokens.set(number, token);
  }
  return tokens;
}
