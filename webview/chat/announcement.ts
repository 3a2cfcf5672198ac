import type { PanelState } from '../../src/protocol/view.js';
import { tokens } from '../shared/numbers.js';
import { isAnsweredElsewhere } from './answeredElsewhere.js';

/**
 * What a screen reader hears of a change: that a reply began, ended, failed or is waited for, that a notice came, that
 * another part of the chat is on show, or that its log is damaged. Not the reply's text: read out piece by piece while it
 * streams, it would drown everything else.
 */
export function announcement(before: PanelState | null, after: PanelState): string | null {
  const said = [
    runAnnouncement(before, after),
    damageAnnouncement(before, after),
    partAnnouncement(before, after),
    ...noticeAnnouncements(before, after),
  ];
  const news = said.filter((text) => text !== null);
  return news.length === 0 ? null : news.join(' ');
}

function damageAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const label = after.chat?.damage?.label ?? null;
  const isKnown = before?.chat?.id === after.chat?.id && before?.chat?.damage?.label === label;
  return isKnown ? null : label;
}

/** That the end of the chat is out of reach, or in it again. What comes in at the end meanwhile makes it no other part. */
function partAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const later = laterMessages(after);
  const laterBefore = before?.chat?.id === after.chat?.id ? laterMessages(before) : 0;
  if (later === 0) {
    return laterBefore > 0 ? 'The latest messages are on show' : null;
  }
  const isSamePart = laterBefore > 0 && lastEntry(before) === lastEntry(after);
  return isSamePart ? null : `${tokens(later)} later ${later === 1 ? 'message is' : 'messages are'} not on show`;
}

function lastEntry(state: PanelState | null): string | undefined {
  return state?.entries.at(-1)?.id;
}

function laterMessages(state: PanelState | null): number {
  return state?.chat?.laterMessages ?? 0;
}

/** Errors are not among them: their banners are alerts, which screen readers announce themselves. */
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

/** Of a reply that ended out of sight it is not told how. */
function endAnnouncement(state: PanelState): string {
  if (laterMessages(state) > 0) {
    return 'Reply ended';
  }
  const last = state.entries.at(-1);
  return last?.kind === 'runNote' ? last.text : 'Reply finished';
}

function answering(state: PanelState | null): 'here' | 'elsewhere' | 'nobody' {
  const chat = state?.chat ?? null;
  if (chat?.running === true) {
    return 'here';
  }
  return chat !== null && isAnsweredElsewhere(chat, state?.chats ?? null) ? 'elsewhere' : 'nobody';
}

/** A wait is announced once, when it begins. */
function retryAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const last = after.entries.at(-1);
  return last?.kind === 'retry' && before?.entries.at(-1)?.id !== last.id ? `${last.text} Waiting to try again.` : null;
}
