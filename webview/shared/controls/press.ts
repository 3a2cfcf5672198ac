/** Value of `PointerEvent.button` for the left mouse button, a finger or a pen. */
const PRIMARY = 0;

/** Tracks whether the user holds a button down. If the pressed element moved, the browser would send no click. */
export class Press {
  /** Actions to run when the user releases the button. Null while the user presses nothing. */
  #waiting: Set<() => void> | null = null;

  get isHeld(): boolean {
    return this.#waiting !== null;
  }

  /** Runs `action` now, or after the click if the user is pressing something. Runs each action once. */
  afterwards(action: () => void): void {
    if (this.#waiting === null) {
      action();
    } else {
      this.#waiting.add(action);
    }
  }

  /** Call this for each `pointerdown`. Ignores the scroll bar, because Chromium reports no release there. */
  begin({ button, target, currentTarget }: PointerEvent): void {
    if (button !== PRIMARY || target === currentTarget || this.#waiting !== null) {
      return;
    }
    const waiting = new Set<() => void>();
    this.#waiting = waiting;
    const letGo = new AbortController();
    const end = (): void => {
      letGo.abort();
      // Waits for the click event, which follows the release. The waiting actions must run after the click.
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
