import type { Banner } from '../../protocol/view.js';
import type { Reading } from '../chat/follower.js';

/** A second without anything to be seen is taken for a failure: from then on it is told, and once a second how far it is. */
const NOTICE_MS = 1_000;

/** Says that a chat is being read, when somebody waits for that and it takes its time. */
export class ReadingNotice {
  readonly #current: () => Reading | null;
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | null = null;
  #banners: readonly Banner[] = [];

  /** `current` is the reading that somebody waits for now; `changed` is called when `banners` are others. */
  constructor(current: () => Reading | null, changed: () => void) {
    this.#current = current;
    this.#changed = changed;
  }

  /** None or one. */
  get banners(): readonly Banner[] {
    return this.#banners;
  }

  /** To be called when a reading has begun or ended. */
  look(): void {
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

  #show(reading: Reading | null): void {
    this.#banners = reading === null ? [] : [banner(reading)];
    this.#changed();
  }
}

function banner({ share }: Reading): Banner {
  const text = `Reading this chat from its beginning: ${(share * 100).toFixed(0)} % is done.`;
  return { id: 'reading', severity: 'info', text, actions: [{ label: 'Cancel', action: 'stopReading', argument: '' }] };
}
