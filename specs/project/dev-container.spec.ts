/** The container for development has a Node that the package supports, and forwards the ports at which commands listen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROXY_OPTIONS } from '../../src/features/proxy/options.js';
import { SERVE_OPTIONS } from '../../src/features/serve/options.js';
import { ROOT } from './sources.js';

it('the container for development fits the package', () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const { forwardPorts, image, portsAttributes, postCreateCommand } = read(
    '.devcontainer/devcontainer.json',
  ) as Record<string, unknown>;
  const { engines, files } = read('package.json') as { engines: { node: string }; files: string[] };
  const proxy = Number(/:(\d+)$/.exec(String(PROXY_OPTIONS.listen.defaultDescription))?.[1]);
  expect(forwardPorts).toEqual([Number(SERVE_OPTIONS.port.defaultDescription), proxy, proxy + 1]);
  expect(Object.keys(portsAttributes as object)).toEqual((forwardPorts as number[]).map(String));
  expect(Number(/:(\d+)$/.exec(String(image))?.[1])).toBeGreaterThan(parseInt(engines.node.slice(2), 10));
  expect(postCreateCommand).toBe('npm ci');
  expect(files.filter((file) => file.startsWith('.'))).toEqual([]);
});
