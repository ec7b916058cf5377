type Properties = { readonly [name: string]: string | number | boolean | ((event: MouseEvent) => void) };

const SVG = 'http://www.w3.org/2000/svg';

function fill<E extends Element>(made: E, properties: Properties, children: readonly (Node | string)[]): E {
  for (const [name, value] of Object.entries(properties))
    if (typeof value === 'function') made.addEventListener(name, value as EventListener);
    else if (value !== false) made.setAttribute(name, value === true ? '' : String(value));
  made.append(...children);
  return made;
}

/** An element of the page: texts are set as texts. A function is called at the event of its name. */
export const el = (
  name: string,
  properties: Properties,
  ...children: readonly (Node | string)[]
): HTMLElement => fill(document.createElement(name), properties, children);

/** A sentence with `code` spans. */
export const prose = (text: string): readonly (Node | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? el('code', {}, part) : part));

/** The same of a drawing. */
export const svg = (
  name: string,
  properties: Properties,
  ...children: readonly (Node | string)[]
): SVGElement => fill(document.createElementNS(SVG, name) as SVGElement, properties, children);
