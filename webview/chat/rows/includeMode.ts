import { html, type TemplateResult } from 'lit';
import type { HeldMode } from '../../../src/protocol/panel/requestRows.js';

/** The tooltip of items that Loupe picked for a message while the user writes it. */
export const PICKED_WHILE_WRITING = 'Loupe picked this item by the words of your draft. Loupe picks again when you send';

const MODES = { always: 'Always', manual: 'Manual', agent: 'Agent', onDemand: 'On demand', forFiles: 'By file' } as const;

const TOOLTIPS: Readonly<Record<HeldMode, string>> = {
  always: 'In every new chat',
  manual: 'Added by you',
  agent: 'Picked for this message',
  forFiles: 'For files of the chat that match its pattern',
  onDemand: 'Each request names the tool. The model loads the definition when it needs the tool',
};

/** The tooltip for the words in brackets in a line of totals: `5 rules (3 agent, 2 always)`. */
export const MODES_IN_WORDS =
  'always: in every new chat · manual: added by you · agent: picked for this message · by file: for files that match · on demand: loaded by the model';

/** The include mode of an item as a pill, hidden from screen readers. A `tooltip` of null means the usual tooltip. */
export function includeModePill(mode: HeldMode, score: number | null, tooltip: string | null): TemplateResult {
  return html`<span class="pill ${mode}" aria-hidden="true" title=${tooltip ?? TOOLTIPS[mode]}>${MODES[mode]} ${score === null ? '' : score.toFixed(2)}</span>`;
}

/** Returns the include mode in words: `Manual`, `Agent - 0.87`. */
export function includeModeWords(mode: HeldMode, score: number | null): string {
  return score === null ? MODES[mode] : `${MODES[mode]} - ${score.toFixed(2)}`;
}
