import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contextWindowTokens } from '../../../src/engine/accounting/contextWindow.js';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { foldLog } from '../engine/folds.js';
import { chatTitle } from '../../../src/engine/chat/message/opening.js';
import { logOrder } from '../../../src/engine/chat/order/order.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { type ChatState, countAttempts, countMessages } from '../../../src/engine/chat/state.js';
import { messagesOf } from '../../../src/engine/chat/timeline.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { ChatLog, type OpenedChat } from '../../../src/storage/reading/chatLog.js';
import { encodeLine } from '../../../src/storage/log/line.js';
import { SignsOfLife } from '../../../src/storage/windows/liveness.js';
import { attemptEnded, attemptStarted, created, logged, plainState, runStarted } from '../engine/events.js';
import { assistant, user } from '../engine/messages.js';
import { UNWATCHED } from './readChat.js';

const SELF = { writerId: 'me', pid: process.pid, host: 'here' };
export const READER = { self: SELF, signs: new SignsOfLife(SELF, { now: () => 1_000_000, sleep: () => Promise.resolve() }) };

/** A chat on disk with restore points `step` bytes apart. */
export class RestoredChat {
  readonly folder: string;
  readonly reports: Error[] = [];
  readonly #step: number;
  log: ChatLog;

  static async make(step: number): Promise<RestoredChat> {
    return new RestoredChat(await mkdtemp(join(tmpdir(), 'loupe-restored-')), step);
  }

  constructor(folder: string, step: number) {
    this.folder = folder;
    this.#step = step;
    this.log = this.#newLog();
  }

  get file(): string {
    return join(this.folder, 'restore-point.json');
  }

  segment(writer: string): string {
    return join(this.folder, `${writer}.jsonl`);
  }

  async write(events: readonly ChatEvent[]): Promise<void> {
    for (const writer of new Set(events.map((event) => event.writer))) {
      await appendFile(this.segment(writer), Buffer.concat(events.filter((event) => event.writer === writer).map(encodeLine)));
    }
  }

  async reopen(): Promise<void> {
    await this.log.close();
    this.log = this.#newLog();
  }

  openEnd(): Promise<OpenedChat> {
    return this.log.openEnd(() => [], UNWATCHED);
  }

  openWhole(): Promise<OpenedChat> {
    return this.log.openWhole(() => [], 0, UNWATCHED);
  }

  async remove(): Promise<void> {
    await this.log.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #newLog(): ChatLog {
    return new ChatLog({
      chatId: created().chatId,
      folder: this.folder,
      reader: READER,
      step: this.#step,
      isDeleted: () => Promise.resolve(false),
      report: (error) => this.reports.push(error),
    });
  }
}

export function exchange(number: number, text: string): NewEvent[] {
  const [runId, question] = [`run-${String(number)}`, user(`user-${String(number)}`, text)];
  const attemptId = `attempt-${String(number)}`;
  return [
    logged(runId, question),
    runStarted(runId, question.id),
    attemptStarted(runId, attemptId),
    attemptEnded(runId, attemptId, 'complete'),
    logged(runId, { ...assistant(`assistant-${String(number)}`, text), attemptId }),
    { type: 'run-committed', runId },
  ];
}

/** The values of a chat that other code reads without showing it. */
function told(state: ChatState): unknown {
  return {
    messages: countMessages(state),
    attempts: countAttempts(state),
    totals: ledgerTotals(state),
    contextWindow: contextWindowTokens(state),
    lessons: [...state.lessons],
    ...{ title: chatTitle(state), config: state.config, updatedAt: state.updatedAt, problems: state.problems },
  };
}

/** Opens the chat from its restore point. It must equal the fold of the whole log. */
export async function assertRestored(chat: RestoredChat, events: readonly ChatEvent[]): Promise<OpenedChat> {
  const expected = foldLog(logOrder(events)).state;
  const opened = await chat.openEnd();
  const { state } = opened.fold;
  assert.deepEqual(told(state), told(expected));
  const [sent, all] = [transcript(state).messages, transcript(expected).messages];
  assert.deepEqual(sent, all.slice(all.length - sent.length));
  const [shown, onBranch] = [messagesOf(state.timeline), messagesOf(expected.timeline)];
  assert.deepEqual(shown, onBranch.slice(onBranch.length - shown.length));
  assert.deepEqual(plainState((await chat.openWhole()).fold.state), plainState(expected));
  return opened;
}
