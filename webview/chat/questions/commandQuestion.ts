import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { button } from '../../shared/controls/buttons.js';
import type { MenuItem } from '../../shared/controls/menu.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import type { Answer } from './answers.js';
import { isCutOff, OPEN_FIRST, SeenWhole } from './seenWhole.js';
import {
  answerCall,
  isOpenPart,
  openableLine,
  parsedArguments,
  type QuestionPlace,
  toggleOpen,
  togglePart,
  toggleRefusal,
  toolFrame,
  wholeText,
} from './toolFrame.js';

/** Asks whether a command may run, or all commands. */
export function commandQuestion(place: QuestionPlace): TemplateResult {
  return isOpenPart(place, 'every') ? everyCommand(place) : oneCommand(place);
}

function oneCommand(place: QuestionPlace): TemplateResult {
  const { folder } = commandOf(place.call.args);
  const title =
    folder === '' ? { before: 'Run this command?', subject: '', after: '' } : { before: 'Run this in ', subject: folder, after: '?' };
  const isOpen = isOpenPart(place, 'whole');
  return toolFrame(title, isOpen, html`<loupe-command .place=${place} .args=${place.call.args} .isOpen=${isOpen}></loupe-command>`);
}

/** Asks again before all commands may run. Stopping is the first answer. */
function everyCommand(place: QuestionPlace): TemplateResult {
  return toolFrame(
    { before: 'Run every command without asking?', subject: '', after: '' },
    true,
    html`
    <p class="tool-about">In all chats and folders. To take it back: Manage context, Allowed tools.</p>
    <div class="tool-answers">
      <span title="Go back to the question about this command">${button('Keep asking', 'primary', () => {
        togglePart(place, 'every', 'vscode-button');
      })}</span>
      <span title="Run all commands of all models in all chats and folders without asking">${button(
        'Run every command',
        'secondary',
        () => {
          answerCall(place, 'every', null);
        },
      )}</span>
    </div>`,
  );
}

/** A command with its answers. The user must open a command that is cut before they can allow it. */
export class CommandElement extends LightElement {
  static override properties = reactive(['place', 'args', 'isOpen'], []);
  declare place: QuestionPlace;
  /** The arguments of the call as JSON. */
  declare args: string;
  declare isOpen: boolean;
  readonly #seen = new SeenWhole(this, () => {
    const title = this.closest('section')?.querySelector('.tool-question-title strong');
    return [this.querySelector('.tool-line code'), title].some(isCutOff);
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#seen.note(this.isOpen, changed.has('args'));
  }

  protected override render(): TemplateResult {
    const { place, isOpen } = this;
    const { command, timeout } = commandOf(this.args);
    return html`${openableLine(place, { text: command, name: 'Command', isOpen })}
      ${isOpen ? wholeText('Command', command) : nothing}
      ${isOpen && timeout !== null ? html`<p class="tool-about">Time limit: ${timeout} s</p>` : nothing}
      <loupe-answers class="tool-answers" .answers=${this.#answers()} .more=${this.#more()} .onRefuse=${() => {
        toggleRefusal(place);
      }}></loupe-answers>`;
  }

  #answers(): readonly Answer[] {
    const { place } = this;
    const whyOff = this.#seen.isCut ? OPEN_FIRST : null;
    return [
      {
        label: 'Once',
        help: 'Run this command once.',
        whyOff,
        onChoose: () => {
          answerCall(place, 'once', null);
        },
      },
      {
        label: 'Always this command',
        help: 'Run exactly this command in all chats of this folder without asking.',
        whyOff,
        onChoose: () => {
          answerCall(place, 'always', null);
        },
      },
    ];
  }

  #more(): readonly MenuItem[] {
    const { place } = this;
    const { isCut } = this.#seen;
    return [
      {
        label: 'This command, in this chat',
        detail: isCut ? OPEN_FIRST : 'Run exactly this command in this chat without asking.',
        note: null,
        onChoose: () => {
          if (isCut) {
            toggleOpen(place);
          } else {
            answerCall(place, 'chat', null);
          }
        },
      },
      {
        label: 'Every command, in all chats…',
        detail: 'Run all commands without asking. Loupe asks once more.',
        note: null,
        onChoose: () => {
          togglePart(place, 'every', 'vscode-button');
        },
      },
    ];
  }
}

interface CommandArguments {
  readonly command: string;
  /** Workspace path of the working folder. '' for the workspace folder. */
  readonly folder: string;
  /** Time limit in seconds. Null without one. */
  readonly timeout: number | null;
}

function commandOf(args: string): CommandArguments {
  const parsed = parsedArguments(args);
  const {
    command,
    folder,
    timeout_seconds: timeout,
  }: Readonly<Record<string, unknown>> = { ...(typeof parsed === 'object' ? parsed : {}) };
  return {
    command: typeof command === 'string' ? command : args,
    folder: typeof folder === 'string' ? folder : '',
    timeout: typeof timeout === 'number' ? timeout : null,
  };
}
