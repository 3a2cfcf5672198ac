import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { ModelRef } from '../../../src/engine/model/modelRef.js';
import type { ApiUsage, LoupeApi } from '../../../src/protocol/api/api.js';
import { OtherWindow } from './otherWindow.js';
import type { SeenChat, WindowJob } from './windowProgram.js';

/** A user's actions in a window. Each resolves when it is done, including its reply. */
export interface UsedWindow {
  newChat(model: ModelRef): Promise<string>;
  send(chatId: string, text: string): Promise<void>;
  edit(chatId: string, messageId: string, text: string): Promise<void>;
  retry(chatId: string, messageId: string): Promise<void>;
  stop(chatId: string): Promise<void>;
  fork(chatId: string, messageId: string): Promise<string>;
  clear(chatId: string): Promise<string>;
  delete(chatId: string): Promise<void>;
  title(chatId: string): Promise<void>;
  summarize(chatId: string): Promise<void>;
}

/** The window of the test, through the commands and the API for other extensions. */
export class OwnWindow implements UsedWindow {
  readonly #api: LoupeApi;
  readonly #commands: typeof vscode.commands;

  constructor(api: LoupeApi, commands: typeof vscode.commands) {
    this.#api = api;
    this.#commands = commands;
  }

  async newChat({ provider, model }: ModelRef): Promise<string> {
    const chatId = await this.#api.newChat();
    await this.#run('selectModel', `${provider}/${model}`, { chatId });
    return chatId;
  }

  send(chatId: string, text: string): Promise<void> {
    return this.#api.sendMessage(text, { chatId });
  }

  async edit(chatId: string, messageId: string, text: string): Promise<void> {
    await this.#run('editMessage', messageId, text, { chatId });
  }

  async retry(chatId: string, messageId: string): Promise<void> {
    await this.#run('retry', messageId, { chatId });
  }

  async stop(chatId: string): Promise<void> {
    await this.#run('stop', chatId);
  }

  fork(chatId: string, messageId: string): Promise<string> {
    return this.#runForId('forkChat', chatId, messageId);
  }

  clear(chatId: string): Promise<string> {
    return this.#runForId('clearChat', chatId);
  }

  async delete(chatId: string): Promise<void> {
    await this.#run('deleteChat', chatId);
  }

  async title(chatId: string): Promise<void> {
    await this.#run('generateTitle', chatId);
  }

  summarize(chatId: string): Promise<void> {
    return this.#api.summarize(chatId);
  }

  /** Whether it has these messages and no running reply. */
  async sees(chatId: string, all: SeenChat['messages']): Promise<boolean> {
    const [{ messages, running }, listed] = await Promise.all([this.#api.getChat(chatId), this.#api.listChats({ limit: 1_000 })]);
    const isBusy = running || listed.find(({ id }) => id === chatId)?.running !== false;
    return !isBusy && messages.length === all.length && messages.every(({ id }, at) => id === all[at]?.id);
  }

  async #run(command: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#commands.executeCommand(`loupe.${command}`, ...args);
  }

  async #runForId(command: string, ...args: readonly unknown[]): Promise<string> {
    const id = await this.#run(command, ...args);
    assert.ok(typeof id === 'string', `loupe.${command} gave ${String(id)}.`);
    return id;
  }
}

/** A window in its own process. After a kill it starts again. */
export class SecondWindow implements UsedWindow {
  readonly #program: URL;
  readonly #job: Omit<WindowJob, 'writerId'>;
  #starts = 0;
  #window: OtherWindow;

  constructor(program: URL, job: Omit<WindowJob, 'writerId'>) {
    this.#program = program;
    this.#job = job;
    this.#window = this.#start();
  }

  newChat(model: ModelRef): Promise<string> {
    return this.#window.ask('newChat', model);
  }

  async send(chatId: string, text: string): Promise<void> {
    await this.#window.ask('send', chatId, text);
  }

  async edit(chatId: string, messageId: string, text: string): Promise<void> {
    await this.#window.ask('edit', chatId, messageId, text);
  }

  async retry(chatId: string, messageId: string): Promise<void> {
    await this.#window.ask('retry', chatId, messageId);
  }

  async stop(chatId: string): Promise<void> {
    await this.#window.ask('stop', chatId);
  }

  fork(chatId: string, messageId: string): Promise<string> {
    return this.#window.ask('fork', chatId, messageId);
  }

  clear(chatId: string): Promise<string> {
    return this.#window.ask('clear', chatId);
  }

  async delete(chatId: string): Promise<void> {
    await this.#window.ask('delete', chatId);
  }

  async title(chatId: string): Promise<void> {
    await this.#window.ask('title', chatId);
  }

  async summarize(chatId: string): Promise<void> {
    await this.#window.ask('summarize', chatId);
  }

  async bringBack(chatId: string, rewindId: string): Promise<void> {
    await this.#window.ask('bringBack', chatId, rewindId);
  }

  async undelete(chatId: string): Promise<void> {
    await this.#window.ask('undelete', chatId);
  }

  look(chatId: string): Promise<SeenChat> {
    return this.#window.ask('look', chatId);
  }

  /** Returns the usage of all chats as this window reports it. */
  usage(): Promise<ApiUsage> {
    return this.#window.ask('usage');
  }

  async killAndRestart(): Promise<void> {
    await this.#window.kill();
    this.#window = this.#start();
  }

  async reload(): Promise<void> {
    await this.#window.close();
    this.#window = this.#start();
  }

  close(): Promise<void> {
    return this.#window.kill();
  }

  #start(): OtherWindow {
    this.#starts += 1;
    return new OtherWindow(this.#program, { ...this.#job, writerId: `second-${String(this.#starts)}` });
  }
}
