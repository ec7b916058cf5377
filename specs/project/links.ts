/** The links of a document to other files. */
export const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)/g)].map((match) => match[1]!).filter((link) => !/^[a-z]+:/.test(link));
