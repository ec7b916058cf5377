import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import { HISTORY } from '../report/made-up.js';
import { createFakeIo } from './fake-io.js';

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');
const WITH_KEY = { env: { RUNPROOF_API_KEY: 'k-0123456789' } };

describe('a command line that cannot be followed ends with 2 and one line that says what to do', () => {
  it.each([
    ['', 'a command is missing: one of demo, check,'],
    ['chek', 'there is no command "chek". Did you mean check?'],
    ['check --onyl 2.2', 'check has no option --onyl. Did you mean --only?'],
    ['check --seed', '--seed requires a value'],
    ['check --seed x', '--seed requires an integer from 0 to 2147483647, not "x"'],
    ['check --seed 1.5', '--seed requires an integer'],
    ['check --runs 0', '--runs requires an integer from 1'],
    ['check --budget soon', '--budget requires a duration such as 500ms, 2s, 1h30m or 7d, not "soon"'],
    ['check --format jsn', '--format is one of terminal, json,'],
    ['check --format jsn', 'Did you mean json?'],
    ['check --profile ful', 'Did you mean full?'],
    ['check --min-decided lots', '--min-decided requires a number or a share such as 40%'],
    ['check --header nonsense', "--header requires 'Name: value'"],
    ['check --header authorization:x', '--header cannot set authorization'],
    ['check --sample-input none.json', '--sample-input none.json cannot be read: ENOENT'],
    ['check --only 2.2/ttl-remove', 'Did you mean 2.2/ttl-removes-'],
    ['check --only 77', '--only "77" matches no requirement, section or scenario.'],
    ['check --skip nothing-like-it-at-all', '--skip "nothing-like-it-at-all" matches no'],
    ['check --skip *', 'no scenario is left for'],
    ['check one two', 'unexpected argument "two": check takes no more arguments'],
    ['check localhost:80/v2/x', 'Did you mean http://localhost:80/v2/x?'],
    ['check ftp://x/v2/x', 'it must begin with http:// or https://'],
    ['check http://u:p@x/v2/x', 'must not contain a user or a password'],
    ['check http://x/v2/x?y=1', 'the address must end before its ? or #: http://x/v2/x'],
    ['check http://x', 'the endpoint is missing: add --endpoint ID, or use the address http://x/v2/ID'],
    ['check http://x/v2/a --endpoint b', 'the URL says endpoint "a", --endpoint says "b"'],
    ['check http://x/v2/a --webhook-url http://y', '--webhook-url requires --webhook-listen'],
    ['check --control http://x', '--control requires the URL of the target'],
    ['check --config none.mjs', 'none.mjs does not exist'],
    ['replay', 'an argument is missing. Usage: runproof replay <file> [url]'],
    ['replay none.json', 'none.json cannot be read: ENOENT'],
    ['judge none.ndjson', 'the history none.ndjson cannot be read: ENOENT'],
    ['list scenaries', 'there is no list "scenaries". Did you mean scenarios?'],
    ['serve --port 99999', '--port requires an integer from 0 to 65535'],
    ['serve --host 0.0.0.0 --port 0', 'explicit'],
  ])('%s', async (line, complaint) => {
    const io = createFakeIo(line.startsWith('serve') ? {} : WITH_KEY);
    expect(await runCli(words(line), io)).toBe(2);
    expect(io.complained()).toContain(complaint);
    expect(io.complained().trimEnd().split('\n')).toHaveLength(1);
    expect(io.printed()).toBe('');
  });

  it('a missing key says where a key can stand', async () => {
    const io = createFakeIo();
    expect(await runCli(['check', 'http://x/v2/x'], io)).toBe(2);
    expect(io.complained()).toBe(
      'runproof: the API key is missing: set RUNPROOF_API_KEY, or add --api-key-file FILE\n',
    );
  });

  it('a key that no header can carry is not printed', async () => {
    const io = createFakeIo();
    expect(await runCli(['check', 'http://x/v2/x', '--api-key', 'se cret\u0007'], io)).toBe(2);
    expect(io.complained()).not.toContain('cret');
  });

  it.each([
    ['{"sed": 1}', '"sed" is not an option. Did you mean seed?'],
    ['{"seed": [1]}', '"seed" must be a string or a number'],
    ['{"quiet": "yes"}', '"quiet" must be true or false'],
    ['[]', 'must contain or export an object of options'],
    ['{', 'cannot be read'],
    ['{"seed": "x"}', '--seed requires an integer'],
  ])('the configuration %s', async (json, complaint) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'runproof.config.json'), json);
    expect(await runCli(['check'], io)).toBe(2);
    expect(io.complained()).toContain(complaint);
  });

  it.each([
    ['', 'is not a history'],
    ['{"kind":"script"}', 'is not a history'],
    ['{', 'is not a history: its first line must be of kind "run"'],
    [
      '{"kind":"run","schema":"runproof-history/1"}',
      ':1 is not a line of a history: runproof is missing. Record it again\n',
    ],
    [
      `${JSON.stringify(HISTORY[0])}\nnonsense`,
      ':2 is not a line of a history: it is not a JSON object. Record it again, or take the line out\n',
    ],
  ])('the history %j', async (text, complaint) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'history.ndjson'), text);
    expect(await runCli(['judge', 'history.ndjson'], io)).toBe(2);
    expect(io.complained()).toContain(complaint);
  });

  it('a script with an unknown step says which', async () => {
    const io = createFakeIo();
    const script = { schema: 'runproof-script/1', scenario: 'x', title: 'x', steps: [{ do: 'dance' }] };
    writeFileSync(join(io.cwd, 'x.json'), JSON.stringify(script));
    expect(await runCli(['replay', 'x.json'], io)).toBe(2);
    expect(io.complained()).toContain('dance');
  });
});

describe('help', () => {
  it.each(['check', 'replay', 'judge', 'serve', 'list'])(
    '%s tells its options and examples',
    async (command) => {
      const io = createFakeIo();
      expect(await runCli([command, '--help'], io)).toBe(0);
      expect(io.printed()).toContain('Examples:');
      expect(io.printed()).toContain(`runproof ${command}`);
    },
  );

  it('offers no command that is not built', async () => {
    const io = createFakeIo();
    await runCli(['--help'], io);
    const offered = [...io.printed().matchAll(/^ {2}runproof ([\w-]+)/gm)].map(([, name]) => name);
    expect(offered).toEqual([
      'demo',
      'check',
      'explore',
      'campaign',
      'replay',
      'shrink',
      'judge',
      'serve',
      'plan',
      'report',
      'show',
      'check-control',
      'clean',
      'init',
      'list',
      'completion',
    ]);
  });
});

it('completion prints a script for the shell and nothing else', async () => {
  const io = createFakeIo();
  expect(await runCli(['completion'], io)).toBe(0);
  expect(io.printed()).toMatch(
    /^#[^]*runproof --get-yargs-completions[^]*###-end-runproof-completions-###\n$/,
  );
});

describe('list', () => {
  it.each(['requirements', 'questions', 'scenarios', 'mutants', 'variants'])(
    '%s, for people and for programs',
    async (what) => {
      const io = createFakeIo();
      expect(await runCli(['list', what, '--json'], io)).toBe(0);
      const items = JSON.parse(io.printed()) as object[];
      const people = createFakeIo();
      expect(await runCli(['list', what], people)).toBe(0);
      expect(items.length).toBeGreaterThan(10);
      expect(people.printed().trimEnd().split('\n').length).toBeGreaterThanOrEqual(items.length);
    },
  );
});
