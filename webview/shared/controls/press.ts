/** `PointerEvent.button` of the left mouse button, of a finger and of a pen. */
const PRIMARY = 0;

/**
 * Whether the user presses something in an element. If it moved away from under the pointer before the release, the browser
 * would not click it.
 */
export class Press {
  /** Actions that wait for the release; null while nothing is pressed. */
  #waiting: Set<() => void> | null = null;

  get isHeld(): boolean {
    return this.#waiting !== null;
  }

  /** Runs `action` now or, while something is pressed, once after the click. */
  afterwards(action: () => void): void {
    if (this.#waiting === null) {
      action();
    } else {
      this.#waiting.add(action);
    }
  }

  /** To be called for each `pointerdown` of the element. A press on its own scroll bar does not count: Chromium does not report the release. */
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
