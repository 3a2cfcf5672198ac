import { html, type TemplateResult } from 'lit';
import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import { icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import { post } from '../../shared/events.js';
import { entryPart } from '../entries/rowsToShow.js';
import type { EntryScope } from '../request/scope.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';

/** Where a question about a tool call is shown. */
export interface QuestionPlace {
  readonly call: ToolCallView;
  readonly scope: EntryScope;
  /** Name of the call's row among the open parts of the entry. */
  readonly row: string;
}

type AnswerScope = Extract<ToHost, { readonly type: 'answerCall' }>['scope'];

export function answerCall({ call: { callId }, scope: { chatId, from } }: QuestionPlace, scope: AnswerScope, reason: string | null): void {
  post(from, { type: 'answerCall', chatId, callId, scope, reason });
}

/** Parts of a question that the user opens: the reason for a refusal, the second question, the whole arguments. */
type QuestionPart = 'refusing' | 'every' | 'whole';

export function isOpenPart({ scope, row }: QuestionPlace, part: QuestionPart): boolean {
  return scope.isOpen(entryPart(row, part));
}

/** Opens or closes a part of a question. Moves the focus to the first element that matches `focused`, if not ''. */
export function togglePart({ scope, row, call }: QuestionPlace, part: QuestionPart, focused: string): void {
  scope.toggle(entryPart(row, part));
  const root = scope.from instanceof Element ? scope.from : null;
  if (focused !== '') {
    // Waits for the next rendering, which adds the element.
    requestAnimationFrame(() => {
      root?.querySelector<HTMLElement>(`.tool-call[data-call="${CSS.escape(call.callId)}"] .tool-question :is(${focused})`)?.focus();
    });
  }
}

export function toggleOpen(place: QuestionPlace): void {
  togglePart(place, 'whole', '');
}

export function toggleRefusal(place: QuestionPlace): void {
  togglePart(place, 'refusing', 'input, vscode-button');
}

/** A question about tool calls: a sentence with `subject` as code, what it is about, and the answers. */
export function toolFrame(
  { before, subject, after }: { readonly before: string; readonly subject: string; readonly after: string },
  isOpen: boolean,
  content: TemplateResult,
): TemplateResult {
  const title = revealHidden(`${before}${subject}${after}`);
  return html`<section class="tool-question ${isOpen ? 'is-open' : ''}" role="group" aria-label=${title} tabindex="-1">
    <div class="tool-question-title" title=${title}>
      ${icon('shield')}<strong>${before}${subject === '' ? '' : html`<code>${visibleText(subject)}</code>`}${after}</strong>
    </div>
    ${content}
  </section>`;
}

/** A text in one line, which opens the whole text. */
export function openableLine(
  place: QuestionPlace,
  { text, name, isOpen }: { readonly text: string; readonly name: string; readonly isOpen: boolean },
): TemplateResult {
  const toggle = (): void => {
    toggleOpen(place);
  };
  return html`<button type="button" class="tool-line" aria-expanded=${isOpen} title=${isOpen ? 'Hide the whole text' : 'Show the whole text'} @click=${toggle}>
    ${isOpen ? html`<span class="tool-line-name">${name}</span>` : html`<code>${visibleText(text)}</code>`}${icon(isOpen ? 'chevron-up' : 'chevron-down')}
  </button>`;
}

export function wholeText(name: string, text: string): TemplateResult {
  return html`<pre tabindex="0" aria-label=${name}><code>${visibleText(text)}</code></pre>`;
}

/** Formats JSON arguments with one line per member. Returns other text unchanged. */
export function indented(args: string): string {
  const parsed = parsedArguments(args);
  return parsed === undefined ? args : JSON.stringify(parsed, null, 2);
}

/** Returns the arguments of a call. Undefined if they are not JSON: the user can approve only valid arguments. */
export function parsedArguments(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return undefined;
  }
}
