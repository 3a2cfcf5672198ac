import type { PanelState } from '../../src/protocol/view.js';

/**
 * What a screen reader hears of a change: that a reply began, ended, failed or is waited for, that a notice came, or that
 * the log of the chat is damaged. Not the reply's text: read out piece by piece while it streams, it would drown
 * everything else.
 */
export function announcement(before: PanelState | null, after: PanelState): string | null {
  const said = [runAnnouncement(before, after), damageAnnouncement(before, after), ...noticeAnnouncements(before, after)];
  const news = said.filter((text) => text !== null);
  return news.length === 0 ? null : news.join(' ');
}

function damageAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const label = after.chat?.damage?.label ?? null;
  const isKnown = before?.chat?.id === after.chat?.id && before?.chat?.damage?.label === label;
  return isKnown ? null : label;
}

/** Errors are not among them: their banners are alerts, which screen readers announce themselves. */
function noticeAnnouncements(before: PanelState | null, after: PanelState): readonly string[] {
  const known = new Set(before?.banners.map(({ text }) => text));
  return after.banners.filter(({ severity, text }) => severity !== 'error' && !known.has(text)).map(({ text }) => text);
}

function runAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const was = before?.chat;
  const is = after.chat;
  if (is?.id !== was?.id) {
    return null;
  }
  if (is?.running === was?.running) {
    return retryAnnouncement(before, after);
  }
  if (is?.running === true) {
    return 'Reply started';
  }
  const last = after.entries.at(-1);
  return last?.kind === 'runNote' ? last.text : 'Reply finished';
}

/** A wait is announced once, when it begins. */
function retryAnnouncement(before: PanelState | null, after: PanelState): string | null {
  const last = after.entries.at(-1);
  return last?.kind === 'retry' && before?.entries.at(-1)?.id !== last.id ? `${last.text} Waiting to try again.` : null;
}
