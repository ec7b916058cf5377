/** The page's script: filters and copy buttons. The page is readable without it. */
export const PAGE_SCRIPT = `
(() => {
  const form = document.querySelector('form.filters');
  const rows = [...document.querySelectorAll('table.requirements tbody tr')];
  let only = null;
  const apply = () => {
    const data = new FormData(form);
    const marks = new Set(data.getAll('mark'));
    const words = String(data.get('text')).toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = only ? only.has(row.id)
        : marks.has(row.dataset.mark)
          && (!data.get('section') || row.dataset.section === data.get('section'))
          && (!data.get('level') || row.dataset.level === data.get('level'))
          && words.every((word) => text.includes(word));
      row.hidden = !fits;
      row.classList.toggle('hit', Boolean(only && fits));
      if (fits) shown += 1;
    }
    form.querySelector('output').textContent = shown + ' of ' + rows.length + ' shown';
  };
  form.addEventListener('input', () => { only = null; apply(); });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => { only = null; setTimeout(apply); });
  document.addEventListener('click', (event) => {
    const note = event.target.closest('a.note');
    if (note) { only = new Set(note.dataset.ids.split(' ')); apply(); return; }
    const section = event.target.closest('[data-section-link]');
    if (section) { only = null; form.reset(); form.elements.section.value = section.dataset.sectionLink; setTimeout(() => { form.elements.section.value = section.dataset.sectionLink; apply(); }); return; }
    const link = event.target.closest('a[href^="#"]');
    if (link) { const row = document.getElementById(link.getAttribute('href').slice(1)); if (row && row.hidden) { only = null; form.reset(); row.hidden = false; } }
    const copy = event.target.closest('[data-copy]');
    if (copy) {
      const text = copy.previousElementSibling.textContent;
      navigator.clipboard?.writeText(text).then(() => { copy.textContent = 'Copied'; }, () => { copy.textContent = 'Select and copy'; });
    }
  });
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (target && target.closest('details')) target.scrollIntoView({ block: 'center' });
  };
  addEventListener('hashchange', open);
  apply();
  open();
})();
`;
