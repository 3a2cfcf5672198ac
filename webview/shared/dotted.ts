import { html, type TemplateResult } from 'lit';

/** Returns parts of a line with dots between them. A part that wraps to the next line leaves its dot at the end of the line. */
export function dotted(parts: readonly TemplateResult[]): readonly TemplateResult[] {
  return parts.map((part, at) => html`<span>${part}${at < parts.length - 1 ? ' ·' : ''}</span>`);
}
