import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ManagerRow } from '../../../src/protocol/panel/manager.js';
import { isPlain } from '../../shared/keys.js';

interface CheckBox {
  readonly label: string;
  readonly title: string;
  readonly state: ManagerRow['state'];
  readonly isOff: boolean;
  /** Whether the content below the check box is visible. Null for a check box without content below. */
  readonly isOpen: boolean | null;
}

interface BoxKeys {
  readonly click: (target: HTMLElement) => void;
  readonly enter: (target: HTMLElement) => void;
  /** Opens or closes the content below the check box. Null for a check box without content below. */
  readonly open: (() => void) | null;
}

/**
 * A check box. Space changes its state; arrow keys open and close the content below. A click sends a message, and the
 * state changes when the host replies.
 */
export function managerBox({ label, title, state, isOff, isOpen }: CheckBox, { click, enter, open }: BoxKeys): TemplateResult {
  const toggle = (event: Event): void => {
    event.preventDefault();
    if (!isOff) {
      click(event.currentTarget as HTMLElement);
    }
  };
  const keyed = (event: KeyboardEvent): void => {
    if (!isPlain(event)) {
      return;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      enter(event.currentTarget as HTMLElement);
    } else if (open !== null && event.key === (isOpen === true ? 'ArrowLeft' : 'ArrowRight')) {
      event.stopPropagation();
      open();
    }
  };
  return html`<span class="checkbox">
    <input
      type="checkbox"
      aria-label=${label}
      aria-disabled=${isOff ? 'true' : nothing}
      aria-keyshortcuts="Enter"
      title=${title}
      .checked=${live(state === 'in')}
      .indeterminate=${live(state === 'picked')}
      @click=${toggle}
      @keydown=${keyed}
    />
  </span>`;
}
