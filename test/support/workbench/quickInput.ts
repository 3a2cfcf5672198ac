// VS Code's own questions at the top of the window: quick picks, input boxes, dialogs.

import { errors, type Locator, type Page } from 'playwright-core';
import { timeLimit } from '../limits.mjs';
import { TIMEOUT_MS, waitFor } from './wait.js';

/** What VS Code has not done by then, it does not do. */
const KEY_MS = timeLimit(5_000);

export class QuickInput {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get widget(): Locator {
    return this.#page.locator('.quick-input-widget:visible');
  }

  /** Waits for the question whose prompt, placeholder or title holds `text`. */
  async asked(text: string): Promise<void> {
    const { widget } = this;
    const inPlaceholder = widget.locator(`input[placeholder*=${JSON.stringify(text)}]`);
    await widget.getByText(text).or(inPlaceholder).first().waitFor({ timeout: TIMEOUT_MS });
  }

  /**
   * Opens the palette of commands with its key and types into it, until `answer` shows. VS Code may lose keys, or close the palette,
   * while the focus moves between a webview and its own page: a user tries again.
   */
  async openPalette(words: string, answer: Locator): Promise<void> {
    const input = this.widget.locator('input[placeholder*="command"]:focus');
    await waitFor(`the palette with ${words}`, async () => {
      await this.#page.keyboard.press('F1');
      if (!(await this.shows(input))) return undefined;
      await this.#page.keyboard.type(words);
      return (await this.shows(answer)) || undefined;
    });
  }

  /** Runs the command with this title from the palette, in which one with a similar title may stand before it. */
  async runByKeyboard(title: string): Promise<void> {
    await this.openPalette(title, this.row(title));
    await this.takeByKeyboard(title);
  }

  /**
   * Runs the command with this title from the palette until its question shows `answer`. VS Code gives the focus back to a
   * webview a moment after the palette: a question that is open by then closes, and a user asks again.
   */
  async askByKeyboard(title: string, answer: Locator): Promise<void> {
    await waitFor(`the question of ${title}`, async () => {
      await this.runByKeyboard(title);
      return (await this.shows(answer)) || undefined;
    });
  }

  /** Whether something of the question comes in the time that VS Code takes for a key. */
  async shows(place: Locator): Promise<boolean> {
    try {
      await place.waitFor({ timeout: KEY_MS });
      return true;
    } catch (error) {
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    }
  }

  /** Goes down to the row with this label and takes it. */
  async takeByKeyboard(label: string): Promise<void> {
    await this.row(label).waitFor({ timeout: TIMEOUT_MS });
    await waitFor(`the focus on the row ${label}`, async () => {
      if (await this.#chosen(label).isVisible()) return true;
      await this.#page.keyboard.press('ArrowDown');
      return undefined;
    });
    await this.confirm();
  }

  /** The row with this label, while it is the one that Enter takes. */
  #chosen(label: string): Locator {
    return this.widget.locator('.monaco-list-row.focused').filter({ hasText: label });
  }

  /** Chooses the row with this label. */
  async pick(label: string): Promise<void> {
    await this.row(label).click({ timeout: TIMEOUT_MS });
  }

  row(label: string): Locator {
    return this.widget.locator('.quick-input-list-row, .monaco-list-row').filter({ hasText: label }).first();
  }

  /** Checks the box of a row. */
  async check(label: string): Promise<void> {
    await this.row(label)
      .locator('.monaco-checkbox, .quick-input-list-checkbox, input[type=checkbox]')
      .first()
      .click({ timeout: TIMEOUT_MS });
  }

  /** Types into the box, in place of what is there, and confirms. */
  async type(text: string): Promise<void> {
    await this.filter(text);
    await this.confirm();
  }

  /** Types into the box, in place of what is there. */
  async filter(text: string): Promise<void> {
    await this.widget.locator('.quick-input-filter input, .quick-input-box input').first().fill(text);
  }

  async confirm(): Promise<void> {
    await this.#page.keyboard.press('Enter');
  }

  /** Takes what is checked: with the focus in the list, Enter would check or uncheck a row. */
  async takeChecked(): Promise<void> {
    await this.widget.getByRole('button', { name: 'OK' }).click({ timeout: TIMEOUT_MS });
  }

  /** The dialog that asks in the middle of the window. */
  get dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }

  async answer(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button }).click({ timeout: TIMEOUT_MS });
  }
}
