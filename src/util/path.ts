/** The part between two slashes of a path, from 0, as `path.split('/')` counts them; empty where there is none. */
export function segmentAt(path: string, index: number): string {
  let from = 0;
  for (let passed = 0; passed < index; passed += 1) {
    from = path.indexOf('/', from) + 1;
    if (from === 0) return '';
  }
  const end = path.indexOf('/', from);
  return end === -1 ? path.slice(from) : path.slice(from, end);
}

/** The target of a request line as path and query: clients may name the whole URL (RFC 9112, 3.2.2). `*` stays what it is. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/isu.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
