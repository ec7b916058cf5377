import { request } from 'node:http';

export interface PageAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: object;
}

/** As a browser would; `fetch` does not let a program say which host it means. */
export function askPage(
  port: number,
  path: string,
  headers: { readonly [name: string]: string },
  method = 'GET',
  body = '',
): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const call = request({ port, path, method, headers: { accept: 'text/html', ...headers } }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => (text += String(chunk)));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text, headers: reply.headers }));
    });
    call.on('error', reject).end(body);
  });
}

/** The token of the page, which its script sends. */
export async function tokenOf(port: number): Promise<string> {
  const { text } = await askPage(port, '/', {});
  return /name="runproof-token" content="([\w-]+)"/.exec(text)![1]!;
}
