import type { McpPrompt } from '../../../tools/mcp/config/mcpEntries.js';
import { type Screen, type Wizard, type WizardAnswer, choice } from '../../models/providers/setup/wizard.js';
import { shownText } from '../shownText.js';

/** An argument of a prompt. */
export type Blank = McpPrompt['blanks'][number];

/** Values of a prompt's arguments, by name. Without arguments that the user skipped. */
export type FilledBlanks = Readonly<Record<string, string>>;

interface FillPorts {
  readonly questions: Pick<Wizard, 'pick' | 'input'>;
  /** Returns the server's suggested values for an argument. Never rejects. */
  readonly suggest: (name: string, filled: FilledBlanks) => Promise<readonly string[]>;
}

/** Asks for the arguments of a prompt, one after another. Null when the user closes a question. */
export async function fillBlanks(title: string, blanks: readonly Blank[], ports: FillPorts): Promise<FilledBlanks | null> {
  const filled = new Map<string, string>();
  for (let step = 0; step < blanks.length; ) {
    const blank = blanks[step];
    if (blank === undefined) {
      break;
    }
    const screen = { title: shownText(title), number: step + 1, of: blanks.length, canGoBack: step > 0, prompt: promptOf(blank) };
    const answer = await askBlank(screen, blank, filled, ports);
    if (answer.type === 'cancel') {
      return null;
    }
    if (answer.type === 'value') {
      filled.set(blank.name, answer.value);
    }
    step += answer.type === 'back' ? -1 : 1;
  }
  return given(filled);
}

/** Returns the entered values. Omits empty texts, because a server may treat an empty text as a value. */
function given(filled: ReadonlyMap<string, string>): FilledBlanks {
  return Object.fromEntries([...filled].filter(([, value]) => value !== ''));
}

async function askBlank(
  screen: Screen,
  blank: Blank,
  filled: ReadonlyMap<string, string>,
  ports: FillPorts,
): Promise<WizardAnswer<string>> {
  const before = filled.get(blank.name) ?? '';
  const earlier = new Map([...filled].filter(([name]) => name !== blank.name));
  const suggested = await ports.suggest(blank.name, given(earlier));
  if (suggested.length > 0) {
    const none = blank.isRequired ? [] : [choice<string | null>('No value', '', {})];
    const choices = suggested.map((value) =>
      choice<string | null>(shownText(value), value, value === before ? { description: 'entered' } : {}),
    );
    const picked = await ports.questions.pick(screen, [...choices, choice<string | null>('Another value…', null, {}), ...none]);
    if (picked.type !== 'value') {
      return picked;
    }
    if (picked.value !== null) {
      return { type: 'value', value: picked.value };
    }
  }
  return ports.questions.input(screen, {
    value: before,
    placeholder: blank.isRequired ? '' : 'Optional: leave the field empty for no value',
    password: false,
    check: (text) => (text === '' && blank.isRequired ? { severity: 'error', text: 'Enter a value.' } : null),
  });
}

function promptOf({ name, description, isRequired }: Blank): string {
  const what = description === null ? name : `${name}: ${description}`;
  return `${shownText(what)}${isRequired ? '' : ' (optional)'}`;
}
