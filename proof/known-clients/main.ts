/**
 * `npm run clients`: judges the known clients under all conditions, and writes `results.json`, docs/clients.md and a report for
 * the makers of each (`reports/known-clients/`), ready to be sent. `--check` repeats the conditions that show a violation, and
 * exits with 1 if the page is wrong; `--only sdk` selects programs by a part of their names; `--install` installs first
 * what is no dependency of this repository. RUNPOD_PYTHON is a Python that has `runpod`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from '../../src/report/index.js';
import { KNOWN_CLIENTS, type KnownClient } from './clients.js';
import { drift } from './check.js';
import { makersReport } from './makers-report.js';
import { clientsPage } from './page.js';
import { readResults, RESULTS_FILE, resultsText, unconfirmed, type Results } from './results.js';
import { findClient, FOLDER, judgeProgram, resultOf, type Found } from './run.js';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.install) {
  mkdirSync(FOLDER, { recursive: true });
  const wanted = KNOWN_CLIENTS.filter(({ onRequest }) => onRequest === true);
  const names = wanted.map(({ name, version }) => `${name}@${version}`);
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', FOLDER];
  execFileSync('npm', ['install', ...options, ...names], { stdio: 'inherit' });
}

const chosen = KNOWN_CLIENTS.map((client) => ({
  ...client,
  programs: Object.fromEntries(
    Object.entries(client.programs).filter(([file]) => file.includes(values.only)),
  ),
})).filter(({ programs }) => Object.keys(programs).length > 0);

const wrong: string[] = [];
const fresh: { [program: string]: Results[string] } = {};
for (const client of chosen) {
  const found = findClient(client);
  if (typeof found === 'string') say(`skipped  ${found}`);
  else if (values.check) {
    const drifted = await drift(client, found);
    say(`${drifted.length === 0 ? 'ok      ' : 'WRONG   '} ${client.name} ${found.version}`);
    wrong.push(...drifted);
  } else await judge(client, found);
}
const results: Results = { ...readResults(), ...fresh };
wrong.push(...unconfirmed(results));
if (!values.check) {
  writeFileSync(RESULTS_FILE, resultsText(results));
  writeFileSync(new URL('../../docs/clients.md', import.meta.url), clientsPage(results));
}
for (const line of wrong) say(line);
process.exitCode = wrong.length > 0 ? 1 : 0;

async function judge(client: KnownClient, found: Found): Promise<void> {
  const reports = new Map<string, Report>();
  for (const program of Object.keys(client.programs)) {
    const report = await judgeProgram(client, found, program);
    reports.set(program, report);
    fresh[program] = resultOf(report, found.version);
    say(`${program.padEnd(20)} ${report.verdict}`);
  }
  const file = join(FOLDER, `${client.name.replaceAll(/\W+/g, '-').replace(/^-/, '')}.md`);
  writeFileSync(file, makersReport(client, found.version, reports));
  say(`written  ${file}`);
}
