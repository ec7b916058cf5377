/** What is wider than its place can be scrolled with the keyboard, too. */
export function letScroll(): void {
  for (const part of document.querySelectorAll<HTMLElement>('.scroll,.proof'))
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute('tabindex');
}
