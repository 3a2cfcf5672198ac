import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icon.js';

/* Native buttons, which base.css styles, and the toolkit's button, which controls.ts registers. */

export interface IconButton {
  /** The accessible name of the button, which is also its tooltip. */
  readonly label: string;
  readonly icon: string;
  readonly onClick: (event: Event) => void;
  readonly disabled?: boolean;
  /** Whether the content is visible. Only for a button that opens something. */
  readonly expanded?: boolean;
  /** Only for a button that opens a popup. */
  readonly popup?: 'menu';
  /** Whether the option is on. Only for a button that switches something on and off. */
  readonly pressed?: boolean;
  /** The key that does the same while the row or chip of the button has the focus. The button is then no tab stop. */
  readonly shortcut?: string;
}

/** A native button with an icon. Messages have many, so custom elements with shadow roots would be slow. */
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
  return html`<button type="button" class="disclosure" aria-expanded=${isOpen} @click=${onToggle}>
    ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="disclosure-label">${label}</span>
  </button>`;
}

/** A button that looks like a link. Shows or hides the content after it. */
export function linkDisclosure(isOpen: boolean, onToggle: () => void): TemplateResult {
  return html`<button type="button" class="link-button" aria-expanded=${isOpen} @click=${onToggle}>${isOpen ? 'Hide' : 'Show'}</button>`;
}

/** A button with a frame, for the actions of a notice. */
export function button(label: string, appearance: 'primary' | 'secondary', onClick: (event: Event) => void): TemplateResult {
  return html`<vscode-button appearance=${appearance} @click=${onClick}>${label}</vscode-button>`;
}

/** A button that opens the settings of the spending limits. */
export function limitButton(onClick: (event: MouseEvent) => void): TemplateResult {
  return html`<button type="button" class="link-button" title=${LIMIT_HELP} @click=${onClick}>Limit…</button>`;
}

const LIMIT_HELP = 'Settings: ask before a request above a price, and caps for a chat and for a day';
