/** The commands that a report prints reach the target as the run did, and show no secret. */
import { expect, it } from 'vitest';
import { check } from '../../../src/features/check/index.js';
import { CHECK_CONFIG } from '../../../src/features/check/options.js';
import { rowsOf } from '../../../src/cli/options/command.js';
import { givenIn, settingsOf, type RawOptions } from '../../../src/cli/options/option.js';
import { targetSettings, type TargetSettings } from '../../../src/cli/options/settings.js';
import { createFakeIo } from '../../cli/fake-io.js';

const RAW = {
  url: 'http://127.0.0.1:8080/v2/test',
  control: 'http://127.0.0.1:8080/_control',
  header: ['X-Gateway: secret: of mine', 'x-other:7'],
  timeout: '5s',
};
const HEADERS = ['--header', 'X-Gateway: VALUE', '--header', 'x-other: VALUE'];

function settingsFor(raw: RawOptions, configured: readonly string[] = []): TargetSettings {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  expect(Object.keys(rowsOf(check)).sort()).toEqual(Object.keys(CHECK_CONFIG).sort());
  return targetSettings(settingsOf(CHECK_CONFIG, raw, io.cwd), io, givenIn(raw, configured));
}

it('replay gets every option by which the target is reached, and clean those that it has', () => {
  const { replayOptions, cleanOptions } = settingsFor({ ...RAW, config: 'c.json' });
  const both = [...HEADERS, '--timeout', '5s'];
  expect(replayOptions).toEqual(['--control', RAW.control, ...both, '--config', 'c.json']);
  expect(cleanOptions).toEqual(['--config', 'c.json', ...both]);
});

it('a header of the configuration file is not repeated: the commands read it there', () => {
  expect(settingsFor(RAW, ['header']).replayOptions.join()).not.toContain('header');
  expect(settingsFor(RAW, ['timeout']).replayOptions).toContain('X-Gateway: VALUE');
});
