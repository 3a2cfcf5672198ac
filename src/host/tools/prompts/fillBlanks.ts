import type { McpPrompt } from '../../../tools/mcp/config/mcpEntries.js';
import { choice, type WizardAnswer, type Screen, type Wizard } from '../../models/providers/setup/wizard.js';
import { shownText } from '../shownText.js';

type Blank = McpPrompt['blanks'][number];

/** The values of blanks by name, without skipped blanks. */
export type FilledBlanks = Readonly<Record<string, string>>;

export interface FillPorts {
  readonly questions: Pick<Wizard, 'pick' | 'input'>;
  /** Returns the server's suggestions for a blank. Never rejects. */
  readonly suggest: (name: string, filled: FilledBlanks) => Promise<readonly string[]>;
}

/** Asks for the blanks of a prompt, one after the other. Returns null when the user closes a question. */
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

/** Omits empty texts, because a server may accept an empty text as a value. */
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
    placeholder: blank.isRequired ? '' : 'Empty for no value',
    password: false,
    check: (text) => (text === '' && blank.isRequired ? { severity: 'error', text: 'A value is needed.' } : null),
  });
}

function promptOf({ name, description, isRequired }: Blank): string {
  const what = description === null ? name : `${name}: ${description}`;
  return `${shownText(what)}${isRequired ? '' : ' (optional)'}`;
}
