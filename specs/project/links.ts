/** The links of a document to other files. */
export const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)/g)].map((match) => match[1]!).filter((link) => !/^[a-z]+:/.test(link));

/** The links of a document to headings: of other files, or its own (file: empty). */
export const anchorsIn = (text: string): readonly { readonly file: string; readonly anchor: string }[] =>
  [...text.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)]
    .map((match) => ({ file: match[1]!, anchor: match[2]! }))
    .filter(({ file }) => !/^[a-z]+:/.test(file));

/** The anchors that GitHub gives to the headings of a document. */
export const anchorsOf = (text: string): readonly string[] =>
  [...text.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
