import type { Banner } from '../../protocol/view.js';

const URGENCY: Readonly<Record<Banner['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Most banners at a time: below a wall of them nobody finds the conversation. The log has all. */
const MOST_BANNERS = 3;

/** What the user must know now; one banner for each id. */
export class Banners {
  readonly #banners = new Map<string, Banner>();

  show(banner: Banner): void {
    this.#banners.delete(banner.id);
    this.#banners.set(banner.id, banner);
  }

  hide(id: string): void {
    this.#banners.delete(id);
  }

  /** Most urgent first, newest first among equals. */
  list(): readonly Banner[] {
    return [...this.#banners.values()]
      .reverse()
      .toSorted((a, b) => URGENCY[a.severity] - URGENCY[b.severity])
      .slice(0, MOST_BANNERS);
  }
}
