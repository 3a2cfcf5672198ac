import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { segmentName } from '../../../src/storage/files/layout.js';
import { encodeLine } from '../../../src/storage/log/line.js';
import { attemptEnded, attemptStarted, created, logged, runStarted, usage } from '../engine/events.js';
import { assistant, user } from '../engine/messages.js';

const BATCH = 1_000;
/** Time of the first event in ms. */
const BEGIN = 1_700_000_000_000;

export interface LongLog {
  readonly chatId: string;
  readonly writer: string;
  readonly exchanges: number;
  readonly config: ChatConfig;
  /** The text of a message by number. Questions have even numbers. */
  readonly said: (message: number) => string;
}

/** Writes the log of a long chat into its folder, as runs log it. */
export async function writeLongLog(folder: string, log: LongLog): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, segmentName(log.writer)), 'w');
  try {
    let seq = 0;
    const lines = (drafts: readonly NewEvent[]): Buffer[] =>
      drafts.map((draft) => {
        seq += 1;
        return encodeLine({ ...draft, v: LOG_VERSION, seq, id: id(seq), at: BEGIN + seq, writer: log.writer });
      });
    await file.write(Buffer.concat(lines([{ ...created(), chatId: log.chatId, config: log.config }])));
    for (let turn = 0; turn < log.exchanges; turn += BATCH) {
      const size = Math.min(BATCH, log.exchanges - turn);
      await file.write(Buffer.concat(Array.from({ length: size }, (_, index) => lines(exchange(turn + index, log.said))).flat()));
    }
  } finally {
    await file.close();
  }
}

export function answerId(turn: number): string {
  return id(turn * 10 + 3);
}

function exchange(turn: number, said: LongLog['said']): NewEvent[] {
  const [runId, attemptId, question] = [id(turn * 10), id(turn * 10 + 1), user(id(turn * 10 + 2), said(turn * 2))];
  return [
    logged(runId, question),
    runStarted(runId, question.id),
    attemptStarted(runId, attemptId),
    { ...attemptEnded(runId, attemptId, 'complete'), usage: usage(500, 20_000, 500, 500) },
    logged(runId, { ...assistant(answerId(turn), said(turn * 2 + 1)), attemptId }),
    { type: 'run-committed', runId },
  ];
}

function id(number: number): string {
  return `${String(BEGIN + number)}-abcdef01`;
}
