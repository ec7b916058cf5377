/** `application/json`, parameters such as a charset aside; also the `+json` types made for errors. */
export function isJsonType(contentType: string | null): boolean {
  if (contentType === 'application/json') return true;
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));
}
