import { describe, expect, it } from 'vitest';
import { WEATHERS } from '../../../src/client/weather/index.js';
import { renderTerminal } from '../../../src/report/terminal/terminal.js';
import { asksOn, MIXED, reportOf, result, written } from './sample.js';

const render = (report = MIXED, columns = 110, colour = false, verbose = false): readonly string[] =>
  renderTerminal(written(report), {
    ...{ columns, colour, verbose, program: 'runproof', directory: 'out' },
    ...{ titles: new Map(), quotes: new Map() },
  }).split('\n');

const FAILED = reportOf([result('clear'), asksOn('job-fails'), asksOn('worker-crashes', 3)]);

describe('the report for a terminal', () => {
  it('begins and ends with the cause', () => {
    const lines = render(FAILED);
    expect(lines[0]).toMatch(
      /^FAILED client\/stops-at-failed under 2 of 3 conditions: it asked 17 times more /,
    );
    expect(lines.at(-2)).toBe(`${lines[0]}  (exit 1)`);
  });

  it('shows the weathers with a violation by the rules that are violated', () => {
    expect(render(FAILED).slice(2, 9)).toEqual([
      '',
      '                1',
      'job-fails       ✗  stopped at the limit (30 s)',
      'worker-crashes  ✗  stopped at the limit (30 s)',
      '1 condition without a violation (-v shows them)',
      '',
      ' 1 client/stops-at-failed',
    ]);
    expect(render(reportOf([result('clear')])).slice(2, 4)).toEqual([
      '',
      '1 condition without a violation (-v shows them)',
    ]);
  });

  it('has with verbose a character for each rule in each weather, none for a rule that was never decided', () => {
    const lines = render(FAILED, 110, false, true);
    const from = lines.indexOf('                123E');
    expect(lines.slice(from, from + 4)).toEqual([
      '                123E',
      'clear           ✓·✓✓  exit code 0 after 5 s',
      'job-fails       ✓✗✓·  stopped at the limit (30 s)',
      'worker-crashes  ✓✗✓·  stopped at the limit (30 s)',
    ]);
    expect(lines).toContain(
      '  · advice   client/reads-all-chunks  The client keeps `client/reads-all-chunks`. (no condition put it to the test)',
    );
    expect(lines).toContain(
      ' 1 client/key-in-header     2 client/stops-at-failed   3 client/poll-pause        E client/ending',
    );
  });

  it('shows of each violated rule one example, its source, and how to repeat it', () => {
    const lines = render(FAILED);
    const from = lines.indexOf('  advice  client/stops-at-failed  failed 2 of 2 decisions');
    expect(lines[from - 1]).toMatch(/^✘ Under 2 of 3 conditions: it asked 17 times more .*\(job-fails\)$/);
    expect(lines.slice(from + 1, from + 7)).toEqual([
      '  The client keeps `client/stops-at-failed`.',
      '  follows from section 3: No move leads from FAILED to another state.',
      '',
      '  Actual:   it asked 17 times more after it had been told FAILED',
      '                0.100 s  POST /run        200 IN_QUEUE',
      '            >   0.200 s  GET /status/abc  200 FAILED            (+0.10 s)',
    ]);
    expect(lines).toContain('  Condition: job-fails: It is job-fails.');
    expect(lines).toContain('  runproof client --only job-fails --seed 7 -- node my-client.js');
  });

  it.each([110, 80])('draws its table and the calls in %i columns in every weather', (columns) => {
    const results = WEATHERS.map(({ id }) =>
      result(id, { end: { kind: 'ended', success: false, how: 'a long reason '.repeat(9), atMs: 30_123 } }),
    );
    const lines = render(reportOf([...results, ...MIXED.results]), columns, false, true);
    const drawn = lines.filter((line) => /^(?:[a-z0-9-]+ +[✓✗·!]+  | {12,}| *\d+ client\/)/.test(line));
    expect(drawn.length).toBeGreaterThan(WEATHERS.length);
    expect(drawn.filter((line) => line.length > columns)).toEqual([]);
  });

  it('says what Runproof itself did wrong', () => {
    const lines = render();
    expect(lines.find((line) => line.startsWith('!'))).toMatch(
      /^! Runproof itself was wrong under read-half: please report it: 4\.3\/x failed: /,
    );
    expect(lines.find((line) => line.startsWith('read-half '))).toMatch(/^read-half\s+!!! {2}exit code 0/);
  });

  it('is short where it was interrupted at once', () => {
    expect(render(reportOf([], { untried: ['clear', 'read-half'] }))).toEqual([
      'INTERRUPTED after 0 of 2 conditions: no violation so far',
      'Runproof 1.2.3  node my-client.js  edition document  seed 7  clock real  speed 60',
      '',
      '! interrupted: 2 conditions not tried',
      '',
      '0 conditions, 0 calls, 0 webhooks in 31 s  (exit 130)',
      '',
    ]);
  });

  it('says what was not tried', () => {
    const lines = render({ ...FAILED, untried: ['read-half'] });
    expect(lines).toContain('! interrupted: 1 condition not tried');
  });

  it('lets no control character through, and uses colours only when asked', () => {
    expect(render().join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(render(MIXED, 110, true).join('\n')).toContain('\u001b[31m✗\u001b[39m');
    expect(render(MIXED, 110, true).join('\n')).not.toContain('<script>alert(1)</script>\u001b');
  });
});
