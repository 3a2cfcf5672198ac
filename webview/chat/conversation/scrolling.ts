/** In pixels: this close to the end counts as the end, because scroll positions are seldom exact. */
export const NEAR_END = 24;

/** Frames without a move until a place counts as still: the layout of new content takes a frame or two. */
const STILL_FRAMES = 3;
/** Most frames to wait for that: half a second. After that, something else moves the place. */
const MOST_FRAMES = 30;

/**
 * Scrolls repeatedly until the place that `scroll` returns stays: neighbours that come into sight are laid out then, and
 * move it.
 */
export async function scrollUntilStill(scroll: () => number): Promise<void> {
  let top = Number.NaN;
  let still = 0;
  for (let frames = 0; frames < MOST_FRAMES && still < STILL_FRAMES; frames += 1) {
    const now = scroll();
    still = now === top ? still + 1 : 0;
    top = now;
    await new Promise(requestAnimationFrame);
  }
}

/** Height of the content below the visible part, in pixels. */
export function belowSight(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
}

/** The middle of the scroller in the page, from above, in pixels. */
export function middle(scroller: HTMLElement): number {
  const { top, height } = scroller.getBoundingClientRect();
  return top + height / 2;
}

/** Whether an arrow key at an article first brings more of it into sight: its end, or its beginning, is out of sight. */
export function scrollsOn(scroller: HTMLElement, { key, target }: KeyboardEvent): boolean {
  const [article, sight] = [(target as HTMLElement).getBoundingClientRect(), scroller.getBoundingClientRect()];
  return (key === 'ArrowDown' && article.bottom > sight.bottom + NEAR_END) || (key === 'ArrowUp' && article.top < sight.top - NEAR_END);
}

/** What the user has just opened, which comes into sight with all that it loads. */
export class OpenedPart {
  #button: Element | null = null;

  /** To be called for each click, before the button's own listener, which may have it rendered as open. Returns whether it opens or closes something. */
  clicked({ target }: Event): boolean {
    const button = target instanceof Element ? target.closest('[aria-expanded]:not([aria-haspopup])') : null;
    if (button !== null) {
      this.#button = button.getAttribute('aria-expanded') === 'false' ? button : null;
    }
    return button !== null;
  }

  /** To be called when the user has gone on to something else. */
  forget(): void {
    this.#button = null;
  }

  /** Scrolls to it. To be called when the content has grown: rows that are still loading make it grow again. Returns whether there is one. */
  show(): boolean {
    const part = this.#button?.parentElement?.closest('.context-used') ?? this.#button?.parentElement;
    if (part === null || part === undefined) {
      return false;
    }
    part.scrollIntoView({ block: 'nearest' });
    if (part.querySelector('.skeleton') === null) {
      this.#button = null;
    }
    return true;
  }
}
