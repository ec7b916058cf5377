/** The commands that a report prints reach the target as the run did, and show no secret. */
import { expect, it } from 'vitest';
import { CONFIGURED } from '../../../src/cli/option.js';
import { targetSettings } from '../../../src/cli/settings.js';
import { createFakeIo } from '../../cli/fake-io.js';

const RAW = {
  url: 'http://127.0.0.1:8080/v2/test',
  apiKeyFile: 'key.txt',
  control: 'http://127.0.0.1:8080/_control',
  header: ['X-Gateway: secret: of mine', 'x-other:7'],
  timeout: '5s',
};
const HEADERS = ['--header', 'X-Gateway: VALUE', '--header', 'x-other: VALUE'];

it('replay gets every option by which the target is reached, and clean those that it has', () => {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  const { apiKeyFile: _, ...raw } = RAW;
  const { replayOptions, cleanOptions } = targetSettings({ ...raw, config: 'c.json' }, io);
  const both = [...HEADERS, '--timeout', '5s'];
  expect(replayOptions).toEqual(['--control', RAW.control, ...both, '--config', 'c.json']);
  expect(cleanOptions).toEqual(['--config', 'c.json', ...both]);
});

it('a header of the configuration file is not repeated: the commands read it there', () => {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  const { apiKeyFile: _, ...raw } = RAW;
  expect(targetSettings({ ...raw, [CONFIGURED]: ['header'] }, io).replayOptions.join()).not.toContain(
    'header',
  );
  expect(targetSettings({ ...raw, [CONFIGURED]: ['timeout'] }, io).replayOptions).toContain(
    'X-Gateway: VALUE',
  );
});
