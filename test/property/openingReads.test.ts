import assert from 'node:assert/strict';
import { access, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import type { EventDraft } from '../../src/engine/chat/slices/table.js';
import { encodeLine } from '../../src/storage/line.js';
import { created, plainState, runStarted, stamp } from '../support/engine/events.js';
import { bytesReadBy } from '../support/storage/countedReads.js';
import { exchange, IndexedChat } from '../support/storage/indexedChat.js';
import { toErrorRecord } from '../../src/engine/errors.js';
import { failureOf } from '../support/failures.js';

const WANTED = 8;
const LIMITS = { placeMessages: 4, logPerPlaceByte: 2, readAtOnce: 30_000, placesTail: 8_000, carriedMessages: WANTED };
const TEXT = 'x'.repeat(300);
const EXCHANGE_BYTES = Buffer.concat(stamp(exchange(1_000, TEXT), 'a').map(encodeLine)).length;

/** What the wanted messages take, and those since the newest place: each may be all that is left of an exchange. */
const TAIL = (WANTED + LIMITS.placeMessages + 2) * EXCHANGE_BYTES;

/** What stands between them is read rather than carried by a place as long as it is no more than is read at once. */
const MOST_READ = TAIL + LIMITS.readAtOnce;

/** At the beginning: several times what may be read. */
const EXCHANGES = 100;

const at = fc.nat(200);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      count: fc.constantFrom(1, 1, 5, 30),
      writer: fc.constantFrom('a', 'a', 'b'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'retry' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), count: fc.constantFrom(1, 1, 40) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bringBack' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('damage' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('clear' as const, 'update' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A chat that two windows write in turns, on the disk. */
class LongChat {
  readonly chat: IndexedChat;
  /** Exchanges on show, by number. */
  #branch: number[] = [];
  readonly #left: (readonly [string, readonly number[]])[] = [];
  #count = 0;
  #seq = 0;

  constructor(chat: IndexedChat) {
    this.chat = chat;
  }

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case 'answer':
        return this.answer(step.count, step.writer);
      case 'edit':
        return this.#edit(step.at % (this.#branch.length + 1));
      case 'retry':
        return this.#retry(step.at % (this.#branch.length + 1));
      case 'fail':
        return this.#fail(step.count);
      case 'bringBack':
        return this.#bringBack(step.at);
      case 'damage':
        return this.#damage(step.at);
      case 'clear':
        return this.log([this.#rewound(null, 0, 'cleared')], 'a');
      case 'update':
        return this.chat.update();
    }
  }

  async log(drafts: readonly EventDraft[], writer: string): Promise<void> {
    const events = stamp(drafts, writer).map((event): ChatEvent => {
      this.#seq += 1;
      return { ...event, seq: this.#seq, id: `e-${String(this.#seq)}` };
    });
    await this.chat.log(events);
  }

  async answer(count: number, writer: string): Promise<void> {
    await this.log(Array.from({ length: count }, () => exchange(this.#next(), TEXT)).flat(), writer);
  }

  /** Ends the runs that a damaged line has left open, as whoever opens the chat does. */
  async endRuns(): Promise<void> {
    const { openRuns } = await this.chat.open(Infinity);
    await this.log(
      openRuns.map(({ runId }): EventDraft => ({ type: 'run-interrupted', runId })),
      'a',
    );
  }

  async segments(): Promise<readonly string[]> {
    const paths = ['a', 'b'].map((writer) => this.chat.segment(writer));
    const there = await Promise.all(
      paths.map((path) =>
        access(path).then(
          () => true,
          () => false,
        ),
      ),
    );
    return paths.filter((_, index) => there[index] === true);
  }

  #edit(index: number): Promise<void> {
    const before = this.#branch[index - 1];
    const rewound = this.#rewound(before === undefined ? null : `assistant-${String(before)}`, index, 'edited');
    return this.log([rewound, ...exchange(this.#next(), TEXT)], 'a');
  }

  async #retry(index: number): Promise<void> {
    const number = this.#branch[index];
    if (number === undefined) {
      return;
    }
    const rewound = this.#rewound(`user-${String(number)}`, index + 1, 'retried');
    this.#count += 1;
    const runId = `run-${String(this.#count)}`;
    const [, , ...answer] = exchange(this.#count, TEXT);
    await this.log([rewound, { type: 'run-started', runId, userMessageId: `user-${String(number)}`, cause: 'retry' }, ...answer], 'a');
  }

  async #fail(count: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      const [question, , started] = exchange(this.#next(), TEXT);
      const runId = `run-${String(this.#count)}`;
      const error = toErrorRecord(failureOf('auth', 'No key.'));
      await this.log(
        [question!, runStarted(runId, `user-${String(this.#count)}`), started!, { type: 'run-rolled-back', runId, error }],
        'a',
      );
      // There is no answer that an edit could go back to.
      this.#branch.pop();
    }
  }

  async #bringBack(at: number): Promise<void> {
    const found = this.#left[at % this.#left.length];
    if (found !== undefined) {
      const undoId = `undo-${String(this.#seq)}`;
      this.#left.push([undoId, this.#branch]);
      this.#branch = [...found[1]];
      await this.log([{ type: 'restored', rewindId: found[0], undoId }], 'a');
    }
  }

  /** Flips a bit somewhere behind the first line. What was made of the log before is deleted, as it may hold more. */
  async #damage(at: number): Promise<void> {
    const path = this.chat.segment('a');
    const bytes = await readFile(path);
    const first = bytes.indexOf(10) + 1;
    const where = first + (at % (bytes.length - first));
    bytes[where] = (bytes[where] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await rm(join(this.chat.folder, 'index'), { recursive: true, force: true });
  }

  #rewound(to: string | null, kept: number, reason: 'cleared' | 'edited' | 'retried'): EventDraft {
    const rewindId = `rewind-${String(this.#seq)}`;
    this.#left.push([rewindId, this.#branch]);
    this.#branch = this.#branch.slice(0, kept);
    return { type: 'rewound', rewindId, to, reason };
  }

  #next(): number {
    this.#count += 1;
    this.#branch.push(this.#count);
    return this.#count;
  }
}

describe('a long chat whose index is up to date', () => {
  it('opens without reading much more of the log than its end, whatever was done in it', async () => {
    const seen = { cases: 0, carried: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const long = new LongChat(await IndexedChat.make(LIMITS));
        const { chat } = long;
        try {
          await long.log([created()], 'a');
          await long.answer(EXCHANGES, 'a');
          for (const each of steps) {
            await long.do(each);
          }
          await long.endRuns();
          await chat.update();
          const sizes = await Promise.all((await long.segments()).map(async (path) => (await stat(path)).size));
          const bytes = await bytesReadBy(() => chat.open(WANTED), await long.segments());
          assert.ok(bytes <= MOST_READ, `${String(bytes)} of ${String(sizes)} bytes are read, at most ${String(MOST_READ)} should be`);

          const opened = await chat.open(WANTED);
          seen.cases += 1;
          seen.carried += (opened.start?.snapshot.carried.timeline.length ?? 0) > 0 ? 1 : 0;
          await chat.readBack(opened, WANTED);
          assert.deepEqual(plainState(opened.fold.state), plainState((await chat.open(Infinity)).fold.state));
        } finally {
          await chat.remove();
        }
      }),
      { numRuns: 100 },
    );
    // Otherwise this says little about conversations that stand far apart in the log.
    assert.ok(seen.carried > seen.cases / 10, JSON.stringify(seen));
  }).timeout(120_000);
});
