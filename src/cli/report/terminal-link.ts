/** Links that a terminal opens by a click (OSC 8), where the terminal is known to understand them. */
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import type { Io } from '../io.js';

/** Terminals by the variables that they set. Others may print the sequence as text. */
const KNOWN: readonly ((env: Io['env']) => boolean)[] = [
  (env) =>
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'].includes(
      env['TERM_PROGRAM'] ?? '',
    ),
  (env) => Number(env['VTE_VERSION'] ?? 0) >= 5000,
  (env) =>
    ['WT_SESSION', 'KONSOLE_VERSION', 'KITTY_WINDOW_ID', 'DOMTERM'].some((name) => env[name] !== undefined),
  (env) => /^(xterm-kitty|alacritty|foot|xterm-ghostty)/.test(env['TERM'] ?? ''),
];

/** `FORCE_HYPERLINK` decides, as for other programs; without it no link in CI, without colours, or in a pipe. */
function understandsLinks({ env, errIsTerminal }: Pick<Io, 'env' | 'errIsTerminal'>): boolean {
  const forced = env['FORCE_HYPERLINK'] ?? '';
  if (forced !== '') return forced !== '0';
  const off = (env['NO_COLOR'] ?? '') !== '' || (env['CI'] ?? '') !== '' || env['TERM'] === 'dumb';
  return errIsTerminal && !off && KNOWN.some((is) => is(env));
}

/** The name of the file or folder, for standard error: as a link where the terminal opens it. */
export function fileLink(name: string, io: Pick<Io, 'cwd' | 'env' | 'errIsTerminal'>): string {
  if (!understandsLinks(io)) return name;
  return `\u001b]8;;${pathToFileURL(resolve(io.cwd, name)).href}\u001b\\${name}\u001b]8;;\u001b\\`;
}
