import type { FetchHandler } from './handler.js';

/** What `inject` takes and gives, of Fastify and of light-my-request. @public */
export interface InjectApp {
  inject(options: {
    method: never;
    url: string;
    headers: { [name: string]: string };
    payload?: Buffer;
  }): Promise<{
    readonly statusCode: number;
    readonly headers: { readonly [name: string]: string | number | readonly string[] | undefined };
    readonly rawPayload: Buffer;
  }>;
}

const STATUS_WITHOUT_BODY = new Set([101, 204, 205, 304]);

/**
 * A Fastify app, or anything else with its `inject`, as a fetch handler.
 *
 * For example `fetchTarget({ fresh: async (wanted) => fromInject(await buildApp(wanted)) })`.
 *
 * @public
 */
export function fromInject(app: InjectApp): FetchHandler {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const reply = await app.inject({
      method: request.method as never,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(body.length > 0 ? { payload: body } : {}),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined) headers.append(name, String(one));
      }
    }
    const { statusCode: status } = reply;
    return new Response(STATUS_WITHOUT_BODY.has(status) ? null : new Uint8Array(reply.rawPayload), {
      status,
      headers,
    });
  };
}
