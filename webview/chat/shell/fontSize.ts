/** Sets the text size of the conversation and the message box, in pixels. Null restores VS Code's size. */
export function showFontSize(size: number | null): void {
  const { style } = document.documentElement;
  if (size === null) {
    style.removeProperty('--loupe-text-size');
  } else {
    style.setProperty('--loupe-text-size', `${String(size)}px`);
  }
}
