/** Sets the text size of conversation and message box, in pixels; null for VS Code's size. */
export function showFontSize(size: number | null): void {
  const { style } = document.documentElement;
  if (size === null) {
    style.removeProperty('--loupe-text-size');
  } else {
    style.setProperty('--loupe-text-size', `${String(size)}px`);
  }
}
