import { isPlain } from '../shared/keys.js';

export interface EscapeState {
  /** Whether the search in the chat is open. */
  readonly isFinding: boolean;
  /** Whether something is open over the conversation. */
  readonly hasPane: boolean;
  readonly isEditing: boolean;
  readonly isRunning: boolean;
}

export type EscapeStep = 'closeFind' | 'closePane' | 'cancelEdit' | 'stop' | 'focusComposer';

/**
 * What Escape does, wherever the focus is in the panel: it takes back what was opened last, then stops the reply. An
 * open dropdown, the title that is being changed and an input method come before all of this.
 */
export function escapeStep({ isFinding, hasPane, isEditing, isRunning }: EscapeState): EscapeStep {
  if (isFinding) {
    return 'closeFind';
  }
  if (hasPane) {
    return 'closePane';
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
