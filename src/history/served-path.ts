/**
 * Some servers offer the operations without `/v2/<endpoint_id>` before them, a worker's own development server for
 * one. A history always holds the document's paths; only what is sent, and what people are told to send, differs.
 */
export interface BasePath {
  readonly endpoint: string;
  /** What stands there instead of `/v2/<endpoint_id>`: empty, or `/` and more, without a slash at its end. */
  readonly path: string;
}

/** The path as it is sent. Paths of other endpoints and versions stay as they are. */
export function servedPath(path: string, base: BasePath | null): string {
  if (base === null) return path;
  const documented = `/v2/${encodeURIComponent(base.endpoint)}`;
  if (!path.startsWith(documented)) return path;
  const rest = path.slice(documented.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? base.path + rest : path;
}
