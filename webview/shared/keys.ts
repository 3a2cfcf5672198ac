/** Whether the user held no modifier key. Keys with a modifier are for the browser, VS Code or text selection. */
export function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey;
}

/** Whether a key selects all text. In macOS, Ctrl+A moves the cursor to the start of the line. */
export function isSelectAll({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = navigator.userAgent.includes('Mac') ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return key.toLowerCase() === 'a' && isHeld && !altKey && !shiftKey;
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowUp', -1],
  ['ArrowLeft', -1],
  ['ArrowDown', 1],
  ['ArrowRight', 1],
]);

/** Returns the index that a key moves to in a list of `count` items. Null for a key that does not move. */
export function movedTo(key: string, from: number, count: number): number | null {
  if (key === 'Home' || key === 'End') {
    return key === 'Home' ? 0 : count - 1;
  }
  const step = STEPS.get(key);
  return step === undefined ? null : Math.min(Math.max(from + step, 0), count - 1);
}
