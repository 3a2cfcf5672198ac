// VS Code's own questions: quick picks, input boxes, dialogs.

import { errors, type Locator, type Page } from 'playwright-core';
import { timeLimit } from '../limits.mjs';
import { TIMEOUT_MS, waitFor } from './wait.js';

/** After this time VS Code has ignored the key. */
const KEY_MS = timeLimit(5_000);

export class QuickInput {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get widget(): Locator {
    return this.#page.locator('.quick-input-widget:visible');
  }

  async asked(text: string): Promise<void> {
    const { widget } = this;
    const inPlaceholder = widget.locator(`input[placeholder*=${JSON.stringify(text)}]`);
    await widget.getByText(text).or(inPlaceholder).first().waitFor({ timeout: TIMEOUT_MS });
  }

  /**
   * Opens the command palette with its key and types until `answer` appears. VS Code can lose keys or close the palette
   * when the focus moves between a webview and its own page. Retries as a user would.
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

  /** Runs a command from the palette. A command with a similar title can precede it. */
  async runByKeyboard(title: string): Promise<void> {
    await this.openPalette(title, this.row(title));
    await this.takeByKeyboard(title);
  }

  /**
   * Runs a command from the palette until its question shows `answer`. After the palette, VS Code moves the focus back
   * to a webview with a delay, which closes an open question. Retries as a user would.
   */
  async askByKeyboard(title: string, answer: Locator): Promise<void> {
    await waitFor(`the question of ${title}`, async () => {
      await this.runByKeyboard(title);
      return (await this.shows(answer)) || undefined;
    });
  }

  /** Whether a part of the question appears within `KEY_MS`. */
  async shows(place: Locator): Promise<boolean> {
    try {
      await place.waitFor({ timeout: KEY_MS });
      return true;
    } catch (error) {
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    }
  }

  async takeByKeyboard(label: string): Promise<void> {
    await this.row(label).waitFor({ timeout: TIMEOUT_MS });
    await waitFor(`the focus on the row ${label}`, async () => {
      if (await this.#chosen(label).isVisible()) return true;
      await this.#page.keyboard.press('ArrowDown');
      return undefined;
    });
    await this.confirm();
  }

  /** The row with this label when Enter would take it. */
  #chosen(label: string): Locator {
    return this.widget.locator('.monaco-list-row.focused').filter({ hasText: label });
  }

  async pick(label: string): Promise<void> {
    await this.row(label).click({ timeout: TIMEOUT_MS });
  }

  row(label: string): Locator {
    return this.widget.locator('.quick-input-list-row, .monaco-list-row').filter({ hasText: label }).first();
  }

  async check(label: string): Promise<void> {
    await this.row(label)
      .locator('.monaco-checkbox, .quick-input-list-checkbox, input[type=checkbox]')
      .first()
      .click({ timeout: TIMEOUT_MS });
  }

  async type(text: string): Promise<void> {
    await this.filter(text);
    await this.confirm();
  }

  async filter(text: string): Promise<void> {
    await this.widget.locator('.quick-input-filter input, .quick-input-box input').first().fill(text);
  }

  async confirm(): Promise<void> {
    await this.#page.keyboard.press('Enter');
  }

  /** Confirms the checked rows. With the focus in the list, Enter would toggle a row. */
  async takeChecked(): Promise<void> {
    await this.widget.getByRole('button', { name: 'OK' }).click({ timeout: TIMEOUT_MS });
  }

  get dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }

  async answer(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button }).click({ timeout: TIMEOUT_MS });
  }
}
