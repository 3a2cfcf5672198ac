import type { Banner } from '../../protocol/view.js';
import type { History, Reading } from '../chat/history.js';

/** A second without anything to be seen is taken for a failure: from then on it is told, and once a second how far it is. */
const NOTICE_MS = 1_000;

/** Says that earlier messages of the chat on show are being read, when somebody waits for that and it takes its time. */
export class ReadingNotice {
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | null = null;
  #banners: readonly Banner[] = [];

  /** `changed` is called when `banners` are others. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** None or one. */
  get banners(): readonly Banner[] {
    return this.#banners;
  }

  /** To be called when a reading has begun or ended. */
  look(history: History): void {
    if (history.reading === null) {
      this.end();
    } else {
      this.#timer ??= setInterval(() => {
        this.#show(history.reading);
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

function banner({ done, before }: Reading): Banner {
  const count = (messages: number): string => messages.toLocaleString('en-US');
  const text = `Reading earlier messages of this chat: ${count(done)} so far, ${count(before)} before them.`;
  return { id: 'reading', severity: 'info', text, actions: [{ label: 'Cancel', action: 'stopReading', argument: '' }] };
}
