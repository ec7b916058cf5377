/** Whether an http address is in a private network. */
export function isPrivate(url: string): boolean {
  return /^https?:\/\/(127\.|localhost|\[::1\]|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.)/.test(url);
}
