/** What the server of the page answers: only to this machine, and acts only on the page's own behalf. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { NamedScenario } from '../../../scenario/index.js';
import { isFromHere, PAGE_HEADERS } from '../../../server/page/trust.js';
import { isObject, jsonIn } from '../../../util/json.js';
import { readBody } from '../../../wire/read-body.js';
import { originForm } from '../../../util/path.js';
import { liveOf, pageOf } from './page.js';
import { chosenOf, matching } from './rows.js';
import type { Runs } from './runs.js';

/** As many selectors as there are rows have room. */
const BODY_BYTES_MAX = 1_000_000;

interface Answer {
  readonly status?: number;
  readonly type: 'text/html' | 'application/json';
  readonly body: string;
}

export function answerFor(runs: Runs, scenarios: readonly NamedScenario[]): RequestListener {
  return (request, response) => {
    void answerTo(request, runs, scenarios)
      .catch((error: unknown) => refused(500, `this could not be answered: ${String(error)}`))
      .then((answer) => send(response, answer));
  };
}

async function answerTo(
  request: IncomingMessage,
  runs: Runs,
  scenarios: readonly NamedScenario[],
): Promise<Answer> {
  const { method, url = '/', headers } = request;
  // Browsers name the origin of every POST; without one it is not the page that asks.
  if (!isFromHere(request) || (method === 'POST' && headers.origin === undefined))
    return refused(403, 'only for this page, opened on this machine');
  // Clients may send what is no part of a URL, such as `//`.
  const [path = '', ...query] = originForm(url).split('?');
  if (method === 'POST') {
    const read = await readBody(request, BODY_BYTES_MAX);
    return act(path, jsonIn(String(read?.kept ?? '')), runs, scenarios);
  }
  if (method !== 'GET') return refused(405, 'only GET and POST');
  if (path === '/') return { type: 'text/html', body: pageOf(runs) };
  if (path === '/live') return { type: 'text/html', body: liveOf(runs) };
  if (path === '/matches')
    return json(200, matching(new URLSearchParams(query.join('?')).get('text') ?? '', runs, scenarios));
  return reportAt(path, runs) ?? refused(404, 'there is nothing here');
}

/** Does what a button of the page asks for. */
function act(path: string, asked: unknown, runs: Runs, scenarios: readonly NamedScenario[]): Answer {
  if (!isObject(asked)) return refused(400, 'the body is not a JSON object');
  const { all, only, on } = asked;
  const chosen = all === true ? null : (only ?? []);
  switch (path) {
    case '/run':
      if (chosen !== null && !isChoice(chosen))
        return refused(400, 'only: a list of selectors, which is not empty; or all: true');
      return runs.start(chosen && chosenOf(chosen, runs, scenarios))
        ? json(200, {})
        : refused(409, 'a run is under way');
    case '/run-failed':
      return runs.startFailed() ? json(200, {}) : refused(409, 'a run is under way, or nothing failed');
    case '/stop':
      runs.stop();
      return json(200, {});
    case '/watch':
      if (runs.isWatching === null) return refused(400, 'there is no server that could be restarted');
      runs.watch(on === true);
      return json(200, {});
    default:
      return refused(404, 'there is nothing here');
  }
}

/** Those that match nothing are an error of the run. */
const isChoice = (only: unknown): only is readonly string[] =>
  Array.isArray(only) && only.length > 0 && only.every((one) => typeof one === 'string');

/** Null: there is none. */
function reportAt(path: string, runs: Runs): Answer | null {
  try {
    const page = runs.reportPage(Number(/^\/report\/(\d+)$/.exec(path)?.[1]));
    return page === null ? null : { type: 'text/html', body: page };
  } catch {
    return refused(404, 'the report has been removed');
  }
}

const json = (status: number, value: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const refused = (status: number, error: string): Answer => json(status, { error });

function send(response: ServerResponse, { status = 200, type, body }: Answer): void {
  response
    .writeHead(status, {
      ...PAGE_HEADERS,
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': "frame-ancestors 'none'",
    })
    .end(body);
}
