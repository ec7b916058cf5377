/** The target of a request line as path and query: clients may name the whole URL (RFC 9112, 3.2.2). `*` stays what it is. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/isu.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
