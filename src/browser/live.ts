/** What live pages have in common: parts marked `data-live` are brought up to date, and the rest of the page stays as it is. */

/** Someone is at it: reading by keyboard, or selecting. */
function isInUse(part: Element): boolean {
  const selection = getSelection();
  return (
    part.contains(document.activeElement) ||
    (selection !== null && !selection.isCollapsed && selection.containsNode(part, true))
  );
}

/** Takes over the parts that differ. What comes is a page, in which every text of a service is escaped. */
export function update(page: Document): void {
  for (const part of page.querySelectorAll('[data-live]')) {
    const old = document.getElementById(part.id);
    if (old === null || old.innerHTML === part.innerHTML || isInUse(old)) continue;
    const open = [...old.querySelectorAll('details[open]')].map(({ id }) => id);
    old.replaceChildren(...[...part.childNodes].map((node) => document.importNode(node, true)));
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  }
  document.title = page.title;
  document.querySelector('header')!.className = page.querySelector('header')!.className;
}

/** Asks for a page again and again, and says in `#away` that no answer comes. */
export async function follow(path: string, everyMs: number, take: (page: Document) => void): Promise<void> {
  await ask(path, take);
  setTimeout(() => void follow(path, everyMs, take), everyMs);
}

export async function ask(path: string, take: (page: Document) => void): Promise<void> {
  const away = document.getElementById('away')!;
  try {
    const answer = await fetch(path, { cache: 'no-store' });
    if (!answer.ok) throw new Error(String(answer.status));
    take(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    away.hidden = true;
  } catch {
    away.hidden = false;
  }
}

/** The key `/` leads to the field. */
export function reachedBySlash(field: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const { tagName } = event.target as Element;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(tagName)) return;
    event.preventDefault();
    field.focus();
  });
}
