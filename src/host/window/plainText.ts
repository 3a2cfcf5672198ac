/** Escapes a text for a quick pick, in which VS Code draws `$(name)` as an icon. */
export function plainText(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
