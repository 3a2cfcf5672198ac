import { type Banners, DISMISS } from '../window/banners.js';

/** Id of the banner about files that were not added. Sending a message hides the banner. */
export const NOT_ADDED = 'notAdded';

/** Maximum number of notes in the banner. The log has all notes. */
const NOTES_NAMED = 3;

export interface NotAddedPorts {
  readonly banners: Pick<Banners, 'show' | 'hide'>;
  logInfo(text: string): void;
}

/** Shows and logs why files or images were not added. Without such notes, hides the earlier banner. */
export function showNotAdded(notes: readonly string[], ports: NotAddedPorts): void {
  const { banners } = ports;
  for (const note of notes) {
    ports.logInfo(note);
  }
  if (notes.length === 0) {
    banners.hide(NOT_ADDED);
    return;
  }
  const more = notes.length > NOTES_NAMED ? ` "Loupe: Show Log" shows ${String(notes.length - NOTES_NAMED)} more messages.` : '';
  banners.show({ id: NOT_ADDED, severity: 'warning', text: `${notes.slice(0, NOTES_NAMED).join(' ')}${more}`, actions: [DISMISS] });
}
