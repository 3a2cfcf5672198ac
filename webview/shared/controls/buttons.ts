import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icon.js';

/* Buttons of the browser, styled by base.css, and the button of the toolkit, registered by controls.ts. */

export interface IconButton {
  /** The accessible name of the button, which is also its tooltip. */
  readonly label: string;
  readonly icon: string;
  readonly onClick: (event: Event) => void;
  readonly disabled?: boolean;
  /** Whether the content that the button opens is visible. Undefined for a button that opens nothing. */
  readonly expanded?: boolean;
  /** The kind of popup that the button opens. Undefined for a button without popup. */
  readonly popup?: 'menu';
  /** Whether the option of the button is on. Undefined for a button that is not a switch. */
  readonly pressed?: boolean;
  /** A key with the same effect while the row or chip of the button has the focus. Tab then skips the button. */
  readonly shortcut?: string;
}

/** A button with an icon. A native button, because many custom elements with shadow roots would be slow. */
export function iconButton(options: IconButton): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title=${options.shortcut === undefined ? options.label : `${options.label} (${options.shortcut})`}
    aria-label=${options.label}
    tabindex=${options.shortcut === undefined ? nothing : -1}
    aria-haspopup=${options.popup ?? nothing}
    aria-expanded=${options.expanded ?? nothing}
    aria-pressed=${options.pressed ?? nothing}
    ?disabled=${options.disabled ?? false}
    @click=${options.onClick}
  >
    ${icon(options.icon)}
  </button>`;
}

export function linkButton(label: string | TemplateResult, onClick: (event: Event) => void): TemplateResult {
  return html`<button type="button" class="link-button" @click=${onClick}>${label}</button>`;
}

export function disclosure(label: string | TemplateResult, isOpen: boolean, onToggle: () => void): TemplateResult {
  return describedDisclosure(label, isOpen, { describedBy: null, onToggle });
}

/** A disclosure that the element with the id `describedBy` describes to screen readers. */
export function describedDisclosure(
  label: string | TemplateResult,
  isOpen: boolean,
  { describedBy, onToggle }: { readonly describedBy: string | null; readonly onToggle: () => void },
): TemplateResult {
  return html`<button type="button" class="disclosure" aria-expanded=${isOpen} aria-describedby=${describedBy ?? nothing} @click=${onToggle}>
    ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="disclosure-label">${label}</span>
  </button>`;
}

/** A button that looks like a link. Opens or closes the content below. */
export function linkDisclosure(isOpen: boolean, onToggle: () => void): TemplateResult {
  return html`<button type="button" class="link-button" aria-expanded=${isOpen} @click=${onToggle}>${isOpen ? 'Hide' : 'Show'}</button>`;
}

/** A button of the toolkit, with a frame. */
export function button(label: string, appearance: 'primary' | 'secondary', onClick: (event: Event) => void): TemplateResult {
  return html`<vscode-button appearance=${appearance} @click=${onClick}>${label}</vscode-button>`;
}
