// VS Code's own questions at the top of the window: quick picks, input boxes, dialogs.

import type { Locator, Page } from 'playwright-core';
import { TIMEOUT_MS } from './wait.js';

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
