import type { ModelRef } from '../../../src/engine/model/modelRef.js';
import { assertNever } from '../../../src/engine/assertNever.js';
import { type BillingServer, type Fate, lastNote, note } from './billingServer.js';
import { until } from './extension.js';
import { loggedAttempts, type LoggedAttempt } from './loggedAttempts.js';
import { Killed } from './otherWindow.js';
import type { Action } from './randomActions.js';
import type { OwnWindow, SecondWindow, UsedWindow } from './usedWindows.js';
import type { SeenChat } from './windowProgram.js';

const ANTHROPIC: ModelRef = { provider: 'anthropic', model: 'a' };
const OPENAI: ModelRef = { provider: 'openai', model: 'o' };
const USED_CHATS = 8;
const MOST_HELD = 3;

type Who = 'own' | 'second';

/** A streaming reply that waits for its second half. */
interface Held {
  readonly by: Who;
  readonly note: number;
}

interface UsedChat {
  readonly id: string;
  /** The window that wrote last. Null after a kill. */
  lastBy: Who | null;
  held: Held | null;
  pending: Promise<unknown>[];
  readonly notes: Set<number>;
  deletedBy: Who | null;
}

/** Performs actions in two windows. Keeps the sent texts, and which chats can be restored. */
export class ActionsRun {
  readonly done = new Map<Action['do'], number>();
  readonly #own: OwnWindow;
  readonly #second: SecondWindow;
  readonly #server: BillingServer;
  readonly #root: string;
  readonly #chats: UsedChat[] = [];
  /** Deleted by a window that has ended: cannot be restored. */
  readonly #gone: UsedChat[] = [];
  readonly #attempts = new Map<string, LoggedAttempt>();
  #notes = 0;

  constructor(windows: { readonly own: OwnWindow; readonly second: SecondWindow }, server: BillingServer, root: string) {
    this.#own = windows.own;
    this.#second = windows.second;
    this.#server = server;
    this.#root = root;
  }

  /** The notes that search must find after all possible deletions are undone. */
  get notes(): ReadonlySet<number> {
    return new Set(this.#chats.flatMap(({ notes }) => [...notes]));
  }

  async #keepAttempts({ id }: UsedChat): Promise<void> {
    for (const attempt of await loggedAttempts(this.#root, id)) {
      this.#attempts.set(attempt.id, attempt);
    }
  }

  hasChat(chatId: string): boolean {
    return [...this.#chats, ...this.#gone].some(({ id }) => id === chatId);
  }

  async attempts(): Promise<readonly LoggedAttempt[]> {
    for (const chat of this.#chats) {
      await this.#keepAttempts(chat);
    }
    return [...this.#attempts.values()];
  }

  async perform(action: Action): Promise<void> {
    if (await this.#perform(action)) {
      this.done.set(action.do, (this.done.get(action.do) ?? 0) + 1);
    }
  }

  async finish(): Promise<void> {
    for (const chat of this.#chats.filter(({ held }) => held !== null)) {
      await this.#end(chat, 'goOn');
    }
    for (const chat of this.#chats.filter(({ deletedBy }) => deletedBy !== null)) {
      await this.#second.undelete(chat.id);
      chat.deletedBy = null;
    }
  }

  async #perform(action: Action): Promise<boolean> {
    switch (action.do) {
      case 'new':
        this.#add(await this.#of(action).newChat(action.isAnthropic ? ANTHROPIC : OPENAI), who(action));
        return true;
      case 'send':
        return this.#send(action);
      case 'edit':
      case 'retry':
        return this.#answerAnew(action);
      case 'stop':
      case 'finish':
        return this.#endOne(action);
      case 'bringBack':
        return this.#bringBack(action);
      case 'fork':
        return this.#fork(action);
      case 'clear':
        return this.#clear(action);
      case 'delete':
        return this.#delete(action);
      case 'title':
      case 'summarize':
        return this.#keepHouse(action);
      case 'undo':
        return this.#undo();
      case 'kill':
      case 'reload':
        await this.#endSecond(action.do);
        return true;
      default:
        return assertNever(action);
    }
  }

  async #send({ chat: at, words, fate, ...action }: Extract<Action, { do: 'send' }>): Promise<boolean> {
    const chat = pick(this.#live, at);
    if (chat === undefined) {
      return false;
    }
    const number = this.#newNote(chat, fate);
    if (chat.held !== null) {
      // It waits in the queue, and then runs at once.
      this.#server.plan(number, fate === 'held' ? 'answered' : fate);
      const { queued } = await this.#second.look(chat.id);
      chat.pending.push(this.#of(action).send(chat.id, note(number, words)));
      await until(async () => (await this.#second.look(chat.id)).queued > queued, `note ${String(number)} waits`);
      return true;
    }
    await this.#fresh(chat, who(action));
    await this.#ask(chat, { by: who(action), note: number }, () => this.#of(action).send(chat.id, note(number, words)));
    return true;
  }

  async #answerAnew(action: Extract<Action, { do: 'edit' | 'retry' }>): Promise<boolean> {
    const chat = pick(this.#idle, action.chat);
    const seen = chat === undefined ? null : await this.#fresh(chat, who(action));
    const message = pick(seen?.messages.filter(({ role }) => role === 'user') ?? [], action.at);
    if (chat === undefined || message === undefined) {
      return false;
    }
    if (action.do === 'retry') {
      const number = lastNote(message.text) ?? 0;
      this.#server.plan(number, this.#possible(action.fate, number));
      await this.#ask(chat, { by: who(action), note: number }, () => this.#of(action).retry(chat.id, message.id));
    } else {
      const number = this.#newNote(chat, action.fate);
      const text = note(number, action.words);
      await this.#ask(chat, { by: who(action), note: number }, () => this.#of(action).edit(chat.id, message.id, text));
    }
    return true;
  }

  async #ask(chat: UsedChat, held: Held, begin: () => Promise<void>): Promise<void> {
    chat.lastBy = held.by;
    const answered = begin();
    if (this.#server.fateOf(held.note) !== 'held') {
      await answered;
      return;
    }
    chat.held = held;
    chat.pending.push(answered);
    // A reply that ends early has failed.
    await Promise.race([this.#server.isHeld(held.note), answered]);
  }

  async #endOne(action: Extract<Action, { do: 'stop' | 'finish' }>): Promise<boolean> {
    const chat = pick(
      this.#chats.filter(({ held }) => held !== null),
      action.chat,
    );
    if (chat === undefined) {
      return false;
    }
    await this.#end(chat, action.do === 'stop' ? 'stop' : action.how);
    return true;
  }

  async #end(chat: UsedChat, how: 'stop' | 'goOn' | 'break'): Promise<void> {
    const { held } = chat;
    if (held === null) {
      return;
    }
    if (how === 'stop') {
      await this.#window(held.by).stop(chat.id);
    } else {
      this.#server.release(held.note, how);
    }
    await this.#settled(chat);
  }

  /** Resolves when nothing in a chat waits. Windows that wait for each other take turns. */
  async #settled(chat: UsedChat): Promise<void> {
    chat.held = null;
    const pending = chat.pending.splice(0);
    await Promise.all(pending.map((each) => each.catch(ignoreKilled)));
    // The order of writers is unknown.
    chat.lastBy = pending.length > 1 ? null : chat.lastBy;
  }

  async #bringBack({ chat: at, at: which }: Extract<Action, { do: 'bringBack' }>): Promise<boolean> {
    const chat = pick(this.#idle, at);
    const seen = chat === undefined ? null : await this.#fresh(chat, 'second');
    const rewindId = pick(seen?.rewinds ?? [], which);
    if (chat === undefined || rewindId === undefined) {
      return false;
    }
    await this.#second.bringBack(chat.id, rewindId);
    chat.lastBy = 'second';
    return true;
  }

  async #fork(action: Extract<Action, { do: 'fork' }>): Promise<boolean> {
    const chat = pick(this.#idle, action.chat);
    const seen = chat === undefined ? null : await this.#fresh(chat, who(action));
    const message = pick(seen?.messages.filter(({ role }) => role === 'assistant') ?? [], action.at);
    if (chat === undefined || message === undefined) {
      return false;
    }
    this.#add(await this.#of(action).fork(chat.id, message.id), who(action));
    return true;
  }

  async #clear(action: Extract<Action, { do: 'clear' | 'delete' }>): Promise<boolean> {
    const chat = pick(this.#idle, action.chat);
    if (chat === undefined) {
      return false;
    }
    await this.#fresh(chat, who(action));
    const id = await this.#of(action).clear(chat.id);
    if (id !== chat.id) {
      this.#add(id, who(action));
    }
    return true;
  }

  async #delete(action: Extract<Action, { do: 'clear' | 'delete' }>): Promise<boolean> {
    const chat = pick(this.#live, action.chat);
    if (chat === undefined) {
      return false;
    }
    if (chat.held === null) {
      await this.#fresh(chat, who(action));
    }
    const pending = chat.pending.splice(0);
    const ended = Promise.allSettled(pending);
    await this.#of(action).delete(chat.id);
    chat.deletedBy = who(action);
    // The window with the reply reads the stop and ends.
    await ended;
    chat.held = null;
    await this.#keepAttempts(chat);
    return true;
  }

  async #undo(): Promise<boolean> {
    const chat = this.#chats.findLast(({ deletedBy }) => deletedBy === 'second');
    if (chat === undefined) {
      return false;
    }
    await this.#second.undelete(chat.id);
    Object.assign(chat, { deletedBy: null, lastBy: null });
    return true;
  }

  async #keepHouse(action: Extract<Action, { do: 'title' | 'summarize' }>): Promise<boolean> {
    const chat = pick(this.#idle, action.chat);
    if (chat === undefined || !canKeepHouse(action.do, await this.#fresh(chat, who(action)))) {
      return false;
    }
    this.#server.housekeeping = action.fate;
    const work = action.do === 'title' ? this.#of(action).title(chat.id) : this.#of(action).summarize(chat.id);
    // The panel shows refused and broken replies.
    await (action.fate === 'refused' || action.fate === 'broken' ? work.catch(() => undefined) : work);
    chat.lastBy = who(action);
    return true;
  }

  /** Kills or reloads the second window. Its deletions can no longer be undone. */
  async #endSecond(how: 'kill' | 'reload'): Promise<void> {
    const waiting = this.#chats.filter(({ pending }) => pending.length > 0);
    const own = waiting.filter(({ held }) => held?.by === 'second');
    await (how === 'kill' ? this.#second.killAndRestart() : this.#second.reload());
    for (const chat of own) {
      await this.#settled(chat);
      chat.lastBy = null;
    }
    for (const chat of this.#chats.filter(({ deletedBy }) => deletedBy === 'second')) {
      this.#gone.push(...this.#chats.splice(this.#chats.indexOf(chat), 1));
    }
  }

  /** Lets a window read everything written to an idle chat. */
  async #fresh(chat: UsedChat, by: Who): Promise<SeenChat> {
    let seen = await this.#second.look(chat.id);
    const isKnown = chat.lastBy === by;
    await until(async () => {
      seen = await this.#second.look(chat.id);
      const isSeen = by === 'second' || isKnown || (await this.#own.sees(chat.id, seen.messages));
      return !seen.isBusy && isSeen;
    }, `nobody answers in ${chat.id}, and the window sees all of it`);
    return seen;
  }

  /** The latest chats. Chats get a long log only when they are used again. */
  get #live(): readonly UsedChat[] {
    return this.#chats.filter(({ deletedBy }) => deletedBy === null).slice(-USED_CHATS);
  }

  get #idle(): readonly UsedChat[] {
    return this.#live.filter(({ held }) => held === null);
  }

  /** Forks share notes: only one reply to a note can be held. */
  #possible(fate: Fate, number: number): Fate {
    const held = this.#chats.flatMap((chat) => chat.held?.note ?? []);
    return fate === 'held' && (held.length >= MOST_HELD || held.includes(number)) ? 'answered' : fate;
  }

  #newNote(chat: UsedChat, fate: Fate): number {
    this.#notes += 1;
    this.#server.plan(this.#notes, this.#possible(fate, this.#notes));
    chat.notes.add(this.#notes);
    return this.#notes;
  }

  #add(id: string, by: Who): void {
    this.#chats.push({ id, lastBy: by, held: null, pending: [], notes: new Set(), deletedBy: null });
  }

  #of(action: { readonly isSecond: boolean }): UsedWindow {
    return this.#window(who(action));
  }

  #window(by: Who): UsedWindow {
    return by === 'own' ? this.#own : this.#second;
  }
}

function who({ isSecond }: { readonly isSecond: boolean }): Who {
  return isSecond ? 'second' : 'own';
}

function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(1, from.length)];
}

/** A title needs a reply. A summary needs two that no other summary replaces. */
function canKeepHouse(how: 'title' | 'summarize', { messages }: SeenChat): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'summary');
  const from = how === 'title' ? 0 : last + 1;
  return messages.slice(from).filter(({ role }) => role === 'assistant').length >= (how === 'title' ? 1 : 2);
}

function ignoreKilled(thrown: unknown): void {
  if (!(thrown instanceof Killed)) {
    throw thrown;
  }
}
