/** The earlier prompts of a chat, as in a shell. The draft comes after the last one; a changed prompt is the draft. */
export class PromptHistory {
  #draft = '';
  /** Number of prompts back from the draft. */
  #back = 0;
  /** The prompt that was shown last. */
  #given = '';

  /** Whether `text`, the content of the box, is an unchanged prompt of the history. */
  isShowing(text: string): boolean {
    return this.#back > 0 && text === this.#given;
  }

  /** Returns the prompt before the one in the box, or null. `prompts` has the oldest first. */
  older(text: string, prompts: readonly string[]): string | null {
    if (!this.isShowing(text)) {
      this.#draft = text;
      this.#back = 0;
    }
    return this.#give(this.#back + 1, prompts);
  }

  /**
   * Returns the prompt after the one in the box, at last the draft. Null when the box shows no prompt of the history.
   */
  newer(text: string, prompts: readonly string[]): string | null {
    return this.isShowing(text) ? this.#give(this.#back - 1, prompts) : null;
  }

  #give(back: number, prompts: readonly string[]): string | null {
    const prompt = back === 0 ? this.#draft : prompts.at(-back);
    if (prompt === undefined) {
      return null;
    }
    this.#back = back;
    this.#given = prompt;
    return prompt;
  }
}
