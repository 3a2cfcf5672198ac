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
    // The context used by a reply is below the line with its button, and the answers are at the end of a question.
    const below = this.#button?.closest('.reply-line')?.parentElement?.querySelector('.context-used');
    const part = below ?? this.#button?.closest('.tool-question') ?? this.#button?.parentElement;
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

/** The entries, from the click on *Show earlier messages* until they appear above. What is visible stays in place. */
export class KeptEntries {
  #kept: readonly { readonly entry: Element; readonly top: number }[] = [];

  remember(entries: readonly Element[]): void {
    this.#kept = entries.map((entry) => ({ entry, top: entry.getBoundingClientRect().top }));
  }

  forget(): void {
    this.#kept = [];
  }

  /** Call this before new entries are rendered: since the click, estimated heights of entries may have become real. */
  measure(): void {
    this.remember(this.#kept.map(({ entry }) => entry));
  }

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /**
   * Call this after all entries have been rendered. When entries have appeared above, keeps the last visible entry in
   * place. The first one can change its height or disappear, because the line of a turn moves to its first loaded step.
   */
  keep(scroller: HTMLElement | null, entries: readonly Element[]): void {
    const [first] = this.#kept;
    if (scroller === null || first === undefined || first.entry === entries[0]) {
      return;
    }
    if (this.#kept.some(({ entry }) => entry === entries[0])) {
      // The first entries have disappeared. Earlier ones have not arrived yet.
      this.remember(entries);
      return;
    }
    const end = scroller.getBoundingClientRect().bottom;
    const anchor = this.#kept.findLast(({ entry, top }) => top < end && entry.isConnected);
    if (anchor !== undefined) {
      scroller.scrollTop += anchor.entry.getBoundingClientRect().top - anchor.top;
    }
    this.forget();
  }
}
