/** The names of open parts in what VS Code has kept for this webview, which may be of another version. */
export function savedDisclosures(saved: unknown): string[] {
  const open = typeof saved === 'object' && saved !== null && 'open' in saved ? saved.open : null;
  return Array.isArray(open) ? open.filter((name) => typeof name === 'string') : [];
}
