import type { PanelState } from '../../src/protocol/view.js';

/**
 * What a screen reader hears of a change: that a reply began, ended, failed or is waited for. Not its text: read out piece by
 * piece while it streams, it would drown everything else.
 */
export function announcement(before: PanelState | null, after: PanelState): string | null {
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
