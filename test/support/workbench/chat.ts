// A user's actions in the Loupe panel. Elements are found by their accessible names.

import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import type { ApiChat } from '../../../src/protocol/api/api.js';
import type { Workbench } from './server.js';
import { TIMEOUT_MS, waitFor } from './wait.js';

export class ChatPanel {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  get composer(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message', exact: true });
  }

  get log(): Locator {
    return this.frame.getByRole('log', { name: 'Conversation' });
  }

  /** Posts anything to the host, as the page's own script does, through VS Code's outer frame. Moves no focus. */
  async post(messages: readonly unknown[]): Promise<void> {
    await this.frame.parentFrame()?.evaluate((all) => {
      const outer = window as unknown as { __vscode_post_message__(command: string, data: object): void };
      for (const message of all) {
        outer.__vscode_post_message__('onmessage', { message });
      }
    }, messages);
  }

  articles(name: string): Locator {
    return this.log.getByRole('article', { name, exact: true });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** Opens the menu of the + button and chooses an item. */
  async add(item: string): Promise<void> {
    await this.button('Add').click();
    await this.frame.getByRole('menuitem', { name: item, exact: true }).click();
  }

  region(name: string): Locator {
    return this.frame.getByRole('region', { name, exact: true });
  }

  /** Waits until VS Code has removed this webview. After that `openLoupe` finds the new one. */
  async gone(): Promise<void> {
    await waitFor('the end of the webview', () => this.frame.isDetached() || undefined);
  }

  /** Creates a chat and waits until it is visible without title, message, draft and file. It can contain rules. */
  async newChat(): Promise<void> {
    await this.button('New chat').click();
    // The host moves the focus when it shows the chat. Before that, an earlier new chat can look the same.
    const isFocused = (): Promise<boolean> =>
      this.composer.evaluate((box) => (box.getRootNode() as Document | ShadowRoot).activeElement === box);
    await waitFor('the focus in the message box', async () => (await isFocused()) || undefined);
    await this.frame.getByRole('heading', { name: 'New chat' }).waitFor();
    await this.log.getByRole('article').first().waitFor({ state: 'detached' });
    await waitFor('an empty message box', async () => (await this.composer.inputValue()) === '' || undefined);
    await this.frame.locator('.items-kinds', { hasText: /\bfiles?\b/ }).waitFor({ state: 'detached' });
  }

  /** Pastes an image into the message box, as the browser does after a screenshot. */
  async pasteImage(bytes: Buffer, type: string): Promise<void> {
    await this.composer.evaluate(
      (box, { data, mimeType }) => {
        const content = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([content], 'image.png', { type: mimeType }));
        box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
      },
      { data: bytes.toString('base64'), mimeType: type },
    );
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  async sendAndWait(text: string): Promise<void> {
    await this.send(text);
    // An empty composer shows that the run has begun. An article with the same words can be an older one.
    await waitFor('the message to be taken', async () => (await this.composer.inputValue()) === '' || undefined);
    await this.articles('You')
      .filter({ hasText: text.split('\n', 1)[0] ?? '' })
      .last()
      .waitFor();
    await this.idle();
  }

  /** Shows the chips of a chat that has items. */
  unfoldItems(): Promise<void> {
    return this.#showItems(true);
  }

  foldItems(): Promise<void> {
    return this.#showItems(false);
  }

  async #showItems(isOpen: boolean): Promise<void> {
    const line = this.frame.locator('.items-line > .disclosure');
    if ((await line.getAttribute('aria-expanded')) !== String(isOpen)) await line.click();
    await this.frame.locator(`.items-line > .disclosure[aria-expanded="${String(isOpen)}"]`).waitFor();
  }

  /** Answers a question about a tool by a button, or in *More…* if the panel is too narrow for the button. */
  async answer(title: string, label: string): Promise<void> {
    const question = this.log.getByRole('group', { name: title, exact: true });
    const button = question.getByRole('button', { name: label, exact: true });
    const more = question.getByRole('button', { name: 'More…', exact: true });
    await waitFor(`the answer "${label}"`, async () => (await button.count()) + (await more.count()) > 0 || undefined);
    // The line of a question that has just appeared can still move the button into the menu.
    const isInMenu = await question.locator('loupe-answers').evaluate(async (line, name) => {
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return ![...line.querySelectorAll('vscode-button')].some(({ textContent }) => textContent.trim() === name);
    }, label);
    if (isInMenu) {
      await more.click();
      await this.frame.getByRole('menuitem', { name: label, exact: true }).click();
    } else {
      await button.click();
    }
  }

  /** Starts the tool servers with a message and waits for their tools, also longer than the message does. */
  async startServers(): Promise<void> {
    await this.sendAndWait('/long 1');
    await this.frame.locator('.items-kinds', { hasText: /\d tools?(?! not offered)\b/ }).waitFor();
  }

  async idle(): Promise<void> {
    await this.button('Send').waitFor({ timeout: TIMEOUT_MS });
  }

  /** Waits until the visible reply has some text and continues. */
  async streaming(): Promise<void> {
    await this.button('Stop').waitFor({ timeout: TIMEOUT_MS });
    await this.articles('Assistant').last().getByRole('paragraph').first().waitFor({ timeout: TIMEOUT_MS });
  }
}

export function uriArgument(workbench: Workbench, name: string): object {
  return { $uri: join(workbench.workspaceDir, name) };
}

/** Waits until the last message of the latest chat is a reply. */
export function latestReply(workbench: Workbench): Promise<ApiChat['messages'][number]> {
  return waitFor('the reply', async () => {
    const last = (await latestChat(workbench)).messages.at(-1);
    return last?.role === 'assistant' ? last : undefined;
  });
}

export async function latestChat(workbench: Workbench): Promise<ApiChat> {
  const [first] = (await workbench.api('listChats', { limit: 1 })) as { id: string }[];
  if (first === undefined) throw new Error('There is no chat');
  return (await workbench.api('getChat', first.id)) as ApiChat;
}
