/** Escapes a text for a quick pick, in which VS Code draws `$(name)` as an icon. */
export function plainText(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** Escapes a text for a notification, in which VS Code draws `[label](command:…)` as a link that runs the command. */
export function textWithoutLinks(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')');
}
