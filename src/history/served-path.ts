/**
 * Some servers offer the operations without `/v2/<endpoint_id>`, e.g. a worker's own development server. A
 * history always contains the document's paths; only the requests sent, and those shown to users, differ.
 *
 * @internal
 */
export interface BasePath {
  readonly endpoint: string;
  /** What replaces `/v2/<endpoint_id>`: empty, or a path without a trailing slash. */
  readonly path: string;
}

/** The path as it is sent. Paths of other endpoints and versions are not changed. */
export function servedPath(path: string, base: BasePath | null): string {
  if (base === null) return path;
  const documented = `/v2/${encodeURIComponent(base.endpoint)}`;
  if (!path.startsWith(documented)) return path;
  const rest = path.slice(documented.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? base.path + rest : path;
}
