import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { ServerQuestionView } from '../../../src/protocol/questions.js';
import { button, linkButton } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { icon } from '../../shared/controls/icon.js';
import { counted } from '../../shared/numbers.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { visibleText } from '../../shared/visibleText.js';
import { answerButton } from './answers.js';
import { questionFrame } from './questionFrame.js';
import { isCutOff, OPEN_FIRST, SeenWhole } from './seenWhole.js';

export function serverTitle({ name }: ServerQuestionView): string {
  return `Start the server "${revealHidden(name)}"?`;
}

/**
 * Asks whether a server of the workspace may start. Shows the exact command, with hidden characters made visible,
 * because another person may have written the configuration. The user must open what the closed question cuts.
 */
export class ServerQuestionElement extends LightElement {
  static override properties = reactive(['question'], ['isOpen']);
  declare question: ServerQuestionView;
  declare private isOpen: boolean;
  readonly #seen = new SeenWhole(this, () => {
    const { cwd, given } = this.question;
    return isCutOff(this.querySelector('.tool-line code')) || cwd !== null || given.length > 0;
  });

  constructor() {
    super();
    this.isOpen = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isNew = changed.has('question') && changed.get('question')?.id !== this.question.id;
    this.isOpen &&= !isNew;
    this.#seen.note(this.isOpen, isNew);
  }

  protected override render(): TemplateResult {
    const { question, isOpen } = this;
    const { id, place, type } = question;
    const answer = (isAllowed: boolean) => (): void => {
      post(this, { type: 'answerServer', question: id, isAllowed });
    };
    const start = {
      label: 'Start',
      help: 'Start the server now, and later without a question',
      whyOff: this.#seen.isCut ? OPEN_FIRST : null,
    };
    return questionFrame({
      title: serverTitle(question),
      reason: `It comes with the workspace. ${type === 'stdio' ? 'Its command:' : 'Its address:'}`,
      link: nothing,
      content: html`${commandLine(question, isOpen, this.#toggle)} ${isOpen ? wholeCommand(question) : nothing}`,
      isOpen,
      answers: html`${answerButton({ ...start, onChoose: answer(true) }, 'primary')} ${button('Do not start', 'secondary', answer(false))}`,
      wayOut: linkButton(`Open ${revealHidden(place)}`, posting({ type: 'openServers', place, line: 1 })),
    });
  }

  readonly #toggle = (): void => {
    this.isOpen = !this.isOpen;
  };
}

/** The command in one line, which opens everything that the server gets. */
export function commandLine({ type, line }: ServerQuestionView, isOpen: boolean, onToggle: () => void): TemplateResult {
  const name = lineName(type);
  return html`<button type="button" class="tool-line" aria-expanded=${isOpen} title=${isOpen ? 'Hide the details' : 'Show all of it'} @click=${onToggle}>
    ${isOpen ? html`<span class="tool-line-name">${name}</span>` : html`<code>${visibleText(line)}</code>`}${icon(isOpen ? 'chevron-up' : 'chevron-down')}
  </button>`;
}

function lineName(type: ServerQuestionView['type']): string {
  return type === 'stdio' ? 'Command' : 'Address';
}

/** Everything that the server gets. */
export function wholeCommand({ type, line, cwd, given }: ServerQuestionView): TemplateResult {
  return html`<pre class="server-line" tabindex="0" aria-label=${lineName(type)}>${visibleText(line)}</pre>
    ${cwd === null ? nothing : html`<p class="server-fact">Folder: ${visibleText(cwd)}</p>`} ${givenLines(type === 'stdio' ? 'Environment' : 'Headers', given)}`;
}

function givenLines(name: string, given: readonly string[]): TemplateResult | typeof nothing {
  return given.length === 0
    ? nothing
    : html`<p class="server-fact">${name}:</p>
        <pre class="server-line" tabindex="0" aria-label=${name}>${visibleText(given.join('\n'))}</pre>`;
}

/** Returns a sentence that names the servers a message waits for: for their start, or for their resources. */
export function startingTitle(names: readonly string[]): string {
  const [first = ''] = names;
  return `Waiting for ${names.length === 1 ? revealHidden(first) : counted(names.length, 'server')}…`;
}

/** Shows above the message box that a message waits for servers, or for the user's approval of a server. */
export function startingStrip(names: readonly string[], chatId: string, isAsked: boolean): TemplateResult {
  return html`<div class="strip" title=${revealHidden(names.join(', '))}>
    ${icon(isAsked ? 'clock' : 'loading')}<span>${isAsked ? 'Your message waits for your answer' : startingTitle(names)}</span> ${linkButton('Send without waiting', posting({ type: 'sendWithoutServers', chatId }))}
  </div>`;
}
