/** How failing scripts are played again: by files, as shell scripts, and by tokens. */
import type { Json } from '../history/events.js';
import { withoutUnasked } from '../history/selection.js';
import type { Findings } from '../oracle/index.js';
import { packageVersion } from '../package-files.js';
import { jsonText } from '../report/escape.js';
import { failingScripts, type FailureRate } from '../report/failure-file.js';
import { shellScript } from '../report/calls/shell-script.js';
import { failureFiles } from '../report/index.js';
import type { RunToConclude } from './conclude-run.js';

type Files = ReturnType<typeof failureFiles>;

/** By number of a script. */
interface ReplayedScripts {
  readonly files: ReadonlyMap<number, string>;
  readonly shells: ReadonlyMap<number, string>;
  readonly tokens: ReadonlyMap<number, string>;
}

/** Writes the files of the failing scripts, as far as the report shows them. @param rates of intermittent failures, by number of the script */
export function writeFailures(
  run: RunToConclude,
  all: Findings,
  rates?: ReadonlyMap<number, FailureRate>,
): ReplayedScripts {
  const findings = { ...all, requirements: withoutUnasked(run.asked, all.requirements) };
  const { redactor, folder, events, choiceWords = [] } = run;
  const begin = events[0]?.kind === 'run' ? events[0] : null;
  const scripts = new Map(run.scripts.map((script, number) => [number, script as unknown as Json]));
  const about = {
    runproof: packageVersion(),
    target: redactor.text(begin?.target.name ?? 'unknown'),
    ...(begin !== null && { runSeed: begin.seed }),
    ...(choiceWords.length > 0 && { choiceWords }),
  };
  const files = failureFiles(findings, scripts, about, rates);
  const shells = shellScripts(run, findings, files);
  for (const { name, file } of files.values()) folder?.write(name, redactor.text(`${jsonText(file, 2)}\n`));
  for (const { name, text } of shells.values()) folder?.write(name, redactor.text(text));
  const named = (all: ReadonlyMap<number, { readonly name: string }>): ReadonlyMap<number, string> =>
    new Map([...all].map(([number, { name }]) => [number, name]));
  return { files: named(files), shells: named(shells), tokens: tokensOf(run, files) };
}

/** The failing scripts as shell scripts, for a target with an address. */
function shellScripts(
  { events, url, basePath = null, replayArguments, redactor }: RunToConclude,
  findings: Findings,
  files: Files,
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
    const saved = files.get(script);
    const name = saved?.name.replace(/\.json$/, '.sh');
    const text = shellScript({
      ...{ history, script, failures, url, basePath, rate: saved?.file.confirmed },
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
function tokensOf({ scripts, redactor, tokenOf }: RunToConclude, files: Files): ReadonlyMap<number, string> {
  const tokens = new Map<number, string>();
  for (const [number, { file }] of files) {
    const script = scripts[number];
    const text = JSON.stringify(script);
    if (script === undefined || redactor.text(text) !== text) continue;
    const requirements = file.failures.map(({ requirement }) => requirement);
    const token = tokenOf?.(script, requirements, file.confirmed) ?? null;
    if (token !== null) tokens.set(number, token);
  }
  return tokens;
}
