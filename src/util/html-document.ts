/** A page as it is sent and saved. @param content head and body, as markup */
export const htmlDocument = (content: string): string => `<!doctype html>
<html lang="en">${content}</html>
`;
