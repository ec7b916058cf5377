/** The way from a report in the terminal to its page. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPage } from '../../src/cli/report/open-page.js';
import { fileLink } from '../../src/cli/report/terminal-link.js';
import { until } from '../support/until.js';
import { createFakeIo } from './fake-io.js';

describe('a file is a link', () => {
  it.each<[object, boolean, boolean]>([
    [{ TERM_PROGRAM: 'iTerm.app' }, true, true],
    [{ VTE_VERSION: '7600' }, true, true],
    [{ TERM: 'xterm-kitty' }, true, true],
    [{ TERM: 'xterm-256color' }, true, false],
    [{ TERM_PROGRAM: 'iTerm.app' }, false, false],
    [{ TERM_PROGRAM: 'iTerm.app', NO_COLOR: '1' }, true, false],
    [{ TERM_PROGRAM: 'iTerm.app', CI: 'true' }, true, false],
    [{ TERM_PROGRAM: 'iTerm.app', FORCE_HYPERLINK: '0' }, true, false],
    [{ FORCE_HYPERLINK: '1' }, false, true],
  ])('%j, on a terminal: %s: %s', (env, errIsTerminal, isLink) => {
    const text = fileLink('a b/report.html', { cwd: '/w', env: { ...env }, errIsTerminal });
    expect(text).toBe(
      isLink
        ? '\u001b]8;;file:///w/a%20b/report.html\u001b\\a b/report.html\u001b]8;;\u001b\\'
        : 'a b/report.html',
    );
  });
});

describe('--open', () => {
  it.skipIf(process.platform === 'win32')('starts the program of BROWSER with the page', async () => {
    const io = createFakeIo();
    const browser = join(io.cwd, 'browser');
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" > "${io.cwd}/opened.part" && mv "${io.cwd}/opened.part" "${io.cwd}/opened"\n`,
    );
    chmodSync(browser, 0o755);
    openPage('r/report.html', { ...io, env: { BROWSER: browser } });
    await until(() => existsSync(join(io.cwd, 'opened')));
    expect(readFileSync(join(io.cwd, 'opened'), 'utf8')).toBe(`file://${io.cwd}/r/report.html`);
  });

  it('says what to do where there is no such program', async () => {
    const io = createFakeIo();
    openPage('r/report.html', { ...io, env: { BROWSER: 'no-such-browser' } });
    await until(() => io.complained() !== '');
    expect(io.complained()).toMatch(
      /^--open: no-such-browser cannot be started\. Open file:.*, or set BROWSER\n$/,
    );
  });
});
