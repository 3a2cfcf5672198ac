/** Value of `PointerEvent.button` for the left mouse button, a finger or a pen. */
const PRIMARY = 0;

/** Tracks whether the user holds a button down. If the pressed element moves away, the browser sends no click. */
export class Press {
  /** Actions that wait until the user releases the button. Null while the user presses nothing. */
  #waiting: Set<() => void> | null = null;

  get isHeld(): boolean {
    return this.#waiting !== null;
  }

  /** Runs `action` now. While the user presses something, runs `action` once after the click. */
  afterwards(action: () => void): void {
    if (this.#waiting === null) {
      action();
    } else {
      this.#waiting.add(action);
    }
  }

  /** Call this for each `pointerdown`. Ignores the scroll bar, because Chromium does not report a release there. */
  begin({ button, target, currentTarget }: PointerEvent): void {
    if (button !== PRIMARY || target === currentTarget || this.#waiting !== null) {
      return;
    }
    const waiting = new Set<() => void>();
    this.#waiting = waiting;
    const letGo = new AbortController();
    const end = (): void => {
      letGo.abort();
      // The click event follows right after the release. Waiting actions must run after the click.
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
