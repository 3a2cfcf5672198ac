import type { PanelState } from '../../../src/protocol/panel/state.js';
import { isPlain } from '../../shared/keys.js';

export interface EscapeState {
  readonly isFinding: boolean;
  readonly hasPane: boolean;
  /** Whether a question about the cost of a request is open. */
  readonly isAsked: boolean;
  readonly isEditing: boolean;
  readonly isRunning: boolean;
}

export function escapeState({ spendQuestion, draft, chat }: PanelState, open: Pick<EscapeState, 'isFinding' | 'hasPane'>): EscapeState {
  return { ...open, isAsked: spendQuestion !== null, isEditing: draft.editing !== null, isRunning: chat?.running === true };
}

export type EscapeStep = 'closeFind' | 'closePane' | 'declineSpend' | 'cancelEdit' | 'stop' | 'focusComposer';

/**
 * Returns the effect of Escape: closes the search or a pane, refuses a cost, cancels an edit, or stops the reply; the
 * first that is possible. An open dropdown, a title being edited and an input method handle the key first.
 */
export function escapeStep({ isFinding, hasPane, isAsked, isEditing, isRunning }: EscapeState): EscapeStep {
  if (isFinding) {
    return 'closeFind';
  }
  if (hasPane) {
    return 'closePane';
  }
  if (isAsked) {
    return 'declineSpend';
  }
  if (isEditing) {
    return 'cancelEdit';
  }
  return isRunning ? 'stop' : 'focusComposer';
}

/** Handles Escape on the whole page. Ignores a key that an element has already handled. */
export function listenForEscape(state: () => EscapeState, steps: Readonly<Record<EscapeStep, () => void>>): void {
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isPlain(event) && !event.isComposing && !event.defaultPrevented) {
      event.preventDefault();
      steps[escapeStep(state())]();
    }
  });
}
