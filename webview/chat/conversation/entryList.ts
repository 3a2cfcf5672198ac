import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EntryView, OutputProgress } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { markedReplies } from '../entries/markedReplies.js';
import { isShown } from '../entries/stepEntry.js';
import type { ShownTurn } from './shownTurns.js';

/** The same object for all entries, so that they do not render again. */
const NO_REPEATS = {};

type Shown = 'entries' | 'outputs' | 'contextRows' | 'replyUses' | 'exclusionPrices' | 'repeats' | 'neededAgain' | 'failedServers';

interface EntriesView extends Pick<PanelState, Shown | 'introduction'> {
  readonly chat: ChatView;
  readonly isLocked: boolean;
  readonly editing: string | null;
  readonly disclosures: Disclosures;
  readonly toggleTurn: (turn: ShownTurn) => void;
}

/** Renders the elements of the visible entries. `turns`: the turns with steps, by the id of each of their replies. */
export function entryList(view: EntriesView, turns: ReadonlyMap<string, ShownTurn>): unknown {
  let userMessageId: string | null = null;
  const { newest, newModels, noted, explained } = markedReplies(view.entries);
  return repeat(
    view.entries.filter((entry) => isShown(entry, turns.get(entry.id) ?? null, noted)),
    (entry) => entry.id,
    (entry) => {
      const turn = turns.get(entry.id) ?? null;
      userMessageId = entry.kind === 'user' ? entry.id : userMessageId;
      return html`<loupe-entry
        data-entry=${entry.id}
        .entry=${entry}
        .output=${outputOf(entry, turn, view.outputs)}
        .contextRows=${view.contextRows[entry.id] ?? null}
        .replyUses=${view.replyUses[entry.id] ?? null}
        .exclusion=${view.exclusionPrices[entry.id] ?? null}
        .repeats=${view.repeats[entry.id] ?? NO_REPEATS}
        .neededAgain=${neededAgain(entry, view)}
        .failedServers=${view.failedServers}
        .turnExclusion=${userMessageId === null ? null : (view.exclusionPrices[userMessageId] ?? null)}
        .chatId=${view.chat.id}
        .isLocked=${view.isLocked}
        .isEdited=${entry.id === view.editing}
        .isNewest=${entry.id === newest}
        .isNewModel=${newModels.has(entry.id)}
        .isEndNoted=${noted.has(entry.id)}
        .userMessageId=${userMessageId}
        .disclosures=${view.disclosures}
        .turn=${turn}
        .onToggleTurn=${view.toggleTurn}
        .introduction=${entry.id === explained ? view.introduction : null}
      ></loupe-entry>`;
    },
  );
}

/** Returns the output of a streaming reply. The first step of a running turn has it too, for the price in its line. */
function outputOf({ id }: EntryView, turn: ShownTurn | null, outputs: readonly OutputProgress[]): OutputProgress | null {
  const hasLine = turn !== null && turn.now !== null && turn.entries[0]?.id === id;
  return (hasLine ? outputs.at(-1) : outputs.find(({ entryId }) => entryId === id)) ?? null;
}

function neededAgain(entry: EntryView, view: EntriesView): PanelState['neededAgain'] {
  return entry.kind === 'summary' && entry.status === 'active' ? view.neededAgain : null;
}
