import type { PanelState } from '../../src/protocol/view.js';

/**
 * What a screen reader hears of a change: that a reply began, ended or failed. Not its text: read out piece by
 * piece while it streams, it would drown everything else.
 */
export function announcement(before: PanelState | null, after: PanelState): string | null {
  const was = before?.chat;
  const is = after.chat;
  if (is?.id !== was?.id || is?.running === was?.running) {
    return null;
  }
  if (is?.running === true) {
    return 'Reply started';
  }
  const last = after.entries.at(-1);
  return last?.kind === 'runNote' ? last.text : 'Reply finished';
}
