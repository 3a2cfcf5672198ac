import { UNKNOWN_INPUT_LIMIT } from '../../../../engine/budget/budget.js';
import type { Prices, RateFigures } from '../../../../engine/model/price.js';
import { fullRates, statedRates } from '../../../../providers/fullRates.js';
import { price, tokens } from '../../../../protocol/numbers.js';
import type { ModelConfig } from '../providerConfig.js';
import type { InputRemark, Screen, Wizard, WizardAnswer } from './wizard.js';

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
      check: remarkOnSize,
    },
  );
  return answer.type === 'value' ? { type: 'value', value: sizeIn(answer.value) } : answer;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['k', 1_000],
  ['m', 1_000_000],
]);

/** Says that the text is no size, otherwise the tokens of a short form such as 128k. */
function remarkOnSize(text: string): InputRemark | null {
  const size = sizeIn(text);
  if (size !== null && !(Number.isSafeInteger(size) && size > 0)) {
    return { severity: 'error', text: 'Enter a whole number above 0, such as 128000 or 128k, or no value.' };
  }
  return size === null || /\d\s*$/.test(text) ? null : { severity: 'info', text: `${tokens(size)} tokens` };
}

/** Reads a number such as 128,000, 128k or 1M. An empty text means unknown. NaN for other texts. */
function sizeIn(text: string): number | null {
  const typed = text.replaceAll(/[,_\s]/g, '').toLowerCase();
  const unit = UNITS.get(typed.slice(-1));
  const size = unit === undefined ? Number(typed) : Math.round(Number(typed.slice(0, -1)) * unit);
  return typed === '' ? null : size;
}

/** The prices in the order in which the user enters them. */
const PRICES = [
  ['input', 'input'],
  ['output', 'output'],
  ['cacheRead', 'cache read'],
  ['cacheWrite5m', '5-minute cache write'],
  ['cacheWrite1h', '1-hour cache write'],
] as const satisfies readonly (readonly [keyof RateFigures, string])[];

const EXAMPLE = '3, 15, 0.3, 3.75, 6';

/** Asks for the prices of a model, with optional cache prices. Null: unknown. An unchanged text keeps all prices. */
export async function askPrices(model: ModelConfig, heading: Heading, wizard: Pick<Wizard, 'input'>): Promise<WizardAnswer<Prices | null>> {
  const { label, prices } = model;
  const before = prices === null ? '' : textOf(prices);
  const names = PRICES.map(([, name]) => name).join(', ');
  const missing = 'Loupe assumes the full input price if you leave out the last three. Leave the field empty if the prices are unknown.';
  const answer = await wizard.input(
    { ...heading, prompt: `Prices of ${label} in US dollars per million tokens: ${names}. ${missing}` },
    {
      value: before,
      placeholder: `unknown, or such as 3, 15 or ${EXAMPLE}`,
      password: false,
      check: (text) => (text.trim() === before ? null : remarkOn(text)),
    },
  );
  if (answer.type !== 'value') {
    return answer;
  }
  const typed = answer.value.trim();
  return { type: 'value', value: typed === before ? prices : fullRates(ratesIn(typed)) };
}

/** Returns the prices as the user enters them, without assumed prices at the end. */
function textOf(prices: Prices): string {
  const stated = statedRates(prices);
  const last = PRICES.findLastIndex(([rate]) => stated[rate] !== undefined);
  return PRICES.slice(0, last + 1)
    .map(([rate]) => String(prices[rate]))
    .join(', ');
}

/** Says what is wrong with the text, otherwise which prices Loupe reads from it and which it assumes. */
function remarkOn(text: string): InputRemark | null {
  const typed = wordsIn(text);
  const wrong = typed.find((word) => !/^\d+(\.\d+)?$/.test(word));
  if (wrong !== undefined) {
    return { severity: 'error', text: `"${wrong}" is not a price. Enter numbers such as ${EXAMPLE}.` };
  }
  if (typed.length > PRICES.length) {
    return { severity: 'error', text: `Enter at most ${String(PRICES.length)} prices, such as ${EXAMPLE}.` };
  }
  const rates = fullRates(ratesIn(text));
  if (rates === null) {
    return typed.length === 0
      ? null
      : { severity: 'error', text: 'The price of output is missing. Enter at least two prices such as 3, 15.' };
  }
  const inWords = (of: readonly (typeof PRICES)[number][]): string => of.map(([rate, name]) => `${name} ${price(rates[rate])}`).join(', ');
  const [stated, assumed] = [inWords(PRICES.slice(0, typed.length)), inWords(PRICES.slice(typed.length))];
  return { severity: 'info', text: `Per million tokens: ${stated}.${assumed === '' ? '' : ` Assumed: ${assumed}.`}` };
}

/** Reads the prices in the order of `PRICES`. */
function ratesIn(text: string): Partial<RateFigures> {
  const words = wordsIn(text);
  return Object.fromEntries(PRICES.slice(0, words.length).map(([rate], at) => [rate, Number(words[at])])) satisfies Partial<RateFigures>;
}

function wordsIn(text: string): readonly string[] {
  return text.split(/[$,;\s]+/).filter((word) => word !== '');
}
