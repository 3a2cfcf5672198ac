import { html, nothing, type TemplateResult } from 'lit';
import type { AskedCallView, ToolQuestionView } from '../../../src/protocol/panel/toolCalls.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import type { Answer } from './answers.js';
import { answerCall, indented, isOpenPart, type QuestionPlace, toggleOpen, toggleRefusal, toolFrame, wholeText } from './toolFrame.js';

/** Number of calls that the closed question names. */
const MOST_NAMED = 2;

/** Asks whether the model may read files of the workspace: one question for all calls that wait. */
export function readingQuestion({ asked }: ToolQuestionView, place: QuestionPlace): TemplateResult {
  const isOpen = isOpenPart(place, 'whole');
  const more = asked.length - MOST_NAMED;
  const named = asked.slice(0, MOST_NAMED).map(inWords).join(', ');
  return toolFrame(
    { before: 'Let it read files of this folder?', subject: '', after: '' },
    isOpen,
    html`
    <p class="tool-about">
      <span class="tool-named" title=${revealHidden(asked.map(inWords).join(', '))}>${visibleText(named)}</span>
      <button type="button" class="link-button" aria-expanded=${isOpen} @click=${() => {
        toggleOpen(place);
      }}>
        ${isOpen ? 'Hide arguments' : more > 0 ? `and ${String(more)} more` : 'Arguments'}
      </button>
    </p>
    ${isOpen ? wholeText('Arguments', asked.map(wholeCall).join('\n')) : nothing}
    <p class="tool-about">Read-only: it cannot change anything.</p>
    <loupe-answers class="tool-answers" .answers=${answers(place)} .more=${[]} .onRefuse=${() => {
      toggleRefusal(place);
    }}></loupe-answers>`,
  );
}

const SECRETS = 'Loupe still asks about files with secrets.';

function answers(place: QuestionPlace): readonly Answer[] {
  const answer = (label: string, help: string, scope: 'turn' | 'chat' | 'always'): Answer => ({
    ...{ label, help: `${help} ${SECRETS}`, whyOff: null },
    onChoose: () => {
      answerCall(place, scope, null);
    },
  });
  return [
    answer('Once', 'Allow reading files of this folder until this turn ends.', 'turn'),
    answer('This chat', 'Allow reading files of this folder in this chat.', 'chat'),
    answer('Always', 'Allow reading files of this folder in all its chats, until you take it back.', 'always'),
  ];
}

/** What a call reads. */
function inWords({ name, subject }: AskedCallView): string {
  switch (name) {
    case 'list_files':
      return subject === '' ? 'list of files' : `list of ${subject}`;
    case 'search_text':
      return `search for ${subject}`;
    default:
      return subject;
  }
}

function wholeCall({ name, args }: AskedCallView): string {
  return `${name} ${indented(args)}`;
}
