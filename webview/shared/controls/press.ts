/** `PointerEvent.button` of the left mouse button, a finger or a pen. */
const PRIMARY = 0;

/** Tracks whether the user presses something. A button that moves away from the pointer would get no click. */
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

  /** Call it for each `pointerdown`. A press on the scroll bar does not count: Chromium does not report its release. */
  begin({ button, target, currentTarget }: PointerEvent): void {
    if (button !== PRIMARY || target === currentTarget || this.#waiting !== null) {
      return;
    }
    const waiting = new Set<() => void>();
    this.#waiting = waiting;
    const letGo = new AbortController();
    const end = (): void => {
      letGo.abort();
      // The click comes right after the release. Its effects count as part of the press.
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
