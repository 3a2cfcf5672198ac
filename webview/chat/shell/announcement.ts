import type { CompactionView } from '../../../src/protocol/panel/compaction.js';
import type { SummaryEntry } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { counted, tokens } from '../../shared/numbers.js';
import { idleText } from '../composer/idleStrip.js';
import { isAnsweredElsewhere } from '../notices/answeredElsewhere.js';
import { AWAITED } from '../composer/awaitedStrip.js';
import { RETRY_TITLE } from '../questions/retryQuestion.js';
import { serverTitle, startingTitle } from '../questions/serverQuestion.js';
import { spendTitle } from '../questions/spendQuestion.js';
import { stepTitle } from '../questions/stepQuestion.js';
import { waitingCalls } from '../questions/waitingCalls.js';
import { AS_IT_WAS, progressTitle, CANCELLED, whyClosed, suggestionInWords } from '../conversation/compactionBlock.js';

/**
 * Returns what screen readers announce after a change: a reply began or ended; a question, message or retry waits; a
 * summary began, finished, failed or was cancelled; the chat is damaged; a notice appeared. Never announces the text of
 * a reply, because the pieces of a reply would drown out everything else.
 */
export function announcement(before: PanelState | null, after: PanelState): string | null {
  const known = new Set(before === null ? [] : lastingAnnouncements(before).map(({ key }) => key));
  const news = lastingAnnouncements(after).filter(({ key }) => !known.has(key));
  const texts = [runAnnouncement(before, after), ...news.map(({ text }) => text), summaryAnnouncement(before, after)];
  // Announces equal texts once: two waiting messages can have the same text.
  const said = new Set(texts.filter((text) => text !== null));
  return said.size === 0 ? null : [...said].join(' ');
}

/** A text that screen readers announce once, when its cause appears. */
interface LastingAnnouncement {
  /** Identifies the cause. Loupe announces each key only once. */
  readonly key: string;
  readonly text: string;
}

function lastingAnnouncements(state: PanelState): readonly LastingAnnouncement[] {
  const { chat, compaction, banners } = state;
  const damage = chat?.damage ?? null;
  return [
    ...questions(state),
    ...waiting(state),
    ...(state.idle === null ? [] : [{ key: `idle ${chat?.id ?? ''} ${state.idle.kind}`, text: idleText(state.idle, Date.now()) }]),
    ...(compaction === null ? [] : [{ key: `summary ${chat?.id ?? ''} ${compaction.kind}`, text: compactionText(compaction) }]),
    ...(damage === null ? [] : [{ key: `damage ${chat?.id ?? ''} ${damage.label}`, text: damage.label }]),
    // Leaves out errors: screen readers announce error banners automatically, because these are alerts.
    ...banners.flatMap(({ severity, text }) => (severity === 'error' ? [] : [{ key: `notice ${text}`, text }])),
  ];
}

function questions({ entries, spendQuestion, serverQuestion, stepQuestion, restoreOffer }: PanelState): readonly LastingAnnouncement[] {
  return [
    ...(spendQuestion === null ? [] : [{ key: `spend ${spendQuestion.id}`, text: spendTitle(spendQuestion) }]),
    ...(serverQuestion === null ? [] : [{ key: `server ${serverQuestion.id}`, text: serverTitle(serverQuestion) }]),
    ...(restoreOffer?.cause === 'retry' ? [{ key: `retry ${restoreOffer.messageId}`, text: RETRY_TITLE }] : []),
    ...waitingCalls(entries).map(({ callId, name }) => ({ key: `call ${callId}`, text: `${name} needs approval` })),
    ...(stepQuestion === null ? [] : [{ key: `steps ${stepQuestion.runId} ${String(stepQuestion.steps)}`, text: stepTitle(stepQuestion) }]),
  ];
}

/** Announcements about a chat that waits for a server, for the end of a reply, or for a retry. */
function waiting(state: PanelState): readonly LastingAnnouncement[] {
  const { entries, startingServers, serverQuestion } = state;
  const last = entries.at(-1);
  const isHeld = answering(state) === 'nobody';
  return [
    ...(startingServers.length === 0 || serverQuestion !== null ? [] : [{ key: 'starting', text: startingTitle(startingServers) }]),
    ...queued(entries).map(({ id }) =>
      isHeld
        ? { key: `held ${id}`, text: 'A queued message is not sent yet' }
        : { key: `queued ${id}`, text: 'Loupe sends the message after this reply' },
    ),
    ...(last?.kind === 'retry' ? [{ key: `attempt ${last.id}`, text: `${last.text} Loupe will try again.` }] : []),
  ];
}

function queued(entries: PanelState['entries']): PanelState['entries'] {
  return entries.filter((entry) => entry.kind === 'user' && entry.status === 'queued');
}

function compactionText(compaction: CompactionView): string {
  switch (compaction.kind) {
    case 'running':
      return [progressTitle(compaction.messages), ...(compaction.isAwaited ? [AWAITED] : [])].join('. ');
    case 'due':
      return suggestionInWords(compaction);
    case 'failed':
      return `${compaction.text} ${AS_IT_WAS}`;
    case 'outdated':
      return whyClosed(compaction);
    case 'cancelled':
      return CANCELLED;
  }
}

/** The announcement for each form of a summary. */
const DONE: Readonly<Record<SummaryEntry['form'], string>> = {
  written: 'Summarized',
  leftOut: 'Messages dropped without a summary',
};

/** Returns the announcement of a new summary. Loading earlier or later messages with summaries announces nothing. */
function summaryAnnouncement(before: PanelState | null, after: PanelState): string | null {
  if (before === null || before.chat?.id !== after.chat?.id || laterMessages(before) > 0) {
    return null;
  }
  const known = new Set(before.entries.map(({ id }) => id));
  const first = after.entries.findIndex(({ id }) => known.has(id));
  const come = first === -1 ? [] : after.entries.slice(first).filter((entry) => entry.kind === 'summary');
  const written = come.find(({ id, status }) => status === 'active' && !known.has(id));
  return written === undefined
    ? null
    : `${DONE[written.form]}: ${counted(written.tokens.before, 'token')} became ${tokens(written.tokens.after)}`;
}

function laterMessages(state: PanelState): number {
  return state.chat?.laterMessages ?? 0;
}

function runAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const is = answering(after);
  if (before === null || before.chat?.id !== after.chat?.id || is === answering(before)) {
    return null;
  }
  if (is !== 'nobody') {
    return is === 'here' ? 'Reply started' : 'The model is writing a reply in another window';
  }
  return endAnnouncement(after);
}

/** Describes how the last reply ended. While the end of the chat is not loaded, only says that the reply ended. */
function endAnnouncement(state: PanelState): string {
  if (laterMessages(state) > 0) {
    return 'Reply ended';
  }
  const waits = new Set(queued(state.entries));
  const last = state.entries.findLast((entry) => !waits.has(entry));
  return last?.kind === 'runNote' ? last.text : 'Reply finished';
}

function answering({ chat, chats }: PanelState): 'here' | 'elsewhere' | 'nobody' {
  if (chat?.running === true) {
    return 'here';
  }
  return chat !== null && isAnsweredElsewhere(chat, chats) ? 'elsewhere' : 'nobody';
}
