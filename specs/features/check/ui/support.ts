/** `check --ui` in this process, and what its page says. */
import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../../src/shell/program.js';
import { createFakeIo, type FakeIo } from '../../../cli/fake-io.js';
import { until } from '../../../support/until.js';

/** It fails where the bug `ttl-spares-running` is planted. */
export const SCENARIO = 'scenarios/2.2/ttl-before-execution-timeout';

export interface OnPage {
  readonly io: FakeIo;
  readonly url: string;
  /** The part of the page that changes. */
  live(): Promise<string>;
  /** Presses a button; the status of the answer. */
  act(path: string, asked?: object): Promise<number>;
  /** Resolves once nothing runs. */
  idle(): Promise<string>;
  /** Ctrl-C; the exit code. */
  end(): Promise<number>;
}

export async function onPage(args: readonly string[], env: FakeIo['env'] = {}): Promise<OnPage> {
  const io = createFakeIo({ env });
  const ended = runCli(['check', ...args, '--runs', '1', '--seed', '2', '--no-shrink', '--ui'], io);
  await until(() => /http:\S+\//.test(io.printed()));
  const url = /http:\S+\//.exec(io.printed())![0];
  const end = (): Promise<number> => {
    io.interrupt();
    return ended;
  };
  onTestFinished(async () => void (await end()));
  const live = async (): Promise<string> => (await fetch(`${url}live`)).text();
  return {
    io,
    url,
    live,
    async act(path, asked = {}) {
      const headers = { origin: new URL(url).origin };
      return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(asked) })).status;
    },
    async idle() {
      await until(async () => (await live()).includes('data-busy="false"'), 100_000);
      return live();
    },
    end,
  };
}

/** The status of the answer to a request with these header fields; another path or body, if one is named. */
export function statusOf(
  method: string,
  url: string,
  headers: { readonly [name: string]: string },
  { path, body = '{}' }: { readonly path?: string; readonly body?: string } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, ...(path === undefined ? {} : { path }) }, (response) =>
      resolve(response.resume().statusCode!),
    )
      .on('error', reject)
      .end(method === 'POST' ? body : undefined);
  });
}

/** What the page says of a row: the words of its badge. */
export const told = (live: string, selector: string): string =>
  new RegExp(`id="of-${selector}" data-live>(.*?)</span>`).exec(live)![1]!.replace(/<[^>]*>/g, '');
