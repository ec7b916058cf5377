/** Open questions of other methods and paths below `/v2/<endpoint_id>`, and of other versions: sections 4 and 9. */
import type { CallEvent } from '../../history/events.js';
import { OPERATIONS, type QuestionId, type ReadingId } from '../../spec/index.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

interface Odd {
  readonly op: string;
  readonly method: string;
  readonly wanted: 'GET' | 'POST';
  readonly takesJob: boolean;
  readonly hasId: boolean;
  readonly endsInSlash: boolean;
}

interface Row<Reading> {
  readonly is: (request: Odd) => boolean;
  /** What a success is read as; absent: it tells nothing. */
  readonly ok?: Reading;
  readonly codes: { readonly [code: number]: Reading };
}

const CODES = { 400: '400', 404: '404', 405: '405' } as const;

/** Where the right method would certainly be answered with success, and the wrong one is an ordinary one. */
const SWAPPED: ReadonlySet<string> = new Set(['POST health', 'GET cancel']);

/** The first row that fits is the question that the request raises. */
const ROWS = {
  '4/trailing-slash': {
    is: ({ endsInSlash, method, wanted, takesJob, hasId }) =>
      endsInSlash && method === wanted && takesJob === hasId,
    ok: 'same',
    codes: {
      404: '404',
      301: 'redirect',
      302: 'redirect',
      303: 'redirect',
      307: 'redirect',
      308: 'redirect',
    },
  },
  '4/missing-job-id': {
    is: ({ method, wanted, takesJob, hasId }) => method === wanted && takesJob && !hasId,
    codes: CODES,
  },
  '4/options-request': {
    is: ({ method }) => method === 'OPTIONS',
    ok: 'success',
    codes: { 401: '401', 404: '404', 405: '405' },
  },
  '4/head-request': {
    is: ({ method, wanted }) => method === 'HEAD' && wanted === 'GET',
    ok: 'like-get',
    codes: { 404: '404', 405: '405' },
  },
  '4/wrong-method': {
    is: ({ method, op }) => SWAPPED.has(`${method} ${op}`),
    ok: 'same',
    codes: CODES,
  },
} as const satisfies { readonly [Q in QuestionId]?: Row<ReadingId<Q>> };

export function answersOddRequest({ ledger, session }: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  const { method, path } = call.request;
  const [version, , op, id, ...rest] = path.split('/').filter((part) => part !== '');
  if (version !== 'v2') {
    const answer = code === 404 || code === 401 ? (`${code}` as const) : 'other';
    if (version !== undefined && /^v[0-9]+$/.test(version)) ledger.observe('9/other-version-answer', answer);
    return;
  }
  if (!session.exists || op === undefined || rest.length > 0) return;
  const known = OPERATIONS.find((one) => one.op === op);
  if (known === undefined) {
    if (code in CODES) ledger.observe('4/unknown-path', CODES[code as keyof typeof CODES]);
    return;
  }
  // Two things at once tell of neither.
  if (known.takesJob && id === undefined && method !== known.method) return;
  const odd: Odd = {
    op,
    method,
    wanted: known.method,
    takesJob: known.takesJob,
    hasId: id !== undefined,
    endsInSlash: path.endsWith('/'),
  };
  const rows: [string, Row<string>][] = Object.entries(ROWS);
  const [question, row] = rows.find(([, { is }]) => is(odd)) ?? [];
  const reading = answerOf(call) === 'ok' ? row?.ok : row?.codes[code];
  if (reading !== undefined) ledger.observe(question as '4/wrong-method', reading as never);
}
