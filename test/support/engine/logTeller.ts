import type { ProgressPiece } from '../../../src/engine/chat/message/reply.js';
import type { Compaction } from '../../../src/engine/chat/slices/compaction.js';
import type { RunStatus } from '../../../src/engine/chat/slices/runs.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { Message, RewindReason } from '../../../src/engine/chat/message/message.js';
import type { AssistantPart } from '../../../src/engine/model/part.js';
import { attemptEnded, attemptStarted, created, errorRecord, logged, runStarted, toolStarted } from './events.js';
import { assistant, call, image, result, results, text, user } from './messages.js';
import { OPEN_MODEL } from './models.js';
import type { Round } from './round.js';

export interface Step {
  readonly drafts: readonly NewEvent[];
  /** Only shown. A later step logs the same text. */
  readonly isShown: boolean;
}

export interface Story {
  readonly steps: readonly Step[];
  readonly branch: readonly string[];
  readonly statuses: ReadonlyMap<string, RunStatus>;
  readonly replies: ReadonlyMap<string, readonly string[]>;
}

/** An entry of a branch: a message, or the start of a run. Housekeeping stays when a rewind cuts before it. */
interface Standing {
  readonly id: string;
  readonly runId: string | null;
  readonly isRun: boolean;
  readonly isHousekeeping: boolean;
}

interface Pending {
  readonly runId: string;
  readonly attemptId: string;
  readonly cause: 'title' | 'summary';
  /** The messages that existed when the summary began. It replaces no later ones. */
  readonly asked: ReadonlySet<string>;
}

interface Answer {
  readonly at: number;
  readonly rounds: readonly Round[];
  readonly ending: RunStatus;
}

/** Logs what happens to a chat as steps, and keeps the expected result. */
export class LogTeller implements Story {
  readonly steps: Step[] = [];
  readonly statuses = new Map<string, RunStatus>();
  readonly replies = new Map<string, string[]>();
  readonly #asked = new Set<string>();
  #branch: Standing[] = [];
  readonly #left: [string, Standing[]][] = [];
  readonly #pending: Pending[] = [];
  readonly #compactions: Compaction[] = [];
  readonly #name: string;
  #count = 0;

  constructor(name: string, creates: boolean) {
    this.#name = name;
    if (creates) {
      this.log([created()]);
    }
  }

  get branch(): readonly string[] {
    return this.#branch.flatMap(({ id, isRun }) => (isRun ? [] : [id]));
  }

  log(drafts: readonly NewEvent[]): void {
    this.steps.push({ drafts, isShown: false });
    for (const draft of drafts) {
      if (draft.type === 'message') {
        const { id, role } = draft.message;
        this.#stand({ id, runId: draft.runId, isRun: false, isHousekeeping: this.#isOwn(draft.runId) }, role);
      } else if (draft.type === 'run-started') {
        this.#branch.push({ id: draft.runId, runId: draft.runId, isRun: true, isHousekeeping: draft.userMessageId === null });
      }
    }
  }

  /**
   * The message of a housekeeping run belongs at the start of the run, on each branch that has it. All other messages
   * belong at the end. A summary can begin on a branch that the user leaves: the visible branch can also contain
   * messages that it replaces.
   */
  #stand(item: Standing, role: Message['role']): void {
    const isElsewhere = this.#branch.every(({ runId }) => runId !== item.runId);
    if (!item.isHousekeeping || (role === 'summary' && isElsewhere)) {
      this.#branch.push(item);
    }
    if (!item.isHousekeeping) {
      return;
    }
    for (const branch of [this.#branch, ...this.#left.map(([, left]) => left)]) {
      const at = branch.findLastIndex((each) => each.runId === item.runId && each !== item);
      if (at !== -1) {
        branch.splice(at + 1, 0, item);
      }
    }
  }

  #isOwn(runId: string | null): boolean {
    return this.#pending.some((pending) => pending.runId === runId);
  }

  keepHouse(cause: 'title' | 'summary'): void {
    const pending = { runId: this.#id('house'), attemptId: this.#id('attempt'), cause, asked: new Set(this.#asked) };
    const started = { ...attemptStarted(pending.runId, pending.attemptId), purpose: cause };
    this.#pending.push(pending);
    this.statuses.set(pending.runId, 'running');
    this.replies.set(pending.attemptId, []);
    this.log([{ type: 'run-started', runId: pending.runId, cause, userMessageId: null }, started]);
  }

  endHouse(at: number, isStopped: boolean): void {
    const pending = this.#pending[at % Math.max(1, this.#pending.length)];
    if (pending === undefined) {
      return;
    }
    const { runId, attemptId, cause, asked } = pending;
    this.statuses.set(runId, isStopped ? 'stopped' : 'committed');
    if (isStopped) {
      this.log([attemptEnded(runId, attemptId, 'stopped'), { type: 'run-stopped', runId }]);
    } else {
      const message: Message = { role: cause, id: this.#id(cause), text: 'What was said.' };
      const done = cause === 'summary' ? this.#compacted(runId, message.id, asked) : [];
      this.log([attemptEnded(runId, attemptId, 'complete'), logged(runId, message), ...done, { type: 'run-committed', runId }]);
    }
    this.#pending.splice(this.#pending.indexOf(pending), 1);
  }

  #compacted(runId: string, summaryId: string, asked: ReadonlySet<string>): NewEvent[] {
    const last = this.#compactions.findLast(({ to }) => this.branch.includes(to));
    const open = this.branch.slice(this.branch.indexOf(last?.to ?? '') + 1);
    const [from, to = from] = open.filter((id) => asked.has(id));
    if (from === undefined || to === undefined) {
      return [];
    }
    const form = { policy: 'manual', case: 'summarize', tokens: { before: 9, after: 3 }, lines: ['Keep this.'] } as const;
    const compaction = { id: this.#id('compaction'), from, to, summaryId, ...form };
    this.#compactions.push(compaction);
    return [{ type: 'compacted', runId, compaction }];
  }

  undoCompaction(): void {
    const compactionId = this.#compactions.pop()?.id;
    if (compactionId !== undefined) {
      this.log([{ type: 'compaction-undone', compactionId }]);
    }
  }

  /** Edits the text of the latest summary, which keeps its place. Both orders of the two events mean the same. */
  editCompaction(isSummaryFirst: boolean): void {
    const latest = this.#compactions.at(-1);
    if (latest?.summaryId === undefined || latest.summaryId === null) {
      return;
    }
    const lines = [...latest.lines, this.#id('line')];
    const message: Message = { role: 'summary', id: latest.summaryId, text: lines.join('\n') };
    const edited = [{ type: 'compacted', runId: null, compaction: { ...latest, lines } }, logged(null, message)] as const;
    this.steps.push({ drafts: isSummaryFirst ? edited.toReversed() : edited, isShown: false });
    this.#compactions.splice(-1, 1, { ...latest, lines });
  }

  mark(type: 'pinned' | 'unpinned' | 'excluded' | 'included', at: number): void {
    const messageId = this.branch[at % Math.max(1, this.branch.length)];
    if (messageId !== undefined) {
      const call = at % 3 === 0 ? { callId: `call-${at % 2}` } : {};
      const isOut = type === 'excluded' || type === 'included';
      this.log([
        type === 'excluded' && at % 2 === 0
          ? { type, messageId, ...call, leaves: 'now' }
          : isOut
            ? { type, messageId, ...call }
            : { type, messageId },
      ]);
    }
  }

  /** Queues a message until the chat is free. `isTaken`: it no longer waits. */
  queue(isTaken: boolean): void {
    const message = user(this.#id('queued'), 'Later');
    this.log([{ type: 'message-queued', message }]);
    if (isTaken) {
      this.log([{ type: 'message-unqueued', messageId: message.id }]);
    }
  }

  send(rounds: readonly Round[], ending: RunStatus): void {
    const runId = this.#id('run');
    const question = user(this.#id('user'), 'A question');
    this.#asked.add(question.id);
    this.log([logged(runId, question), runStarted(runId, question.id)]);
    this.#answer(runId, rounds, ending);
  }

  answerAnew(how: 'edit' | 'retry', { at, rounds, ending }: Answer): void {
    const asked = this.branch.filter((id) => this.#asked.has(id));
    const id = asked[at % asked.length];
    if (id === undefined) {
      return;
    }
    if (how === 'edit') {
      const before = this.#branch.slice(
        0,
        this.#branch.findIndex((each) => each.id === id),
      );
      this.rewind(before.findLast(({ isRun, isHousekeeping }) => !isRun && !isHousekeeping)?.id ?? null, 'edited');
      this.send(rounds, ending);
    } else {
      this.rewind(id, 'retried');
      const runId = this.#id('run');
      this.log([{ type: 'run-started', runId, userMessageId: id, cause: 'retry' }]);
      this.#answer(runId, rounds, ending);
    }
  }

  rewind(to: string | null, reason: RewindReason): void {
    const rewindId = this.#id('rewind');
    this.#left.push([rewindId, this.#branch]);
    const end = this.#cut(to, reason);
    this.#branch = [...this.#branch.slice(0, end), ...this.#standingSummaries(this.#branch.slice(end))];
    this.log([{ type: 'rewound', rewindId, to, reason }, this.#note(rewindId, reason)]);
  }

  /** Returns the summaries in a removed branch whose last message is still visible: they still replace it. */
  #standingSummaries(aside: readonly Standing[]): readonly Standing[] {
    const gone = new Set(aside.map(({ id }) => id));
    const standing = new Set(this.#compactions.flatMap(({ to, summaryId }) => (gone.has(to) ? [] : [summaryId])));
    return aside.filter(({ id, isRun }) => !isRun && standing.has(id));
  }

  #cut(to: string | null, reason: RewindReason): number {
    const at = this.#branch.findIndex(({ id, isRun }) => !isRun && id === to);
    const next = this.#branch.findIndex(({ isRun, isHousekeeping }, index) => index > at && !isRun && !isHousekeeping);
    return at === -1 || reason === 'retried' ? at + 1 : next === -1 ? this.#branch.length : next;
  }

  bringBack(at: number): void {
    const found = this.#left[at % this.#left.length];
    if (found === undefined) {
      return;
    }
    const [rewindId, branch] = found;
    const undoId = this.#id('rewind');
    this.#left.push([undoId, this.#branch]);
    this.#branch = [...branch];
    this.log([{ type: 'restored', rewindId, undoId }, this.#note(undoId, 'broughtBack')]);
  }

  #answer(runId: string, rounds: readonly Round[], wanted: RunStatus): void {
    for (const round of rounds.slice(0, -1)) {
      this.#toolRound(runId, round);
    }
    const ending = wanted === 'failed' || wanted === 'rolledBack' ? (rounds.length > 1 ? 'failed' : 'rolledBack') : wanted;
    this.statuses.set(runId, ending);
    const last = rounds.at(-1);
    if (last !== undefined) {
      this.#lastRound(runId, last, ending);
    }
  }

  #toolRound(runId: string, round: Round): void {
    const attemptId = this.#id('attempt');
    const parts = this.#stream(runId, attemptId, round);
    const said = { ...assistant(this.#id('assistant'), ...parts), attemptId };
    this.log([attemptEnded(runId, attemptId, 'complete'), logged(runId, said)]);
    const calls = parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
    for (const id of calls) {
      this.log([toolStarted(runId, id)]);
      this.log([{ type: 'tool-ended', runId, callId: id, result: result(id, text('done')), durationMs: 5, edits: [] }]);
    }
    const messageId = this.#id('results');
    this.log([logged(runId, results(messageId, ...calls.map((id) => result(id, text('done')))))]);
    const found = { before: null, after: messageId, added: null, removed: null, noCopy: 'notKnown', blob: null } as const;
    this.log([{ type: 'round-edited', runId, messageId, edits: [{ path: 'made.txt', ...found }] }]);
  }

  #lastRound(runId: string, round: Round, ending: RunStatus): void {
    const attemptId = this.#id('attempt');
    const parts = this.#stream(runId, attemptId, { ...round, tools: 0 });
    const said = { ...assistant(this.#id('assistant'), ...parts), attemptId, stopped: ending === 'stopped' };
    switch (ending) {
      case 'committed':
        this.log([attemptEnded(runId, attemptId, 'complete'), logged(runId, said), { type: 'run-committed', runId }]);
        return;
      case 'stopped':
        this.log([attemptEnded(runId, attemptId, 'stopped'), logged(runId, said), { type: 'run-stopped', runId }]);
        return;
      case 'failed':
        this.log([attemptEnded(runId, attemptId, 'failed'), { type: 'run-failed', runId, error: errorRecord('Broke.') }]);
        return;
      case 'rolledBack':
        this.log([attemptEnded(runId, attemptId, 'failed'), { type: 'run-rolled-back', runId, error: errorRecord('Broke.') }]);
        return;
      case 'interrupted':
        this.log([attemptEnded(runId, attemptId, 'interrupted'), { type: 'run-interrupted', runId }]);
        return;
      case 'running':
        return;
    }
  }

  /** Streams a reply. Each piece is shown at once, and logged together with its neighbors. */
  #stream(runId: string, attemptId: string, round: Round): AssistantPart[] {
    this.log([attemptStarted(runId, attemptId)]);
    const pieces: ProgressPiece[] = round.prose.flatMap(({ type, chunks }, index) => proseOf(type, index, chunks));
    const ids = Array.from({ length: round.tools }, () => this.#id('call'));
    pieces.push(...ids.flatMap((id, index) => callOf(id, round.prose.length + index)));
    const progress = (some: readonly ProgressPiece[]): NewEvent => ({ type: 'attempt-progress', runId, attemptId, pieces: some });
    for (let from = 0; from < pieces.length; from += round.batch) {
      const batch = pieces.slice(from, from + round.batch);
      if (round.isShown) {
        this.steps.push(...batch.map((piece) => ({ drafts: [progress([piece])], isShown: true })));
      }
      this.log([progress(joined(batch))]);
    }
    this.replies.set(attemptId, [...round.prose.map(({ chunks }) => chunks.join('')), ...ids.map(() => '{"n":1}')]);
    return [...round.prose.map(({ type, chunks }) => partOf(type, chunks.join(''))), ...ids.map((id) => call(id, { n: 1 }))];
  }

  #note(rewindId: string, reason: RewindReason): NewEvent {
    const none = { attempts: 0, promptTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, completionTokens: 0 };
    const totals = { ...none, unknownAttempts: 0, cost: null };
    const message: Message = { role: 'accounting', id: this.#id('note'), reason, discardedMessages: 0, totals, rewindId };
    return logged(null, message);
  }

  #id(kind: string): string {
    this.#count += 1;
    return `${this.#name}-${kind}-${this.#count}`;
  }
}

type ProseType = Round['prose'][number]['type'];

function partOf(type: ProseType, content: string): AssistantPart {
  if (type === 'image') {
    return image(content);
  }
  return type === 'text'
    ? text(content)
    : { type, text: content, opaque: 'signed', protocol: OPEN_MODEL.protocol, model: OPEN_MODEL.ref.model };
}

/** Reasoning in chunks arrives as text. Only its end says that it was reasoning. */
function proseOf(type: ProseType, index: number, chunks: readonly string[]): ProgressPiece[] {
  if (type === 'image') {
    return [{ type, index, image: image(chunks.join('')) }];
  }
  const isToldLate = type === 'reasoning' && chunks.length > 2;
  let offset = 0;
  const pieces = chunks.map((chunk): ProgressPiece => {
    offset += chunk.length;
    return { type: isToldLate ? 'text' : type, index, offset: offset - chunk.length, text: chunk };
  });
  const ends: ProgressPiece[] = isToldLate ? [{ type, index, offset, text: '' }] : [];
  return type === 'text' ? pieces : [...pieces, ...ends, { type: 'reasoningSigned', index, opaque: 'signed' }];
}

function callOf(id: string, index: number): ProgressPiece[] {
  return [
    { type: 'toolCall', index, id, name: 'read' },
    { type: 'toolCallArgs', index, offset: 0, text: '{"n"' },
    { type: 'toolCallArgs', index, offset: 4, text: ':1}' },
  ];
}

/** Joins adjacent pieces of one part, as the log does. */
function joined(pieces: readonly ProgressPiece[]): ProgressPiece[] {
  const all: ProgressPiece[] = [];
  for (const piece of pieces) {
    const last = all.pop();
    if (last === undefined) {
      all.push(piece);
    } else if ('text' in last && 'text' in piece && last.index === piece.index && last.type === piece.type) {
      all.push({ ...last, text: last.text + piece.text });
    } else {
      all.push(last, piece);
    }
  }
  return all;
}
