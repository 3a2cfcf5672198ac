import { html, nothing, type TemplateResult } from 'lit';
import type { EditChangeView, ToolCallView, ToolQuestionView } from '../../../src/protocol/panel/toolCalls.js';
import { button, linkButton } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { icon } from '../../shared/controls/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';

interface QuestionScope {
  readonly scope: EntryScope;
  /** Name of the part that is open while the user types the reason for a refusal. */
  readonly refusing: string;
}

function toolTitle({ serverName, name }: Pick<ToolCallView, 'serverName' | 'name'>): string {
  return serverName === null ? name : `${serverName}:${name}`;
}

export function toolQuestion(call: ToolCallView, question: ToolQuestionView, at: QuestionScope): TemplateResult {
  return at.scope.isOpen(at.refusing) ? refusal(call, at) : permission(call, question, at);
}

const SECRETS = {
  name: 'This file usually contains passwords or keys.',
  text: 'This file contains text with the form of a key.',
} as const;

function permission(
  call: ToolCallView,
  { saysItOnlyReads, hasChanged, secret, isSetup, change }: ToolQuestionView,
  { scope, refusing }: QuestionScope,
): TemplateResult {
  const title = `Allow ${toolTitle(call)}?`;
  const { chatId } = scope;
  const { callId } = call;
  return html`<section class="tool-question" role="group" aria-label=${revealHidden(title)}>
    <div class="tool-question-title">${icon('shield')}<strong>Allow <code>${visibleText(toolTitle(call))}</code>?</strong></div>
    <p class="hint">The tool will run with exactly these arguments.</p>
    <pre tabindex="0" aria-label="Arguments"><code>${visibleText(indented(call.args))}</code></pre>
    ${call.serverName === null && call.name === 'edit_file' ? viewChange(call, change, chatId) : nothing}
    ${saysItOnlyReads ? html`<p class="hint">The server says that this tool only reads data.</p>` : nothing}
    ${
      hasChanged
        ? html`<p class="tool-changed">
          This tool has changed since you allowed it. ${linkButton('Compare', posting({ type: 'compareTool', chatId, callId }))}
        </p>`
        : nothing
    }
    ${secret === null ? nothing : html`<p class="tool-changed">${SECRETS[secret]} Loupe sends the text to the model provider.</p>`}
    ${isSetup ? html`<p class="tool-changed">This file can start programs, or change what VS Code and git start.</p>` : nothing}
    <div class="tool-answers">
      ${answers({ secret, isSetup }, (reach) => posting({ type: 'answerCall', chatId, callId, scope: reach, reason: null }))}
      <span class="tool-way-out" title="Loupe reports your refusal to the model"
        >${button('Refuse', 'secondary', (event) => {
          const row = event.currentTarget instanceof Element ? event.currentTarget.closest('.tool-call') : null;
          scope.toggle(refusing);
          // Waits for the next rendering, which adds the text field.
          requestAnimationFrame(() => row?.querySelector('input')?.focus());
        })}</span
      >
    </div>
  </section>`;
}

/** Returns the buttons that allow a call. The answer about a file is for this call, or for this file, only. */
function answers(
  { secret, isSetup }: Pick<ToolQuestionView, 'secret' | 'isSetup'>,
  answer: (reach: 'once' | 'chat' | 'always') => (event: Event) => void,
): TemplateResult {
  const once = html`<span title="Allow only this call">${button('Once', 'primary', answer('once'))}</span>`;
  if (secret !== null) {
    return html`<span title="Allow this file. Loupe does not ask about it again">${button('Let it read', 'primary', answer('once'))}</span>`;
  }
  return isSetup
    ? once
    : html`${once} <span title="Allow this tool in this chat, with any arguments">${button('This chat', 'secondary', answer('chat'))}</span>
        <span title="Allow this tool in all chats, until its description changes">${button('Always', 'secondary', answer('always'))}</span>`;
}

/** Links to a preview of the changes that an edit would make in a file. */
function viewChange({ args }: ToolCallView, change: EditChangeView | null, chatId: string): TemplateResult {
  if (change?.ok === false) {
    return html`<p class="tool-changed">This edit would change nothing: ${visibleText(change.reason)}</p>`;
  }
  return html`<p class="tool-view-change">
    ${linkButton('View the change', posting({ type: 'viewChange', chatId, args }))}
    ${change === null ? nothing : html`<span class="figures">+${change.added} −${change.removed}</span>`}
  </p>`;
}

function refusal(call: ToolCallView, { scope, refusing }: QuestionScope): TemplateResult {
  const title = `Refuse ${call.name}?`;
  const { chatId, from } = scope;
  const refuse = (event: Event): void => {
    const section = event.currentTarget instanceof Element ? event.currentTarget.closest('section') : null;
    const reason = section?.querySelector('input')?.value.trim() ?? '';
    post(from, { type: 'answerCall', chatId, callId: call.callId, scope: 'refused', reason: reason === '' ? null : reason });
  };
  return html`<section class="tool-question" role="group" aria-label=${revealHidden(title)}>
    <div class="tool-question-title">${icon('shield')}<strong>Refuse <code>${visibleText(call.name)}</code>?</strong></div>
    <input
      type="text"
      class="tool-reason"
      placeholder="Reason for the model"
      aria-label="Reason for the model"
      maxlength="2000"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.isComposing) {
          refuse(event);
        }
      }}
    />
    <div class="tool-answers">
      ${button('Refuse', 'primary', refuse)}
      ${button('Back', 'secondary', () => {
        scope.toggle(refusing);
      })}
    </div>
  </section>`;
}

/** Formats JSON arguments with one line per member. Returns other text unchanged. */
function indented(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    // Invalid arguments are shown as the model wrote them. The user can approve only valid arguments.
    return args;
  }
}
