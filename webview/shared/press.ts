/** The buttons of `PointerEvent.button`: the left one, a finger, a pen. */
const PRIMARY = 0;

/**
 * Whether the user holds something in an element down, with the mouse or a finger. What moves away from under the pointer
 * meanwhile is not clicked, because it is let go beside it.
 */
export class Press {
  /** What waits until it is let go; null while nothing is pressed. */
  #waiting: Set<() => void> | null = null;

  get isHeld(): boolean {
    return this.#waiting !== null;
  }

  /** Does it now or, where something is pressed, once after the click. */
  afterwards(action: () => void): void {
    if (this.#waiting === null) {
      action();
    } else {
      this.#waiting.add(action);
    }
  }

  /** To be called for each `pointerdown` of the element. Its own scroll bar is no press: Chromium does not tell when it is let go. */
  begin({ button, target, currentTarget }: PointerEvent): void {
    if (button !== PRIMARY || target === currentTarget || this.#waiting !== null) {
      return;
    }
    const waiting = new Set<() => void>();
    this.#waiting = waiting;
    const letGo = new AbortController();
    const end = (): void => {
      letGo.abort();
      // The click follows at once, and what it does belongs to the press.
      requestAnimationFrame(() => {
        this.#waiting = null;
        waiting.forEach((action) => {
          action();
        });
      });
    };
    for (const type of ['pointerup', 'pointercancel', 'blur']) {
      window.addEventListener(type, end, { signal: letGo.signal });
    }
  }
}
