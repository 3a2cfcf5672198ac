/** Escapes a text for a quick pick, where VS Code would draw `$(name)` as an icon. */
export function plainText(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
