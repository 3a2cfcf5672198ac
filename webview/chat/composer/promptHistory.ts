/** Steps through the earlier prompts of a chat, as in a shell. A prompt that the user changes becomes the draft. */
export class PromptHistory {
  #draft = '';
  /** Number of steps back from the draft to the visible prompt. 0 while the draft is visible. */
  #back = 0;
  /** The prompt that this history put into the message box last. */
  #given = '';

  /** Whether `text`, the content of the message box, is an earlier prompt that the user has not changed. */
  isShowing(text: string): boolean {
    return this.#back > 0 && text === this.#given;
  }

  /** Returns the prompt before the visible one. Null at the oldest prompt. `prompts` starts with the oldest prompt. */
  older(text: string, prompts: readonly string[]): string | null {
    if (!this.isShowing(text)) {
      this.#draft = text;
      this.#back = 0;
    }
    return this.#give(this.#back + 1, prompts);
  }

  /** Returns the prompt after the visible one, or the draft after the newest. Null when the user changed the text. */
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
