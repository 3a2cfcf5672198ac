import type { ManagedSections } from '../../../src/protocol/panel/manager.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { MOST_OPEN } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { Disclosures } from '../../shared/controls/disclosures.js';
import type { VsCodeApi } from '../../shared/vscodeApi.js';

type ShowRows = Extract<ToHost, { readonly type: 'showRows' }>;

/** Name of the section with the next request. The host sends rows only for open sections. */
export const NEXT_REQUEST = 'next-request';
export const CHIPS = 'chips';
/** Name of the unfolded line of items. */
export const ITEMS = 'items';
export const CONTEXT_USED = 'context';

export function entryPart(entryId: string, part: string): string {
  return `${entryId}:${part}`;
}

/**
 * The open sections of the panel. Reports them to the host after each snapshot and each change, so that the host sends
 * their rows.
 */
export class RowsToShow {
  /** The visible sections of the context pane. Null while the pane is closed. */
  manager: ManagedSections | null = null;
  #disclosures = new Disclosures(null, () => undefined);
  #told: string | null = null;

  get disclosures(): Disclosures {
    return this.#disclosures;
  }

  /** Opens what was open before a reload of the page. Stores each change, and calls `changed` after it. */
  start(api: Pick<VsCodeApi<ToHost>, 'getState' | 'setState'>, changed: () => void): void {
    this.#disclosures = new Disclosures(api.getState(), (open) => {
      api.setState({ open });
      changed();
    });
  }

  /** Returns the message for the host. Null when the host already has the current state. */
  nextMessage(state: PanelState, isSnapshot: boolean): ShowRows | null {
    const message = openRows(state, this.#disclosures, this.manager);
    const rows = JSON.stringify(message);
    if (rows === this.#told && !isSnapshot) {
      return null;
    }
    this.#told = rows;
    return message;
  }
}

function openRows({ entries }: PanelState, disclosures: Disclosures, manager: ManagedSections | null): ShowRows {
  const open = entries.filter(({ id, kind }) => kind === 'assistant' && disclosures.isOpen(entryPart(id, CONTEXT_USED)));
  return {
    type: 'showRows',
    chips: disclosures.isOpen(CHIPS),
    nextRequest: disclosures.isOpen(NEXT_REQUEST),
    contextUsed: open.map(({ id }) => id).slice(-MOST_OPEN),
    manager: manager === null ? null : { ...manager, open: [...manager.open], servers: [...manager.servers] },
  };
}
