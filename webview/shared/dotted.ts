import { html, type TemplateResult } from 'lit';

/** Returns parts of a line with dots between them. If a part wraps, the dot before it stays in the line above. */
export function dotted(parts: readonly TemplateResult[]): readonly TemplateResult[] {
  return parts.map((part, at) => html`<span>${part}${at < parts.length - 1 ? ' ·' : ''}</span>`);
}
