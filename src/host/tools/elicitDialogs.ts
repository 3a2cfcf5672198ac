import { assertNever } from '../../engine/assertNever.js';
import { raceAbort } from '../../engine/run/abortRace.js';
import { fieldProblem, type ElicitAnswer, type ElicitField, type ElicitRequest, type ElicitValue } from '../../tools/mcp/elicitation.js';
import type { McpInput } from '../../tools/mcp/config/mcpInputs.js';
import { choice, type WizardAnswer, type Screen, type Wizard } from '../models/providers/setup/wizard.js';
import { shownText } from './shownText.js';

export interface DialogPorts {
  /** Aborting the signal closes the questions. */
  readonly wizard: (signal: AbortSignal) => Pick<Wizard, 'pick' | 'pickMany' | 'input'>;
  /** Opens a web page in the browser. Resolves to whether the page was opened. */
  readonly open: (url: string) => Promise<boolean>;
}

type DialogQuestions = ReturnType<DialogPorts['wizard']>;

const CANCEL: ElicitAnswer = { action: 'cancel' };

/**
 * Shows the questions of MCP servers one after another, because VS Code shows one input at a time. Each question names
 * its server, because a server may imitate Loupe's words.
 */
export class ElicitDialogs {
  readonly #ports: DialogPorts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: DialogPorts) {
    this.#ports = ports;
  }

  /** Asks the user a question of a server. Returns `cancel` when the user closes the question or the signal aborts. */
  elicit(serverName: string, request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer> {
    return this.#inTurn(signal, CANCEL, () =>
      request.kind === 'form' ? this.#form(serverName, request, signal) : this.#page(serverName, request, signal),
    );
  }

  /** Asks for a value that a server's configuration needs. Null when the user enters no value. */
  ask(serverName: string, input: McpInput, signal: AbortSignal): Promise<string | null> {
    return this.#inTurn(signal, null, async () => {
      const questions = this.#ports.wizard(signal);
      const screen = {
        title: `MCP server "${shownText(serverName)}" needs a value`,
        number: 1,
        of: 1,
        canGoBack: false,
        prompt: shownText(input.description),
      };
      const answer =
        input.options === null
          ? await questions.input(screen, { value: input.initial ?? '', placeholder: '', password: input.isPassword, check: needed })
          : await questions.pick(
              screen,
              input.options.map(({ label, value }) => choice(shownText(label), value, {})),
            );
      return answer.type === 'value' ? answer.value : null;
    });
  }

  async #inTurn<T>(signal: AbortSignal, cancelled: T, show: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => (signal.aborted ? cancelled : show()));
    // The caller of this question gets the error. The next question follows in any case.
    this.#last = turn.catch(() => undefined);
    // Stops waiting after an abort, even while questions of other servers are open.
    await raceAbort(turn, signal);
    return signal.aborted ? cancelled : turn;
  }

  async #form(name: string, request: Extract<ElicitRequest, { kind: 'form' }>, signal: AbortSignal): Promise<ElicitAnswer> {
    const questions = this.#ports.wizard(signal);
    const of = request.fields.length + 1;
    const screen = (number: number, prompt: string): Screen => ({ title: titleOf(name), number, of, canGoBack: number > 1, prompt });
    const values = new Map<string, ElicitValue | undefined>();
    for (let step = 1; step <= of; ) {
      const field = request.fields[step - 2];
      if (field === undefined) {
        const consent = await questions.pick(screen(step, shownText(request.message)), CONSENT);
        if (consent.type !== 'value' || !consent.value) {
          return consent.type === 'value' ? { action: 'decline' } : CANCEL;
        }
        step += 1;
        continue;
      }
      const value = values.get(field.name) ?? (values.has(field.name) ? undefined : (field.initial ?? undefined));
      const answer = await askField(questions, screen(step, promptOf(field)), field, value);
      if (answer.type === 'cancel') {
        return CANCEL;
      }
      if (answer.type === 'value') {
        values.set(field.name, answer.value);
      }
      step += answer.type === 'back' ? -1 : 1;
    }
    const given = [...values].filter((entry): entry is [string, ElicitValue] => entry[1] !== undefined);
    return { action: 'accept', content: Object.fromEntries(given) };
  }

  async #page(name: string, request: Extract<ElicitRequest, { kind: 'url' }>, signal: AbortSignal): Promise<ElicitAnswer> {
    const { host } = new URL(request.url);
    const of = request.finished === null ? 1 : 2;
    const first = { title: titleOf(name), number: 1, of, canGoBack: false, prompt: shownText(request.message) };
    const consent = await this.#ports
      .wizard(signal)
      .pick(first, [
        choice(`Open ${shownText(host)}`, true, { detail: shownText(request.url) }),
        choice('Refuse', false, { detail: 'Loupe informs the server that you refuse' }),
      ]);
    if (consent.type !== 'value') {
      return CANCEL;
    }
    if (!consent.value) {
      return { action: 'decline' };
    }
    if (!(await this.#ports.open(request.url))) {
      return CANCEL;
    }
    if (request.finished === null) {
      return { action: 'accept', content: {} };
    }
    const second = { ...first, number: 2, prompt: `Finish at ${shownText(host)}, then continue here` };
    const done = await this.#ports.wizard(AbortSignal.any([signal, request.finished])).pick(second, [choice('Continue', true, {})]);
    return done.type === 'value' || request.finished.aborted ? { action: 'accept', content: {} } : CANCEL;
  }
}

const CONSENT = [
  choice('Answer', true, { detail: 'What you enter goes to the server. Enter no passwords or keys.' }),
  choice('Refuse', false, { detail: 'Loupe informs the server that you refuse' }),
];

function titleOf(name: string): string {
  return `MCP server "${shownText(name)}" asks`;
}

function promptOf({ title, description, isRequired }: ElicitField): string {
  const what = description === null ? title : `${title}: ${description}`;
  return `${shownText(what)}${isRequired ? '' : ' (optional)'}`;
}

function needed(text: string): { readonly severity: 'error'; readonly text: string } | null {
  return text === '' ? { severity: 'error', text: 'Enter a value.' } : null;
}

/** Asks for the value of a field. Undefined when the user enters no value. */
async function askField(
  questions: DialogQuestions,
  screen: Screen,
  field: ElicitField,
  value: ElicitValue | undefined,
): Promise<WizardAnswer<ElicitValue | undefined>> {
  switch (field.type) {
    case 'text':
    case 'number':
      return askText(questions, screen, field, value);
    case 'boolean':
      return askOne(questions, screen, field, [
        choice('Yes', true, suggestionMark(value === true)),
        choice('No', false, suggestionMark(value === false)),
      ]);
    case 'choice':
      return askOne(
        questions,
        screen,
        field,
        field.choices.map((each) => choice(shownText(each.label), each.value, suggestionMark(value === each.value))),
      );
    case 'choices': {
      const picked = Array.isArray(value) ? value : [];
      const choices = field.choices.map((each) => ({
        ...choice(shownText(each.label), each.value, {}),
        picked: picked.includes(each.value),
      }));
      return questions.pickMany(screen, choices, [], (values) => fieldProblem(field, values));
    }
    default:
      return assertNever(field);
  }
}

/** Returns the mark of a choice that the server suggests. */
function suggestionMark(isInitial: boolean): { readonly description?: string } {
  return isInitial ? { description: 'suggested' } : {};
}

async function askText(
  questions: DialogQuestions,
  screen: Screen,
  field: Extract<ElicitField, { type: 'text' | 'number' }>,
  value: ElicitValue | undefined,
): Promise<WizardAnswer<ElicitValue | undefined>> {
  const valueOf = (text: string): ElicitValue | undefined => {
    if (text === '') {
      return undefined;
    }
    return field.type === 'number' ? Number(text) : text;
  };
  const answer = await questions.input(screen, {
    value: value === undefined ? '' : String(value),
    placeholder: field.isRequired ? '' : 'Optional: leave the field empty for no value',
    password: false,
    check: (text) => {
      const problem = fieldProblem(field, valueOf(text));
      return problem === null ? null : { severity: 'error', text: problem };
    },
  });
  return answer.type === 'value' ? { type: 'value', value: valueOf(answer.value) } : answer;
}

function askOne<T extends ElicitValue>(
  questions: DialogQuestions,
  screen: Screen,
  field: ElicitField,
  choices: readonly ReturnType<typeof choice<T>>[],
): Promise<WizardAnswer<T | undefined>> {
  const none = field.isRequired ? [] : [choice<T | undefined>('No value', undefined, {})];
  return questions.pick<T | undefined>(screen, [...choices, ...none]);
}
