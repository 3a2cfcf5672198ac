import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { BlockView, ContextChip, NextRequestView } from '../../protocol/view.js';
import type { ChatSession, DraftToPreview } from '../chat/chatSession.js';
import { contextChips, nextRequestRows, nextRequestView } from './nextRequest.js';

/** Pause after the last change before the next request is composed: typing does not recompute at every key. */
const PREVIEW_DELAY_MS = 100;

export interface Preview {
  readonly request: NextRequestView | null;
  /** Everything that the request holds; null without one. */
  readonly rows: readonly BlockView[] | null;
  readonly chips: readonly ContextChip[];
  /** Why there is no request to show; null when there is one, or none was composed yet. */
  readonly error: LoupeError | null;
}

export const NO_PREVIEW: Preview = { request: null, rows: null, chips: [], error: null };

/** Keeps the view of the next request up to date. The latest change wins; an older result is dropped. */
export class Previews {
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  #latest: { readonly chatId: string; readonly preview: Preview } | null = null;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The newest preview of a chat; empty before the first one is there. */
  of(chatId: string): Preview {
    return this.#latest?.chatId === chatId ? this.#latest.preview : NO_PREVIEW;
  }

  schedule(session: ChatSession, draft: () => DraftToPreview): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      void this.#compute(session, draft());
    }, PREVIEW_DELAY_MS);
  }

  cancel(): void {
    this.#turn += 1;
    clearTimeout(this.#timer);
  }

  async #compute(session: ChatSession, draft: DraftToPreview): Promise<void> {
    const turn = this.#turn;
    const preview = await this.#compose(session, draft);
    if (turn === this.#turn) {
      this.#latest = { chatId: session.id, preview };
      this.#changed();
    }
  }

  async #compose(session: ChatSession, draft: DraftToPreview): Promise<Preview> {
    try {
      const composed = await session.preview(draft);
      const rows = nextRequestRows(composed);
      return { request: nextRequestView(composed, rows), rows, chips: contextChips(composed, session.state), error: null };
    } catch (thrown) {
      return { ...this.of(session.id), request: null, rows: null, error: toLoupeError(thrown) };
    }
  }
}
