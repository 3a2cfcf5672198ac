import fc from 'fast-check';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { ProgressPiece } from '../../../src/engine/chat/message/reply.js';
import type { RunStatus } from '../../../src/engine/chat/slices/runs.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { stamp } from './events.js';
import { LogTeller, type Story } from './logTeller.js';
import { round } from './round.js';

/* Random logs of chats as the steps of one window. The fold is compared with LogTeller's own small model. */

const ending = fc.constantFrom<RunStatus>('committed', 'stopped', 'failed', 'rolledBack', 'interrupted', 'running');

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), rounds: fc.array(round, { minLength: 1, maxLength: 3 }), ending }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('edit' as const, 'retry' as const),
      at: fc.nat(9),
      rounds: fc.array(round, { minLength: 1, maxLength: 2 }),
      ending,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bringBack' as const), at: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('title' as const, 'cache' as const, 'relayout' as const, 'spendCap' as const, 'decline' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('embed' as const),
      id: fc.uuid(),
      requests: fc.integer({ min: 1, max: 9 }),
      isPriced: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('keepHouse' as const), cause: fc.constantFrom('title' as const, 'summary' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('endHouse' as const), at: fc.nat(3), isStopped: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      as: fc.constantFrom('pinned' as const, 'unpinned' as const, 'excluded' as const, 'included' as const),
      at: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undoCompaction' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('editCompaction' as const), isSummaryFirst: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('queue' as const), isTaken: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('putFile' as const, 'deleteFile' as const, 'participant' as const, 'fragment' as const),
      name: fc.constantFrom('a', 'b'),
      version: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('addFile' as const, 'removeFile' as const, 'undoRemoval' as const),
      type: fc.constantFrom('file' as const, 'rule' as const),
      name: fc.constantFrom('a.ts', 'b.ts'),
    }),
  },
);

export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** What one window does to a chat. Ids start with `name`. The story that `creates` has the first event. */
export function storyOf(name: string, creates: boolean): fc.Arbitrary<Story> {
  return fc.array(action, { maxLength: 7 }).map((actions) => {
    const teller = new LogTeller(name, creates);
    for (const one of actions) {
      perform(teller, one);
    }
    return teller;
  });
}

/** Like `storyOf`, with many summaries: immediate or later, with rewinds and pins. */
export function summarizedTalkOf(name: string): fc.Arbitrary<Story> {
  const summary = fc.constant({ do: 'keepHouse', cause: 'summary' } as const);
  const end = fc.constant({ do: 'endHouse', at: 0, isStopped: false } as const);
  const of = (...kinds: readonly Action['do'][]): fc.Arbitrary<Action> => action.filter((each) => kinds.includes(each.do));
  const one = fc.oneof(
    { weight: 6, arbitrary: of('send').map((each) => [each]) },
    { weight: 3, arbitrary: fc.tuple(summary, end) },
    { weight: 1, arbitrary: fc.tuple(summary, of('send'), end) },
    { weight: 2, arbitrary: of('edit', 'retry', 'bringBack').map((each) => [each]) },
    { weight: 2, arbitrary: of('mark', 'undoCompaction', 'editCompaction').map((each) => [each]) },
  );
  return fc.array(one, { minLength: 2, maxLength: 12 }).map((all) => {
    const teller = new LogTeller(name, true);
    for (const each of all.flat()) {
      perform(teller, each);
    }
    return teller;
  });
}

function perform(teller: LogTeller, one: Action): void {
  switch (one.do) {
    case 'send':
      teller.send(one.rounds, one.ending);
      return;
    case 'edit':
    case 'retry':
      teller.answerAnew(one.do, one);
      return;
    case 'bringBack':
      teller.bringBack(one.at);
      return;
    case 'keepHouse':
      teller.keepHouse(one.cause);
      return;
    case 'endHouse':
      teller.endHouse(one.at, one.isStopped);
      return;
    case 'undoCompaction':
      teller.undoCompaction();
      return;
    case 'editCompaction':
      teller.editCompaction(one.isSummaryFirst);
      return;
    case 'mark':
      teller.mark(one.as, one.at);
      return;
    case 'queue':
      teller.queue(one.isTaken);
      return;
    default:
      teller.log([eventOf(one)]);
  }
}

type Single = Exclude<
  Action,
  { do: 'send' | 'edit' | 'retry' | 'bringBack' | 'keepHouse' | 'endHouse' | 'undoCompaction' | 'editCompaction' | 'mark' | 'queue' }
>;

function eventOf(one: Single): NewEvent {
  switch (one.do) {
    case 'title':
      return { type: 'title', title: 'A title', by: 'user' };
    case 'cache':
      return { type: 'config-changed', change: { cacheMode: 'system' } };
    case 'relayout':
      return { type: 'relayout-asked' };
    case 'spendCap':
      return { type: 'spend-cap', usd: 2.5 };
    case 'decline':
      return { type: 'idle-declined', after: 'attempt-1' };
    case 'embed': {
      const cost = one.isPriced ? { usd: one.requests, atLeast: false } : null;
      const made = { purpose: 'embedding', model: { provider: 'house', model: 'small' }, requests: one.requests } as const;
      return { type: 'requests-made', attemptId: one.id, ...made, usage: null, cost, isUnbilled: false };
    }
    case 'addFile':
      return { type: 'context-added', item: { type: one.type, name: one.name, includeMode: 'manual', addedHash: null, given: null } };
    case 'removeFile':
      return {
        type: 'context-removed',
        item: { type: one.type, name: one.name },
        leaves: one.name === 'a.ts' || one.type === 'rule' ? 'now' : 'later',
      };
    case 'undoRemoval':
      return { type: 'removal-undone', item: { type: one.type, name: one.name } };
    case 'putFile':
      return {
        ...{ type: 'session-file-put', runId: null },
        file: { path: one.name, content: { inline: `text ${String(one.version)}` }, summary: 'A text', writtenAt: one.version },
      };
    case 'deleteFile':
      return { type: 'session-file-deleted', runId: null, path: one.name };
    case 'fragment':
      return { type: 'fragment-set', fragmentId: one.name, text: one.name === 'a' ? 'Be brief.' : null };
    case 'participant':
      return { type: 'participant', participant: { id: one.name, name: 'Somebody' } };
  }
}

/** Pieces of any kind in any order, also invalid ones: a damaged log can contain them. */
export const anyPiece: fc.Arbitrary<ProgressPiece> = fc
  .record({
    type: fc.constantFrom('text' as const, 'reasoning' as const, 'toolCallArgs' as const),
    index: fc.nat(2),
    offset: fc.nat(4),
    text: fc.string({ maxLength: 4 }),
  })
  .chain((piece) =>
    fc.constantFrom<ProgressPiece>(
      piece,
      piece,
      { type: 'reasoningSigned', index: piece.index, opaque: 'signed' },
      { type: 'toolCall', index: piece.index, id: 'call', name: 'read' },
    ),
  );

/** Returns the events that a story logged, without those that were only shown. */
export function loggedDrafts(story: Story): NewEvent[] {
  return story.steps.flatMap((step) => (step.isShown ? [] : step.drafts));
}

/** The segments of two windows in one log. Their clocks run in parallel, with gaps. */
export const twoWindows = fc
  .tuple(storyOf('s', true), storyOf('t', false), fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 20 }))
  .map(([mine, others, gaps]) => [...spread(loggedDrafts(mine), 'a', gaps), ...spread(loggedDrafts(others), 'b', gaps.toReversed())]);

/** Returns the events as one writer's log with these gaps between their sequence numbers. */
export function spread(drafts: readonly NewEvent[], writer: string, gaps: readonly number[]): ChatEvent[] {
  let seq = 0;
  return stamp(drafts, writer).map((event, index) => {
    seq += gaps[index % gaps.length]!;
    return { ...event, seq };
  });
}
