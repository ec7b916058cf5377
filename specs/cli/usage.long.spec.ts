import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/cli/options/command.js';
import { COMMANDS } from '../../src/shell/commands.js';
import { GENERAL_OPTIONS } from '../../src/cli/options/option-table.js';
import { runCli } from '../../src/shell/program.js';
import { HISTORY } from '../report/sample-report.js';
import { createFakeIo } from './fake-io.js';

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');
const WITH_KEY = { env: { RUNPROOF_API_KEY: 'k-0123456789' } };

describe('a command line that cannot be followed ends with 2 and one line that says what to do', () => {
  it.each([
    ['chek', 'there is no command "chek". Did you mean check?'],
    ['check --onyl 2.2', 'check has no option --onyl. Did you mean --only?'],
    ['check --seed', '--seed requires a value'],
    ['check --seed x', '--seed requires an integer from 0 to 2147483647, not "x"'],
    ['check --seed 1.5', '--seed requires an integer'],
    ['check --runs 0', '--runs requires an integer from 1'],
    [
      'check --budget soon',
      '--budget requires a duration such as 500ms, 2s, 1h30m or 7d (without a unit: seconds), not "soon"',
    ],
    ['check --budget 0s', '--budget requires at least 1 ms, not "0s"'],
    ['explore --time 0s', '--time requires at least 1 ms, not "0s"'],
    ['report frob x', 'the action must be one of merge, diff, render, matrix, history, badge, not "frob"'],
    ['campaign frob redis://x', 'the action must be one of start, work,'],
    ['check --format jsn', '--format must be one of terminal, json,'],
    ['check --format jsn', 'Did you mean json?'],
    ['check --profile ful', 'Did you mean full?'],
    ['check --min-decided lots', '--min-decided requires a number or a share such as 40%'],
    ['check --header nonsense', "--header requires 'Name: value'"],
    ['check --header authorization:x', '--header cannot set authorization'],
    ['check --sample-input none.json', '--sample-input none.json does not exist'],
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
    ['check http://x/v2/a/run', 'the address is too long: use http://x/v2/a, without /run'],
    ['check http://x/v2/a --endpoint b', 'the URL says endpoint "a", --endpoint says "b"'],
    ['check http://x/v2/a --webhook-url http://y', '--webhook-url requires --webhook-listen'],
    ['check --control http://x', '--control requires the URL of the target'],
    ['check --speed 60', '--speed requires the URL of the target'],
    ['check http://x/v2/a --speed 0', '--speed requires a number from 0.1 to 10000, such as 60, not "0"'],
    ['check --config none.mjs', '--config none.mjs does not exist'],
    ['replay', 'an argument is missing. Usage: npx runproof replay <file> [url]'],
    ['serve --host 0.0.0.0 --port 0', 'set RUNPROOF_API_KEY, or add --api-key-file FILE'],
    ['serve --endpoint a/b', 'an endpoint id is any text without a slash, not "a/b"'],
    ['check-control', 'the address of test control is missing'],
    ['judge .', '. is a folder, not a file: name the history.ndjson in it'],
    ['list scenaries', 'there is no list "scenaries". Did you mean scenarios?'],
    ['client', 'the command of the client is missing: npx runproof client -- COMMAND'],
    ['client --', 'the command of the client is missing'],
    ['client node x.mjs', 'the command to run begins after --: npx runproof client -- node'],
    ['client --attach -- node x.mjs', '--attach starts no command: leave out what follows --'],
    ['client --attach --only clear,job-fails', '--attach is for one condition'],
    ['client --only claer -- x', '"claer" is not a condition. Did you mean clear?'],
    ['client --skip * -- x', 'no condition is left'],
    ['client --expect job-fails=256 -- x', '--expect requires CONDITION=success,'],
    ['client --expect job-falls=3 -- x', '"job-falls" is not a condition. Did you mean job-fails?'],
    ['client --format json -- x', '--format requires a folder: add --out FOLDER'],
    ['client --output {x -- x', '--output is not JSON'],
    ['client --limit 1ms -- x', '--limit requires at least 1 s'],
    ['serve --port 99999', '--port requires an integer from 0 to 65535'],
  ])('%s', async (line, complaint) => {
    const io = createFakeIo(line.startsWith('serve') ? {} : WITH_KEY);
    expect(await runCli(words(line), io)).toBe(2);
    expect(io.complained()).toContain(complaint);
    expect(io.complained().trimEnd().split('\n')).toHaveLength(1);
    expect(io.printed()).toBe('');
  });

  it.each([
    ['replay none', 'none'],
    ['shrink none', 'none'],
    ['judge none', 'none'],
    ['show none', 'none'],
    ['report render none', 'none'],
    ['clean none', 'none'],
    ['check --api-key-file none', '--api-key-file none'],
    ['check --cacert none', '--cacert none'],
    ['check --sample-input none', '--sample-input none'],
    ['check --config none', '--config none'],
    ['check --scenarios none', '--scenarios none'],
    ['check --dialect none', '--dialect none'],
    ['explore --dialect none', '--dialect none'],
    ['serve --dialect none', '--dialect none'],
    ['serve --handler none', '--handler none'],
    ['client --handler none -- x', '--handler none'],
    ['client --input none -- x', '--input none'],
    ['client --output none -- x', '--output none'],
  ])('a file that is not there: %s', async (line, named) => {
    const io = createFakeIo();
    expect(await runCli(words(line), io)).toBe(2);
    expect(io.complained()).toBe(`runproof: ${named} does not exist\n`);
  });

  it.each([
    ['replay package.json', 'is not a saved failure: name a file of failures/ of a report'],
    ['check --cacert package.json', 'contains no certificate: it must be PEM'],
    ['check --only 9 --out package.json', 'is a file, not a folder: choose another folder'],
    ['check http://127.0.0.1:1/v2/test --out package.json', '--out package.json is a file, not a folder'],
  ])('a file of another kind: %s', async (line, complaint) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'package.json'), '{"name":"x"}');
    expect(await runCli(words(line), io)).toBe(2);
    expect(io.complained()).toContain(complaint);
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
    ['{"sed": 1}', '"sed" is not an option. Did you mean seed or speed?'],
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
    ['', 'history.ndjson is empty'],
    ['{"kind":"script"}', 'is not a history: its first line must be of kind "run"'],
    [
      '{',
      'history.ndjson is not recorded traffic: history.ndjson:1: the line is not JSON. judge reads HAR 1.2, NDJSON',
    ],
    ['{"method":"GET","url":"https://a.b/","start":0}', '1 request, and none of them is a call such as POST'],
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

  it('is printed without a command, too, with 2', async () => {
    const [bare, help] = [createFakeIo(), createFakeIo()];
    expect([await runCli([], bare), await runCli(['--help'], help)]).toEqual([2, 0]);
    expect([bare.printed(), bare.complained()]).toEqual(['', help.printed()]);
  });

  it('offers no command that is not built', async () => {
    const io = createFakeIo();
    await runCli(['--help'], io);
    const offered = [...io.printed().matchAll(/^ {2}npx runproof ([\w-]+)/gm)].map(([, name]) => name);
    expect(offered).toEqual([
      'demo',
      'check',
      'explore',
      'campaign',
      'replay',
      'shrink',
      'judge',
      'proxy',
      'client',
      'serve',
      'log',
      'trigger',
      'plan',
      'report',
      'show',
      'verify',
      'check-control',
      'clean',
      'init',
      'list',
      'completion',
    ]);
  });
});

describe('every command', () => {
  it.each(COMMANDS.map((command) => [nameOf(command), command] as const))(
    '%s has the same options',
    (_, { options }) => {
      expect(options).toMatchObject(GENERAL_OPTIONS);
    },
  );

  /** Each type, and the text of the help, by the name of the option. */
  it('an option is of one type, whatever the command', () => {
    const types = new Map<string, Set<string>>();
    for (const { options } of COMMANDS)
      for (const [name, { type, array, number }] of Object.entries(options)) {
        const all = types.get(name) ?? new Set();
        types.set(name, all.add(`${type} ${array === true ? 'list' : ''}${number === true ? 'number' : ''}`));
      }
    // `serve` may have several endpoints.
    types.delete('endpoint');
    const several = [...types].filter(([, kinds]) => kinds.size > 1).map(([name, kinds]) => [name, ...kinds]);
    expect(several).toEqual([]);
  });

  it('that calls a server takes what every server may need', () => {
    for (const name of ['check', 'plan', 'replay', 'shrink', 'clean', 'check-control']) {
      const { options } = COMMANDS.find((command) => nameOf(command) === name)!;
      expect([name, ...Object.keys(options)]).toEqual(
        expect.arrayContaining(['api-key', 'header', 'cacert', 'insecure', 'proxy', 'timeout', 'config']),
      );
    }
  });

  it('has its exit codes in its help', async () => {
    const helpOf = async (command: string): Promise<string> => {
      const io = createFakeIo();
      await runCli([command, '--help'], io);
      return io.printed();
    };
    expect(await helpOf('check')).toMatch(
      /^ {2}5 {4}an entry of the baseline has expired, or its failure no longer occurs$/m,
    );
    expect(await helpOf('replay')).toMatch(
      /^ {2}0 {4}FIXED: the failure is gone; PASSED: nothing failed this time$/m,
    );
    expect(await helpOf('shrink')).toMatch(
      /^ {2}1 {4}a required rule fails; the smaller script is written$/m,
    );
    for (const command of COMMANDS) {
      const help = await helpOf(nameOf(command));
      expect([help, nameOf(command)]).toEqual([
        expect.stringMatching(/\nExit codes:\n {2}0 {4}\w/),
        nameOf(command),
      ]);
      expect(help).toMatch(/^ {2}4 {4}internal error of Runproof/m);
    }
    expect(await helpOf('serve')).toMatch(/--port .*\n?.*\[number\]/);
    expect(await helpOf('completion')).toContain('Print a completion script for your shell');
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
