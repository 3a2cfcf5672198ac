/** Shows the texts of the conversation and of the message box in a size in pixels; null for that of VS Code. */
export function showFontSize(size: number | null): void {
  const { style } = document.documentElement;
  if (size === null) {
    style.removeProperty('--loupe-text-size');
  } else {
    style.setProperty('--loupe-text-size', `${String(size)}px`);
  }
}
