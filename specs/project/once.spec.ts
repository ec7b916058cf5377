import { describe, expect, it } from 'vitest';
import { ONCE, secondPlaces } from './once.js';
import { sourcesIn } from './sources.js';

const sources = ['src', 'proof', 'bench'].flatMap(sourcesIn);

describe('what the sources do once', () => {
  it('they do in one place', () => {
    expect(sources.flatMap(secondPlaces)).toEqual([]);
  });

  it.each(ONCE.map(({ what, only, found }) => ({ what, only, found })))(
    'is done there: "$what"',
    ({ only, found }) => {
      const there = sources.filter(({ path }) => only.some((allowed) => path.startsWith(allowed)));
      expect(there.some(found)).toBe(true);
    },
  );

  it.each([
    ['a thread', `import { Worker } from 'node:worker_threads';`],
    ['a thread, imported late', `const { Worker } = await import('node:worker_threads');`],
    ['what serves a thread', `import { parentPort } from 'worker_threads';`],
    ['a server', `import { createServer } from 'node:http';`],
    ['a server under another name', `import { createServer as open } from 'node:net';`],
    ['a server of a namespace', `import * as http from 'node:http'; http.createServer().listen(0);`],
    ["a server of Hono's", `import { serve } from '@hono/node-server';`],
    ['a pattern of hosts', `const LOCAL = /^(127\\.|localhost)/;`],
    ['a host by its name', `const isHere = host === 'localhost' || host.endsWith('.localhost');`],
    ['a host by its address', `const isHere = host.startsWith('127.') || host === '::1';`],
    ['a choice of operations', 'const NAMES_JOB = /\\/(status|stream|cancel)\\//;'],
    ['the waiting status', `const asked = name === 'status-sync' ? 'status' : name;`],
    ['a parser of its own', `try { return JSON.parse(text); } catch { return null; }`],
    ['a parser that takes a member', `try { x = JSON.parse(text).input; } catch { /* None. */ }`],
    ['a page', 'const page = `<!DOCTYPE html><html>`;'],
    ['a registry of metrics', `import { Registry } from 'prom-client';`],
    ['a registry of metrics, imported late', `const { Registry } = (await import('prom-client')).default;`],
    ['an earlier word', `const kinds = ['truncated', 'beheaded'];`],
    ['a call of its own', 'interface Call { method: string; path: string; status: number | null }'],
    ['a call in parts', 'type Call = { request: { method: string }; reply: Reply | null };'],
    ['a list of networks', `const PRIVATE = ['10.0.0.0/8', '192.168.0.0/16'];`],
  ])('a planted second one is found: %s', (_, text) => {
    expect(secondPlaces({ path: 'src/judging/planted.ts', text })).toHaveLength(1);
  });

  it.each([
    ['a word about a server', `/** What \`createServer\` takes. */ const text = 'createServer';`],
    ['a request', 'interface Sent { method: string; path: string }'],
    ['an address to listen on', `server.listen(0, '127.0.0.1'); const host = given ?? 'localhost';`],
  ])('%s is none', (_, text) => {
    expect(secondPlaces({ path: 'src/judging/planted.ts', text })).toEqual([]);
  });
});
