import type { CompactionView, SummaryEntry } from '../../src/protocol/compaction.js';
import type { AssistantEntry, PanelState } from '../../src/protocol/view.js';
import { revealHidden } from '../shared/hidden.js';
import { counted, tokens } from '../shared/numbers.js';
import { isAnsweredElsewhere } from './answeredElsewhere.js';
import { AWAITED } from './awaitedStrip.js';
import { RETRY_TITLE } from './retryQuestion.js';
import { serverTitle, startingTitle } from './serverQuestion.js';
import { spendTitle } from './spendQuestion.js';
import { stepTitle } from './stepQuestion.js';
import { waitingCalls } from './waitingCalls.js';
import { AS_IT_WAS, begun, CANCELLED, whyClosed, wouldTurn } from './compactionBlock.js';

/** How a summary came, by its form. */
const DONE: Readonly<Record<SummaryEntry['form'], string>> = {
  written: 'Summarized',
  leftOut: 'Left out without a summary',
};

/**
 * The text for screen readers after a change: a reply began, ended, failed or waits; a message waits; a summary began, came, failed, was
 * cancelled or undone, or got a fact back; a turn or tool calls were left out or brought back; a server on show runs, failed or was stopped; a request waits for the user; a notice came; another part of the chat is shown; or the chat's log is damaged. The reply's text is left out: read piece by piece while it
 * streams, it would drown everything else.
 */
export function announcement(before: PanelState | null, after: PanelState): string | null {
  const said = [
    runAnnouncement(before, after),
    spendAnnouncement(before, after),
    serverQuestionAnnouncement(before, after),
    startingAnnouncement(before, after),
    retryQuestionAnnouncement(before, after),
    ...toolAnnouncements(before, after),
    queueAnnouncement(before, after),
    summaryAnnouncement(before, after),
    leftOutAnnouncement(before, after),
    ...serverAnnouncements(before, after),
    damageAnnouncement(before, after),
    partAnnouncement(before, after),
    ...noticeAnnouncements(before, after),
  ];
  const news = said.filter((text) => text !== null);
  return news.length === 0 ? null : news.join(' ');
}

/** What the user has left out, with the id of its entry: a turn by its message, tool calls by their reply, or one by it and its own id. */
function leftOutIds({ entries }: PanelState): ReadonlyMap<string, string> {
  return new Map(entries.flatMap((entry) => leftOutOf(entry).map((id) => [id, entry.id] as const)));
}

function leftOutOf(entry: PanelState['entries'][number]): readonly string[] {
  if (entry.kind === 'user') {
    return entry.isLeftOut ? [entry.id] : [];
  }
  if (entry.kind !== 'assistant' || entry.leftOut === null || entry.leftOut === 'turn') {
    return [];
  }
  const calls = entry.leftOut === 'calls' ? callIdsOf(entry) : entry.leftOut.callIds;
  return calls.map((callId) => `${entry.id}/${callId}`);
}

function callIdsOf({ parts }: AssistantEntry): readonly string[] {
  return parts.flatMap((part) => (part.type === 'toolCall' ? [part.callId] : []));
}

/** What was left out or brought back; nothing for messages that come into view. */
function leftOutAnnouncement(before: PanelState | null, after: PanelState): string | null {
  if (before === null || before.chat?.id !== after.chat?.id) {
    return null;
  }
  const [known, now] = [leftOutIds(before), leftOutIds(after)];
  const wasShown = (id: string): boolean => before.entries.some((entry) => entry.id === id);
  if ([...now].some(([id, entry]) => !known.has(id) && wasShown(entry))) {
    return 'Left out of requests';
  }
  return [...known].some(([id, entryId]) => !now.has(id) && after.entries.some((entry) => entry.id === entryId)) ? 'Brought back' : null;
}

function damageAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const label = after.chat?.damage?.label ?? null;
  const isKnown = before?.chat?.id === after.chat?.id && before?.chat?.damage?.label === label;
  return isKnown ? null : label;
}

function queueAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const known = new Set(waitingIds(before));
  const isSameChat = before?.chat?.id === after.chat?.id;
  return isSameChat && waitingIds(after).some((id) => !known.has(id)) ? 'The message is sent when this reply has ended' : null;
}

/** A request that waits for the user, once; its parts and its buttons are found from there. */
function spendAnnouncement(before: PanelState | null, { spendQuestion: asked }: PanelState): string | null {
  return asked === null || asked.id === before?.spendQuestion?.id ? null : spendTitle(asked);
}

/** A server that waits for the user's leave, once; its command is found from there. */
function serverQuestionAnnouncement(before: PanelState | null, { serverQuestion: asked }: PanelState): string | null {
  return asked === null || asked.id === before?.serverQuestion?.id ? null : serverTitle(asked);
}

/** A message that waits for servers, once. */
function startingAnnouncement(before: PanelState | null, { startingServers: names, serverQuestion: asked }: PanelState): string | null {
  const isKnown = before !== null && before.startingServers.length > 0 && before.serverQuestion === null;
  return names.length === 0 || asked !== null || isKnown ? null : startingTitle(names);
}

/** A retry that waits for the user, once. */
function retryQuestionAnnouncement(before: PanelState | null, { restoreOffer }: PanelState): string | null {
  const known = before?.restoreOffer;
  const isKnown = known?.cause === 'retry' && known.messageId === restoreOffer?.messageId;
  return restoreOffer?.cause === 'retry' && !isKnown ? RETRY_TITLE : null;
}

/** A call or a run that waits for the user, once. */
function toolAnnouncements(before: PanelState | null, after: PanelState): (string | null)[] {
  const known = new Set(waitingCalls(before?.entries ?? []).map(({ callId }) => callId));
  const asked = waitingCalls(after.entries).filter(({ callId }) => !known.has(callId));
  const { stepQuestion } = after;
  const steps = stepQuestion === null || stepQuestion.steps === before?.stepQuestion?.steps ? null : stepTitle(stepQuestion);
  return [...asked.map(({ name }) => `${name} waits for you`), steps];
}

/** What became of a server that was on show before. */
function serverAnnouncements(before: PanelState | null, after: PanelState): readonly string[] {
  const known = new Map(before?.manager?.tools.servers.map(({ name, status }) => [name, status]));
  return (after.manager?.tools.servers ?? []).flatMap(({ name, status, problem }) => {
    const was = known.get(name);
    const isNews = was !== undefined && was !== status && status !== 'starting';
    return isNews ? [`${revealHidden(name)}: ${status}${problem === null ? '' : `. ${revealHidden(problem)}`}`] : [];
  });
}

function summaryAnnouncement(before: PanelState | null, after: PanelState): string | null {
  if (before === null || before.chat?.id !== after.chat?.id) {
    return null;
  }
  const was = before.compaction?.kind;
  if (after.compaction !== null && after.compaction.kind !== was) {
    return begunOrEnded(after.compaction);
  }
  const written = writtenSince(before, after);
  if (written !== undefined) {
    return `${DONE[written.form]}: ${counted(written.tokens.before, 'token')} became ${tokens(written.tokens.after)}`;
  }
  if (isBroughtBack(before, after)) {
    return 'Brought back into the summary';
  }
  return isUndone(before, after) ? 'Summary undone' : null;
}

function begunOrEnded(compaction: CompactionView): string {
  switch (compaction.kind) {
    case 'running': {
      const what = begun(compaction.messages);
      return compaction.isAwaited ? `${what}. ${AWAITED}` : what;
    }
    case 'due':
      return wouldTurn(compaction);
    case 'failed':
      return `${compaction.text} ${AS_IT_WAS}`;
    case 'outdated':
      return whyClosed(compaction);
    case 'cancelled':
      return CANCELLED;
  }
}

/** A summary that has come behind an entry on show. One of another part of the chat comes before all of them, or after a part without the end. */
function writtenSince(before: PanelState, after: PanelState): SummaryEntry | undefined {
  const known = new Set(before.entries.map(({ id }) => id));
  const first = after.entries.findIndex(({ id }) => known.has(id));
  const come = first === -1 || laterMessages(before) > 0 ? [] : after.entries.slice(first);
  return come.filter((entry) => entry.kind === 'summary').find(({ id, status }) => status === 'active' && !known.has(id));
}

function isBroughtBack(before: PanelState, after: PanelState): boolean {
  const lines = new Map(summaries(before).map((entry) => [entry.id, entry.lines]));
  return summaries(after).some((entry) => entry.lines > (lines.get(entry.id) ?? entry.lines));
}

function isUndone(before: PanelState, after: PanelState): boolean {
  const used = new Set(summaries(before).flatMap(({ id, status }) => (status === 'undone' ? [] : [id])));
  return summaries(after).some(({ id, status }) => status === 'undone' && used.has(id));
}

function summaries({ entries }: PanelState): readonly SummaryEntry[] {
  return entries.filter((entry) => entry.kind === 'summary');
}

function waitingIds(state: PanelState | null): readonly string[] {
  return (state?.entries ?? []).filter((entry) => entry.kind === 'user' && entry.status === 'queued').map(({ id }) => id);
}

/**
 * Says that a part of the chat without its end is shown, or that the end is shown again. New messages after the shown
 * part change nothing.
 */
function partAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const later = laterMessages(after);
  const laterBefore = before?.chat?.id === after.chat?.id ? laterMessages(before) : 0;
  if (later === 0) {
    return laterBefore > 0 ? 'Showing the latest messages' : null;
  }
  const isSamePart = laterBefore > 0 && lastEntry(before) === lastEntry(after);
  return isSamePart ? null : `${tokens(later)} newer ${later === 1 ? 'message' : 'messages'} below`;
}

function lastEntry(state: PanelState | null): string | undefined {
  return state?.entries.at(-1)?.id;
}

function laterMessages(state: PanelState | null): number {
  return state?.chat?.laterMessages ?? 0;
}

/** Leaves out errors: their banners are alerts, which screen readers announce themselves. */
function noticeAnnouncements(before: PanelState | null, after: PanelState): readonly string[] {
  const known = new Set(before?.banners.map(({ text }) => text));
  return after.banners.filter(({ severity, text }) => severity !== 'error' && !known.has(text)).map(({ text }) => text);
}

function runAnnouncement(before: PanelState | null, after: PanelState): string | null {
  if (before?.chat?.id !== after.chat?.id) {
    return null;
  }
  const is = answering(after);
  if (is === answering(before)) {
    return retryAnnouncement(before, after);
  }
  if (is !== 'nobody') {
    return is === 'here' ? 'Reply started' : 'A reply is being written in another window';
  }
  return endAnnouncement(after);
}

/** When the end of the chat is not loaded, how the reply ended is unknown. */
function endAnnouncement(state: PanelState): string {
  if (laterMessages(state) > 0) {
    return 'Reply ended';
  }
  const waiting = new Set(waitingIds(state));
  const last = state.entries.findLast(({ id }) => !waiting.has(id));
  return last?.kind === 'runNote' ? last.text : 'Reply finished';
}

function answering(state: PanelState | null): 'here' | 'elsewhere' | 'nobody' {
  const chat = state?.chat ?? null;
  if (chat?.running === true) {
    return 'here';
  }
  return chat !== null && isAnsweredElsewhere(chat, state?.chats ?? null) ? 'elsewhere' : 'nobody';
}

/** Announces a wait once, when it begins. */
function retryAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const last = after.entries.at(-1);
  return last?.kind === 'retry' && before?.entries.at(-1)?.id !== last.id ? `${last.text} Waiting to try again.` : null;
}
