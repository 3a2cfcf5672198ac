import type { ToHost } from '../../src/protocol/toHost.js';
import { MOST_OPEN, type PanelState } from '../../src/protocol/view.js';
import type { Disclosures } from '../shared/disclosures.js';

type ShowRows = Extract<ToHost, { readonly type: 'showRows' }>;

/** What can be opened and has rows that the host sends only then. */
export const NEXT_REQUEST = 'next-request';
export const CHIPS = 'chips';
export const CONTEXT_USED = 'context';

/** The name of a part of an entry, as what can be opened. */
export function entryPart(entryId: string, part: string): string {
  return `${entryId}:${part}`;
}

/** Keeps the host told of what is open among what is on show: after each snapshot, and whenever it is something else. */
export class OpenRows {
  #told: string | null = null;

  /** The message that is due; null when the host knows. */
  due(state: PanelState, disclosures: Disclosures, isSnapshot: boolean): ShowRows | null {
    const message = openRows(state, disclosures);
    const rows = JSON.stringify(message);
    if (rows === this.#told && !isSnapshot) {
      return null;
    }
    this.#told = rows;
    return message;
  }
}

function openRows({ entries }: PanelState, disclosures: Disclosures): ShowRows {
  const open = entries.filter(({ id, kind }) => kind === 'assistant' && disclosures.isOpen(entryPart(id, CONTEXT_USED)));
  return {
    type: 'showRows',
    chips: disclosures.isOpen(CHIPS),
    nextRequest: disclosures.isOpen(NEXT_REQUEST),
    contextUsed: open.map(({ id }) => id).slice(-MOST_OPEN),
  };
}
