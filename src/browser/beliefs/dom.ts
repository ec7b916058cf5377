type Properties = { readonly [name: string]: string | number | boolean | ((event: MouseEvent) => void) };

/** An element of the page: texts are set as texts. A function is called at the event of its name. */
export function el(
  name: string,
  properties: Properties,
  ...children: readonly (Node | string)[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties))
    if (typeof value === 'function') made.addEventListener(property, value as EventListener);
    else if (value !== false) made.setAttribute(property, value === true ? '' : String(value));
  made.append(...children);
  return made;
}

/** A sentence with `code` spans. */
export const prose = (text: string): readonly (Node | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? el('code', {}, part) : part));
