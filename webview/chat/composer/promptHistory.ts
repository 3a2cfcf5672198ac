/**
 * The earlier prompts of a chat in its message box, as in a shell: the text that was being written comes back at the
 * end. A prompt that was changed counts as a text being written.
 */
export class PromptHistory {
  #draft = '';
  /** How many prompts back from the draft. */
  #back = 0;
  /** The prompt that was given last. */
  #given = '';

  /** Whether `text`, which is in the box, is a prompt from here and unchanged. */
  isShowing(text: string): boolean {
    return this.#back > 0 && text === this.#given;
  }

  /** The prompt before the one in the box; null when there is none. `prompts` has the oldest first. */
  older(text: string, prompts: readonly string[]): string | null {
    if (!this.isShowing(text)) {
      this.#draft = text;
      this.#back = 0;
    }
    return this.#give(this.#back + 1, prompts);
  }

  /** The prompt after the one in the box, at last the draft; null when the box shows no prompt from here. */
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
