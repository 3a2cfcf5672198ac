import { html, type TemplateResult } from 'lit';
import type { ContextItemView } from '../../src/protocol/contextItems.js';

type Mode = ContextItemView['includeMode'];

const MODES = { always: 'Always', manual: 'Manual', agent: 'Agent' } as const;

/** How an item came into a request, for sighted users; `includeModeWords` says it to assistive technology. */
export function includeModePill(mode: Mode, score: number | null): TemplateResult {
  return html`<span class="pill ${mode}" aria-hidden="true">${MODES[mode]} ${score === null ? '' : score.toFixed(2)}</span>`;
}

/** `Manual`, `Agent - 0.87`. */
export function includeModeWords(mode: Mode, score: number | null): string {
  return score === null ? MODES[mode] : `${MODES[mode]} - ${score.toFixed(2)}`;
}
