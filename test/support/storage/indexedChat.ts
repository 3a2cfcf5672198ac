import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contextWindowTokens } from '../../../src/engine/accounting/contextWindow.js';
import { ledgerTotals } from '../../../src/engine/accounting/ledger.js';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { chatOpening } from '../../../src/engine/chat/opening.js';
import type { EventDraft } from '../../../src/engine/chat/slices/table.js';
import { compareStamps } from '../../../src/engine/chat/stamp.js';
import { type ChatState, countAttempts, countMessages } from '../../../src/engine/chat/state.js';
import { foldLog } from '../../../src/engine/chat/fold.js';
import { logOrder } from '../../../src/engine/chat/order.js';
import { readLogTail } from '../../../src/storage/chatReader.js';
import { ChatIndex } from '../../../src/storage/index/chatIndex.js';
import type { IndexLimits } from '../../../src/storage/index/limits.js';
import type { OpenedChat, Place } from '../../../src/storage/index/opened.js';
import { PlacesFile } from '../../../src/storage/index/placesFile.js';
import { encodeLine } from '../../../src/storage/line.js';
import { SignsOfLife } from '../../../src/storage/liveness.js';
import { attemptEnded, attemptStarted, created, logged, plainState, runStarted, stamp } from '../engine/events.js';
import { assistant, user } from '../engine/messages.js';

/** Places in logs of a few messages. */
export const SMALL_LIMITS: IndexLimits = { placeMessages: 2, logPerPlaceByte: 0, readAtOnce: 1e9, placesTail: 4_000, carriedMessages: 4 };

const SELF = { writerId: 'me', pid: process.pid, host: 'here' };
export const READER = { self: SELF, signs: new SignsOfLife(SELF, { now: () => 1_000_000, sleep: () => Promise.resolve() }) };

/** A chat on the disk, with an index of its own limits. */
export class IndexedChat {
  readonly folder: string;
  readonly index: ChatIndex;
  readonly reports: Error[] = [];

  static async make(limits: Partial<IndexLimits>): Promise<IndexedChat> {
    return new IndexedChat(await mkdtemp(join(tmpdir(), 'loupe-index-')), limits);
  }

  private constructor(folder: string, limits: Partial<IndexLimits>) {
    this.folder = folder;
    this.index = new ChatIndex({
      folder,
      reader: READER,
      limits: { ...SMALL_LIMITS, ...limits },
      isDeleted: () => Promise.resolve(false),
      report: (error) => this.reports.push(error),
    });
  }

  get places(): string {
    return join(this.folder, 'index', 'places.jsonl');
  }

  segment(writer: string): string {
    return join(this.folder, `${writer}.jsonl`);
  }

  /** Writes events into the segments of their writers. */
  async log(events: readonly ChatEvent[]): Promise<void> {
    for (const writer of new Set(events.map((event) => event.writer))) {
      await appendFile(this.segment(writer), Buffer.concat(events.filter((event) => event.writer === writer).map(encodeLine)));
    }
  }

  update(): Promise<void> {
    return this.index.update({});
  }

  open(wanted: number): Promise<OpenedChat> {
    return this.index.open(wanted, () => [], {});
  }

  /** Reads everything before what was opened as well, `wanted` messages at a time; the number of parts read. */
  async readBack({ fold, start }: OpenedChat, wanted: number): Promise<number> {
    let parts = 0;
    for (let before = start; before !== null; parts += 1) {
      const earlier = await this.index.readEarlier(before, wanted);
      fold.prepend(earlier.state);
      before = earlier.start;
    }
    return parts;
  }

  /** The newest place of the index. */
  async newest(): Promise<Place | null> {
    for await (const { place } of new PlacesFile(join(this.folder, 'index')).backwards(null)) {
      return place;
    }
    return null;
  }

  /** Whether something was logged later that belongs before a place. */
  async isLate({ position, last }: Place): Promise<boolean> {
    const { events } = await readLogTail(this.folder, position, { unsaved: [], sizes: null }, READER);
    return events.some((event) => compareStamps(event, last) < 0);
  }

  async remove(): Promise<void> {
    await this.index.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A question and its answer. */
export function exchange(number: number, text: string): EventDraft[] {
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

/** The log of a chat of so many exchanges. */
export function logOf(exchanges: number, text: string): ChatEvent[] {
  return stamp([created(), ...Array.from({ length: exchanges }, (_, number) => exchange(number, text)).flat()], 'a');
}

/** What is told of a chat without showing it. */
export function told(state: ChatState): unknown {
  return {
    messages: countMessages(state),
    attempts: countAttempts(state),
    totals: ledgerTotals(state),
    contextWindow: contextWindowTokens(state),
    opening: chatOpening(state),
    ...{ title: state.title, config: state.config, updatedAt: state.updatedAt, problems: state.problems },
  };
}

/** Opens the chat and reads it back to its beginning: it is always what the fold of the whole log is. */
export async function assertWhole(chat: IndexedChat, events: readonly ChatEvent[], wanted: number): Promise<OpenedChat> {
  const whole = foldLog(logOrder(events)).state;
  const opened = await chat.open(wanted);
  assert.deepEqual(told(opened.fold.state), told(whole));
  await chat.readBack(opened, wanted);
  assert.deepEqual(plainState(opened.fold.state), plainState(whole));
  return opened;
}
