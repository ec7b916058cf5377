import { servedPath, type BasePath } from '../history/served-path.js';
import type { AuthKind, Body, CallEvent } from '../history/events.js';
import { truncated, escapeControls, safeJson, quoteForShell } from './escape.js';

/** Larger bodies are not put on the command line. */
const BODY_CHARACTERS_MAX = 2_000;

// The key is not known here; the shell expands the variable.
const AUTHORIZATION: { readonly [kind in AuthKind]: string | null } = {
  bare: '"authorization: $RUNPROOF_API_KEY"',
  bearer: '"authorization: Bearer $RUNPROOF_API_KEY"',
  missing: null,
  wrong: "'authorization: not-the-key'",
  'wrong-bearer': "'authorization: Bearer not-the-key'",
  'none-needed': null,
  empty: "'authorization;'",
  'empty-bearer': "'authorization: Bearer'",
  truncated: '"authorization: ${RUNPROOF_API_KEY%?}"',
  extended: '"authorization: ${RUNPROOF_API_KEY}x"',
  'truncated-start': '"authorization: ${RUNPROOF_API_KEY#?}"',
  followed: '"authorization: $RUNPROOF_API_KEY x"',
  // As in `target/authorization.ts`: swaps upper and lower case.
  'other-case': '"authorization: $(printf %s "$RUNPROOF_API_KEY" | tr \'a-zA-Z\' \'A-Za-z\')"',
  'other-scheme': '"authorization: Basic $RUNPROOF_API_KEY"',
  'lower-bearer': '"authorization: bearer $RUNPROOF_API_KEY"',
  unpermitted: '"authorization: $RUNPROOF_UNPERMITTED_API_KEY"',
  'unpermitted-bearer': '"authorization: Bearer $RUNPROOF_UNPERMITTED_API_KEY"',
  'other-user': '"authorization: $RUNPROOF_OTHER_API_KEY"',
  'other-user-bearer': '"authorization: Bearer $RUNPROOF_OTHER_API_KEY"',
  'in-query': null,
};

function bodyWords(body: Body): readonly string[] {
  if (body.as === 'none') return [];
  const text = body.as === 'json' ? safeJson(JSON.stringify(body.value)) : body.text;
  if (body.bytes > BODY_CHARACTERS_MAX || text.length > BODY_CHARACTERS_MAX) {
    return [
      '--data-binary',
      '@body.json',
      `# first, for a body of as many bytes: ${bodyMaker(body.bytes)} > body.json`,
    ];
  }
  // --data-binary takes a leading @ for a file name.
  return [text.startsWith('@') ? '--data-raw' : '--data-binary', quoteForShell(text)];
}

/** A command that prints a submission of this many bytes. */
function bodyMaker(bytes: number): string {
  const around = JSON.stringify({ input: { padding: '' } }).length;
  const program = `process.stdout.write(JSON.stringify({ input: { padding: "x".repeat(${Math.max(0, bytes - around)}) } }))`;
  return `node -e '${program}'`;
}

/** A recorded call, with the key that recorders leave out. */
export const withKey = (call: CallEvent): CallEvent =>
  call.request.auth === 'none-needed' ? { ...call, request: { ...call.request, auth: 'bare' } } : call;

/** The call as a `curl` command. */
export function curlLine(call: CallEvent, baseUrl: string, basePath: BasePath | null = null): string {
  return curlWords(call, baseUrl, basePath).join(' ');
}

/** The words of that command, quoted; null: the script that has them knows the address. */
export function curlWords(
  call: CallEvent,
  baseUrl: string | null,
  basePath: BasePath | null,
): readonly string[] {
  const { method, path, query, auth, contentType, body } = call.request;
  const search = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  const address = `${servedPath(path, basePath)}${search === '' ? '' : `?${search}`}`;
  const words = ['curl', '-sS', '-i'];
  if (method !== 'GET') words.push('-X', quoteForShell(method));
  if (/(^|\/)\.\.?(\/|$)/.test(path)) words.push('--path-as-is');
  const url =
    baseUrl === null
      ? `"$BASE_URL"${quoteForShell(address)}`
      : quoteForShell(escapeControls(baseUrl + address));
  words.push(auth === 'in-query' ? `${url}"${search === '' ? '?' : '&'}api_key=$RUNPROOF_API_KEY"` : url);
  const authorization = AUTHORIZATION[auth];
  if (authorization !== null) words.push('-H', authorization);
  if (contentType !== null) words.push('-H', quoteForShell(`content-type: ${contentType}`));
  words.push(...bodyWords(body));
  return words;
}

/** A call in a few words: `#17 GET status "job" → 200 IN_PROGRESS`. */
export function formatCall(call: CallEvent): string {
  const name = call.op ?? call.request.path;
  const label = call.label === null ? '' : ` ${call.label}`;
  const search = Object.entries(call.request.query).map(([key, value]) => `${key}=${value}`);
  const query = search.length === 0 ? '' : ` ?${search.join('&')}`;
  return truncated(
    `#${call.call} ${call.request.method} ${name}${label}${query} → ${formatReply(call)}`,
    120,
  );
}

/** The reply in a word or two. */
export function formatReply(call: CallEvent): string {
  if (call.reply === null) return call.lost ?? 'no reply';
  const body = call.reply.body;
  const status =
    body.as === 'json' && typeof body.value === 'object' && body.value !== null && 'status' in body.value
      ? body.value['status']
      : undefined;
  return typeof status === 'string'
    ? `${call.reply.status} ${truncated(status, 30)}`
    : `${call.reply.status}`;
}
