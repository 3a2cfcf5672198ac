import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icon.js';

/*
 * Buttons: native ones, styled by base.css, and that of the toolkit, which controls.ts registers.
 */

export interface IconButton {
  /** The accessible name and the tooltip. */
  readonly label: string;
  readonly icon: string;
  readonly onClick: (event: Event) => void;
  readonly disabled?: boolean;
  /** For a button that opens something. */
  readonly expanded?: boolean;
  /** What it opens, if that is above the page. */
  readonly popup?: 'menu';
  /** For a button that switches something on and off. */
  readonly pressed?: boolean;
  /** The key that does the same where the focus is in the row or chip of this button, which then is no tab stop. */
  readonly shortcut?: string;
}

/** A native button, because messages have many: a custom element with a shadow root for each would be slow. */
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

/** A button that looks like a link, for actions in a sentence. */
export function linkButton(label: string | TemplateResult, onClick: (event: Event) => void): TemplateResult {
  return html`<button type="button" class="link-button" @click=${onClick}>${label}</button>`;
}

/** A button that opens and closes the details below it. */
export function disclosure(label: string | TemplateResult, isOpen: boolean, onToggle: () => void): TemplateResult {
  return html`<button type="button" class="disclosure" aria-expanded=${isOpen} @click=${onToggle}>
    ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="disclosure-label">${label}</span>
  </button>`;
}

/** A button in a sentence that opens and closes what follows it: `Show`, `Hide`. */
export function linkDisclosure(isOpen: boolean, onToggle: () => void): TemplateResult {
  return html`<button type="button" class="link-button" aria-expanded=${isOpen} @click=${onToggle}>${isOpen ? 'Hide' : 'Show'}</button>`;
}

/** A button with a frame, for what can be done about a note. */
export function button(label: string, appearance: 'primary' | 'secondary', onClick: (event: Event) => void): TemplateResult {
  return html`<vscode-button appearance=${appearance} @click=${onClick}>${label}</vscode-button>`;
}

/** Opens the settings of what may be spent. */
export function limitButton(onClick: (event: MouseEvent) => void): TemplateResult {
  return html`<button type="button" class="link-button" title=${LIMIT_HELP} @click=${onClick}>Limit…</button>`;
}

const LIMIT_HELP = 'Settings: ask before a request above a price, and caps for a chat and for a day';
