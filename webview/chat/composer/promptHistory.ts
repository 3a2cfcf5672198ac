/** The earlier prompts of a chat, as in a shell. The draft follows the last one. A changed prompt becomes the draft. */
export class PromptHistory {
  #draft = '';
  /** How many prompts back from the draft the message box is. 0 for the draft. */
  #back = 0;
  /** The prompt that was last put into the message box. */
  #given = '';

  /** Whether `text`, the content of the message box, is an unchanged earlier prompt. */
  isShowing(text: string): boolean {
    return this.#back > 0 && text === this.#given;
  }

  /** Returns the prompt before the current one, or null. `prompts` is ordered from the oldest to the newest. */
  older(text: string, prompts: readonly string[]): string | null {
    if (!this.isShowing(text)) {
      this.#draft = text;
      this.#back = 0;
    }
    return this.#give(this.#back + 1, prompts);
  }

  /** Returns the prompt after the current one, or the draft after the last one. Null when the user changed the text. */
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
