import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../shared/controls/icon.js';

export interface QuestionParts {
  readonly title: string;
  /** One sentence. While the question is closed, at most two lines of it are visible. The tooltip has all. */
  readonly reason: string;
  /** A link after the reason. */
  readonly link: TemplateResult | typeof nothing;
  /** What is below the reason. */
  readonly content: TemplateResult | typeof nothing;
  /** Closed, a question is at most 120 px high. */
  readonly isOpen: boolean;
  readonly answers: TemplateResult;
  /** The button at the end of the line. */
  readonly wayOut: TemplateResult | typeof nothing;
}

/** Whether the details of a question are open. */
export interface QuestionFold {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A question above the message box: its title, why Loupe asks, and the answers. */
export function questionFrame({ title, reason, link, content, isOpen, answers, wayOut }: QuestionParts): TemplateResult {
  return html`<section class="spend-question ${isOpen ? 'is-open' : ''}" role="group" aria-label=${title} tabindex="-1">
    <div class="spend-told">
      <div class="spend-title" title=${title}>${icon('shield')}<strong>${title}</strong></div>
      <div class="spend-reason"><span class="spend-why" title=${reason}>${reason}</span> ${link}</div>
      ${content}
    </div>
    <div class="spend-actions">${answers} ${wayOut === nothing ? nothing : html`<span class="spend-way-out">${wayOut}</span>`}</div>
  </section>`;
}

/** The button that opens and closes the details of a question. */
export function detailsButton({ isOpen, onToggle }: QuestionFold): TemplateResult {
  return html`<button type="button" class="link-button" aria-expanded=${isOpen} @click=${onToggle}>${isOpen ? 'Hide' : 'Details'}</button>`;
}
