import { UNKNOWN_INPUT_LIMIT } from '../../../../engine/budget/budget.js';
import type { Prices } from '../../../../engine/model/price.js';
import { fullRates } from '../../../../providers/fullRates.js';
import { tokens } from '../../../../protocol/numbers.js';
import type { ModelConfig } from '../providerConfig.js';
import type { Screen, Wizard, WizardAnswer } from './wizard.js';

/** The heading of a question about a model, without its text. */
type Heading = Omit<Screen, 'prompt'>;

/** Asks for the context size of a model. Null: unknown. */
export async function askSize(model: ModelConfig, heading: Heading, wizard: Pick<Wizard, 'input'>): Promise<WizardAnswer<number | null>> {
  const assumed = `Leave the field empty if the size is unknown. Loupe then assumes ${tokens(UNKNOWN_INPUT_LIMIT)}.`;
  const answer = await wizard.input(
    { ...heading, prompt: `Context size of ${model.label}, in tokens. ${assumed}` },
    {
      value: model.maxInputTokens === null ? '' : String(model.maxInputTokens),
      placeholder: 'unknown',
      password: false,
      check: (text) => (isSize(sizeIn(text)) ? null : { severity: 'error', text: 'Enter a whole number above 0, or no value.' }),
    },
  );
  return answer.type === 'value' ? { type: 'value', value: sizeIn(answer.value) } : answer;
}

/** Reads a number, with or without thousands separators. An empty text means unknown. */
function sizeIn(text: string): number | null {
  const digits = text.replaceAll(/[,_\s]/g, '');
  return digits === '' ? null : Number(digits);
}

function isSize(value: number | null): boolean {
  return value === null || (Number.isSafeInteger(value) && value > 0);
}

/** Asks for the prices of input and output of a model. Null: unknown. An unchanged text keeps all prices. */
export async function askPrices(model: ModelConfig, heading: Heading, wizard: Pick<Wizard, 'input'>): Promise<WizardAnswer<Prices | null>> {
  const { label, prices } = model;
  const before = prices === null ? '' : `${String(prices.input)}, ${String(prices.output)}`;
  const unknown = 'Leave the field empty if the prices are unknown.';
  const answer = await wizard.input(
    { ...heading, prompt: `Prices of ${label} in US dollars per million tokens: input, output. ${unknown}` },
    {
      value: before,
      placeholder: 'unknown, or such as 3, 15',
      password: false,
      check: (text) => (pricesIn(text) === 'invalid' ? { severity: 'error', text: 'Enter two prices such as 3, 15, or no value.' } : null),
    },
  );
  if (answer.type !== 'value') {
    return answer;
  }
  const typed = pricesIn(answer.value);
  // The wizard accepts no invalid text.
  return { type: 'value', value: answer.value.trim() === before || typed === 'invalid' ? prices : typed };
}

const TWO_PRICES = /^\$?\s*(\d+(?:\.\d+)?)\s*[,;\s]\s*\$?\s*(\d+(?:\.\d+)?)$/;

/** Reads two prices such as `3, 15`. Cache reads and writes then cost as much as other input. */
function pricesIn(text: string): Prices | null | 'invalid' {
  const [, input, output] = TWO_PRICES.exec(text.trim()) ?? [];
  if (input === undefined || output === undefined) {
    return text.trim() === '' ? null : 'invalid';
  }
  return fullRates({ input: Number(input), output: Number(output) });
}
