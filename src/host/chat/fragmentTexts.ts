import type { SystemPiece } from '../../engine/request/gather.js';

/** The fragments of a chat's system prompt that were set for this activation, in the order in which they came. */
export class FragmentTexts {
  readonly #texts = new Map<string, string>();

  /** Null removes a fragment. */
  set(id: string, text: string | null): void {
    if (text === null) {
      this.#texts.delete(id);
    } else {
      this.#texts.set(id, text);
    }
  }

  pieces(): SystemPiece[] {
    return [...this.#texts].map(([id, text]) => ({ key: `fragment:${id}`, text }));
  }
}
