import { html, nothing, type TemplateResult } from 'lit';
import type { ToolCallView, ToolQuestionView } from '../../../src/protocol/panel/toolCalls.js';
import { button, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import { splitName } from '../../shared/paths.js';
import type { Answer } from '../questions/answers.js';
import { commandQuestion } from '../questions/commandQuestion.js';
import { readingQuestion } from '../questions/readingQuestion.js';
import {
  answerCall,
  indented,
  isOpenPart,
  openableLine,
  type QuestionPlace,
  toggleRefusal,
  toolFrame,
  wholeText,
} from '../questions/toolFrame.js';

function toolTitle({ serverName, name }: Pick<ToolCallView, 'serverName' | 'name'>): string {
  return serverName === null ? name : `${serverName}:${name}`;
}

export function toolQuestion(question: ToolQuestionView, place: QuestionPlace): TemplateResult {
  if (isOpenPart(place, 'refusing')) {
    return refusal(place);
  }
  switch (question.covers) {
    case 'reading':
      return readingQuestion(question, place);
    case 'command':
      return commandQuestion(place);
    default:
      return permission(question, place);
  }
}

/** Asks about one call. A file is named by its question; other calls show their arguments when opened. */
function permission(question: ToolQuestionView, place: QuestionPlace): TemplateResult {
  const { call } = place;
  const isOpen = isOpenPart(place, 'whole');
  const title =
    question.secret === null
      ? { before: 'Allow ', subject: toolTitle(call), after: '?' }
      : { before: 'Let it read ', subject: splitName(call.subject).name.replace(/^\//, ''), after: '?' };
  return toolFrame(
    title,
    isOpen,
    html`
    ${isOwnEdit(call) || question.secret !== null ? nothing : openableLine(place, { text: call.args, name: 'Arguments', isOpen })}
      ${isOpen ? wholeText('Arguments', indented(call.args)) : nothing}
    ${isOpen && question.saysItOnlyReads ? html`<p class="tool-about">${call.serverName === null ? ONLY_READS : 'Its server says that it only reads.'}</p>` : nothing}
    ${notes(question, place)}
    <loupe-answers class="tool-answers" .answers=${answers(question, place)} .more=${[]} .onRefuse=${() => {
      toggleRefusal(place);
    }}></loupe-answers>`,
  );
}

/** What Loupe says about a tool of its own. For a tool of a server, this is only the claim of the server. */
const ONLY_READS = 'Read-only: it cannot change anything.';

function isOwnEdit({ serverName, name }: ToolCallView): boolean {
  return serverName === null && name === 'edit_file';
}

const SECRETS = {
  name: 'It usually has passwords or keys, and goes to the model provider.',
  text: 'It has text with the form of a key, and goes to the model provider.',
} as const;

/** What the user should know before the answer. */
function notes({ hasChanged, secret, isSetup, change }: ToolQuestionView, { call, scope }: QuestionPlace): TemplateResult {
  const { chatId } = scope;
  return html`${
    hasChanged
      ? html`<p class="tool-changed">
            Changed since you allowed it. ${linkButton('Compare', posting({ type: 'compareTool', chatId, callId: call.callId }))}
          </p>`
      : nothing
  }
    ${secret === null ? nothing : html`<p class="tool-changed">${SECRETS[secret]}</p>`}
    ${isOwnEdit(call) ? editNote(call, { isSetup, change }, chatId) : nothing}`;
}

/** The file that an edit changes, with a link to a preview of the change, or why the edit would change nothing. */
function editNote(
  { args, subject }: ToolCallView,
  { isSetup, change }: Pick<ToolQuestionView, 'isSetup' | 'change'>,
  chatId: string,
): TemplateResult {
  if (change?.ok === false) {
    const text = `This edit would change nothing: ${change.reason}`;
    return html`<p class="tool-changed tool-clamped" title=${revealHidden(text)}>${visibleText(text)}</p>`;
  }
  return html`<p class=${isSetup ? 'tool-changed' : 'tool-about'}>
    <span class="tool-path">${visibleText(subject)}</span> ${isSetup ? 'can start programs, or change what VS Code and git start.' : nothing}
    ${change === null ? nothing : html`<span class="figures">+${change.added} −${change.removed}</span>`}
    ${linkButton('View the change', posting({ type: 'viewChange', chatId, args }))}
  </p>`;
}

/** Returns the answers that allow a call. The answer about a file is for this call, or for this file, only. */
function answers({ covers, secret }: ToolQuestionView, place: QuestionPlace): readonly Answer[] {
  const answer = (label: string, help: string, scope: 'once' | 'chat' | 'always'): Answer => ({
    ...{ label, help, whyOff: null },
    onChoose: () => {
      answerCall(place, scope, null);
    },
  });
  if (secret !== null) {
    return [answer('Let it read', 'Allow this file. Loupe does not ask about it again.', 'once')];
  }
  const once = answer('Once', 'Allow only this call.', 'once');
  return covers === 'call'
    ? [once]
    : [
        once,
        answer('This chat', 'Allow this tool in this chat, with any arguments.', 'chat'),
        answer('Always', 'Allow this tool in all chats, until its description changes.', 'always'),
      ];
}

function refusal(place: QuestionPlace): TemplateResult {
  const { call } = place;
  const refuse = (event: Event): void => {
    const section = event.currentTarget instanceof Element ? event.currentTarget.closest('section') : null;
    const reason = section?.querySelector('input')?.value.trim() ?? '';
    answerCall(place, 'refused', reason === '' ? null : reason);
  };
  return toolFrame(
    { before: 'Refuse ', subject: call.name, after: '?' },
    false,
    html`
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
      ${button('Refuse', 'primary', refuse)} ${button('Back', 'secondary', () => {
        toggleRefusal(place);
      })}
    </div>`,
  );
}
