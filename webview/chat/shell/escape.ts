import type { PanelState } from '../../../src/protocol/panel/view.js';
import { isPlain } from '../../shared/keys.js';

export interface EscapeState {
  /** Whether the search in the chat is open. */
  readonly isFinding: boolean;
  /** Whether something is open over the conversation. */
  readonly hasPane: boolean;
  /** Whether a request waits for the user. */
  readonly isAsked: boolean;
  readonly isEditing: boolean;
  readonly isRunning: boolean;
}

/** What Escape can do in the panel with this state. */
export function escapeState(view: PanelState | null, open: Pick<EscapeState, 'isFinding' | 'hasPane'>): EscapeState {
  const isAsked = (view?.spendQuestion ?? null) !== null;
  return { ...open, isAsked, isEditing: (view?.draft.editing ?? null) !== null, isRunning: view?.chat?.running === true };
}

export type EscapeStep = 'closeFind' | 'closePane' | 'declineSpend' | 'cancelEdit' | 'stop' | 'focusComposer';

/**
 * What Escape does, wherever the focus is in the panel: it takes back what was opened last, then stops the reply. An
 * open dropdown, the title that is being changed and an input method come before all of this.
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

/** Takes the steps at Escape in the whole page. A component that used the key has prevented its default. */
export function listenForEscape(state: () => EscapeState, steps: Readonly<Record<EscapeStep, () => void>>): void {
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isPlain(event) && !event.isComposing && !event.defaultPrevented) {
      event.preventDefault();
      steps[escapeStep(state())]();
    }
  });
}
