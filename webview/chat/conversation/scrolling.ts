/** Distance in pixels at which a scroll position counts as the end. Scroll positions are inexact. */
export const NEAR_END = 24;

/** Number of frames without a move after which a position is final. New content needs up to two frames for layout. */
const STILL_FRAMES = 3;
/** Maximum number of frames to wait for a final position: half a second. The layout does not cause later moves. */
const MOST_FRAMES = 30;

/** Calls `scroll` until the returned position does not change. The layout of nearby content can move the position. */
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

/** The middle of the scroller, in pixels from the top of the page. */
export function middle(scroller: HTMLElement): number {
  const { top, height } = scroller.getBoundingClientRect();
  return top + height / 2;
}

/** Whether an arrow key must scroll inside an article, because the article continues outside the view. */
export function scrollsOn(scroller: HTMLElement, { key, target }: KeyboardEvent): boolean {
  const [article, sight] = [(target as HTMLElement).getBoundingClientRect(), scroller.getBoundingClientRect()];
  return (key === 'ArrowDown' && article.bottom > sight.bottom + NEAR_END) || (key === 'ArrowUp' && article.top < sight.top - NEAR_END);
}

/** Keeps the part that the user opened last in view while the rows of the part load. */
export class OpenedPart {
  #button: Element | null = null;

  /** Call this for each click, before the listener of the button. Returns whether the click opens or closes a part. */
  clicked({ target }: Event): boolean {
    const button = target instanceof Element ? target.closest('[aria-expanded]:not([aria-haspopup])') : null;
    if (button !== null) {
      this.#button = button.getAttribute('aria-expanded') === 'false' ? button : null;
    }
    return button !== null;
  }

  /** Forgets the opened part. Call this when the user clicks or scrolls elsewhere. */
  forget(): void {
    this.#button = null;
  }

  /** Scrolls to the opened part. Call this when the content has grown. Returns false without an opened part. */
  show(): boolean {
    // The context used by a reply is below the line with its button.
    const below = this.#button?.closest('.reply-line')?.parentElement?.querySelector('.context-used');
    const part = below ?? this.#button?.parentElement;
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

/** The first entry, from the click on *Show earlier messages* until they appear above it. It stays in place. */
export class FirstEntry {
  #kept: { readonly entry: Element; readonly top: number } | null = null;

  remember(entry: Element | null): void {
    this.#kept = entry === null ? null : { entry, top: entry.getBoundingClientRect().top };
  }

  forget(): void {
    this.#kept = null;
  }

  /** Call this before new entries are rendered: since the click, estimated heights of entries may have become real. */
  measure(): void {
    this.remember(this.#kept?.entry ?? null);
  }

  /** Call this after rendering. `first` is the first entry now. If the remembered entry was removed, keeps `first`. */
  keep(scroller: HTMLElement | null, first: Element | null): void {
    if (this.#kept === null || scroller === null || first === this.#kept.entry) {
      return;
    }
    const { entry, top } = this.#kept;
    if (entry.isConnected) {
      scroller.scrollTop += entry.getBoundingClientRect().top - top;
    }
    this.remember(entry.isConnected ? null : first);
  }
}
