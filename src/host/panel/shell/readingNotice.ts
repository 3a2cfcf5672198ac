import type { Banner } from '../../../protocol/panel/view.js';
import type { ReadProgress } from '../../chat/windows/logFollower.js';

/** Delay in ms before the banner, and between its updates. After a second without feedback, users expect a failure. */
const NOTICE_MS = 1_000;

/** A banner while the user waits for a slow reading of a chat. */
export class ReadingNotice {
  readonly #current: () => ReadProgress | null;
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | null = null;
  #banners: readonly Banner[] = [];

  /** `current` returns the read that the user waits for. `changed` is called when `banners` changes. */
  constructor(current: () => ReadProgress | null, changed: () => void) {
    this.#current = current;
    this.#changed = changed;
  }

  /** The banner with the progress; empty when nothing is being read. */
  get banners(): readonly Banner[] {
    return this.#banners;
  }

  /** Call this when a reading has started or ended. */
  update(): void {
    if (this.#current() === null) {
      this.end();
    } else {
      this.#timer ??= setInterval(() => {
        this.#show(this.#current());
      }, NOTICE_MS);
    }
  }

  end(): void {
    if (this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
      this.#show(null);
    }
  }

  #show(reading: ReadProgress | null): void {
    this.#banners = reading === null ? [] : [banner(reading)];
    this.#changed();
  }
}

function banner({ share }: ReadProgress): Banner {
  const text = `Loading earlier messages (${(share * 100).toFixed(0)}%). After that, you can send a message.`;
  return { id: 'reading', severity: 'info', text, actions: [{ label: 'Cancel', action: 'stopReading', argument: '' }] };
}
