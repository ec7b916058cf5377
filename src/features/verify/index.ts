/** `verify`: what it is. What it runs is `bin/runproof-verify.mjs`, which shares nothing with this program. */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { command } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { required, text } from '../../cli/options/option.js';
import { PACKAGE_ROOT } from '../../package-files.js';

/** That file as a module. */
interface Checker {
  main(args: readonly string[], write: (text: string) => void, complain: (text: string) => void): 0 | 1 | 2;
}

export const verify = command({
  usage: 'verify <report>',
  describe: 'Check the proofs of a report with a small program that shares no code with Runproof',
  options: {},
  arguments: {
    report: required(text('report.json, or its folder; history.ndjson must be in the same folder')),
  },
  examples: [['runproof verify reports/broken', 'check each proof against the recorded calls']],
  exits: [[0, 'no proof was refused'], [1, 'a proof was refused'], USAGE, INTERNAL],
  async run({ report }, io) {
    const file = pathToFileURL(join(PACKAGE_ROOT, 'bin', 'runproof-verify.mjs'));
    const { main } = (await import(file.href)) as Checker;
    return main([resolve(io.cwd, report)], io.out, io.err);
  },
});
