/** Reads markup like a browser, and finds active content. */

interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** All tags, in order; the contents of scripts and styles are none. */
function tagsOf(page: string): readonly Tag[] {
  const tags: Tag[] = [];
  // A quoted value may hold `>`.
  const tag =
    /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[!?][^>]*>|<(\/?)([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/g;
  for (let match = tag.exec(page); match !== null; match = tag.exec(page)) {
    const [, slash, name = '', rest = ''] = match;
    if (name === '') continue;
    const attributes = [...rest.matchAll(ATTRIBUTE)].map(
      ([, key = '', a, b, c]) => [key.toLowerCase(), a ?? b ?? c ?? ''] as const,
    );
    tags.push({
      name: name.toLowerCase(),
      closing: slash === '/',
      selfClosing: rest.endsWith('/'),
      attributes,
    });
    if (slash === '' && (name === 'script' || name === 'style')) {
      const end = page.indexOf(`</${name}`, tag.lastIndex);
      tag.lastIndex = end === -1 ? page.length : end;
    }
  }
  return tags;
}

const ADDRESSES = ['href', 'src', 'action', 'formaction', 'xlink:href', 'data', 'srcset', 'poster'];
const NEVER = ['iframe', 'object', 'embed', 'base', 'img', 'link', 'audio', 'video', 'frame'];

/** What in an HTML page runs or fetches, its one script aside. */
export function liveParts(page: string): readonly string[] {
  const tags = tagsOf(page);
  const scripts = tags.filter(({ name, closing }) => name === 'script' && !closing).length;
  const parts = tags.flatMap(({ name, attributes }) => [
    ...(NEVER.includes(name) ? [`<${name}>`] : []),
    ...attributes
      .filter(
        ([key, value]) =>
          key.startsWith('on') ||
          key === 'srcdoc' ||
          (ADDRESSES.includes(key) && !/^(#|[a-z0-9_./-]*$)/i.test(value)) ||
          (key === 'style' && /url\(|expression/i.test(value)),
      )
      .map(([key, value]) => `${key}="${value.slice(0, 60)}" of <${name}>`),
  ]);
  return scripts === 1 ? parts : [`${scripts} scripts`, ...parts];
}

/**
 * Why it is not well-formed XML; null where it is, as far as tags, references and characters are concerned.
 */
export function badXml(text: string): string | null {
  const odd = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.exec(text);
  if (odd !== null) return `U+${odd[0].charCodeAt(0).toString(16)} may not stand in XML`;
  const reference = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/.exec(
    text.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, ''),
  );
  if (reference !== null) return `"${text.slice(reference.index, reference.index + 20)}" is no reference`;
  const open: string[] = [];
  for (const { name, closing, selfClosing } of tagsOf(text)) {
    if (selfClosing) continue;
    if (!closing) open.push(name);
    else if (open.pop() !== name) return `</${name}> ends what is not open`;
  }
  return open.length === 0 ? null : `<${open.at(-1)}> is never closed`;
}
