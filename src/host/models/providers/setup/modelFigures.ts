import type { Prices, RateFigures } from '../../../../engine/accounting/price.js';
import { UNKNOWN_INPUT_LIMIT } from '../../../../engine/budget/budget.js';
import { price, tokens } from '../../../../protocol/numbers.js';
import { fullRates } from '../../../../providers/fullRates.js';
import type { ModelConfig } from '../providerConfig.js';
import { choice, type Answer, type Choice, type Remark, type Screen, type Wizard } from './wizard.js';

export type FieldName = 'maxInputTokens' | 'maxOutputTokens' | keyof RateFigures;
/** The figures of a model while they are edited: some prices may be missing. */
type Figures = Readonly<Record<FieldName, number | null>>;

const FIELDS: Readonly<Record<FieldName, { readonly label: string; readonly unit: 'tokens' | 'dollars' }>> = {
  maxInputTokens: { label: 'Context window', unit: 'tokens' },
  maxOutputTokens: { label: 'Output limit', unit: 'tokens' },
  input: { label: 'Input price', unit: 'dollars' },
  output: { label: 'Output price', unit: 'dollars' },
  cacheRead: { label: 'Cached input price', unit: 'dollars' },
  cacheWrite5m: { label: '5-minute cache write price', unit: 'dollars' },
  cacheWrite1h: { label: '1-hour cache write price', unit: 'dollars' },
};
const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

const UNITS = { tokens: 'tokens', dollars: 'US dollars per million tokens' } as const;

/** Makes the heading of a question. */
export type ScreenOf = (prompt: string) => Screen;

/** Asks for one figure of a model. An empty answer means unknown, and is refused where `isNeeded`. */
export async function askFigure(
  {
    label: model,
    name,
    value,
    isNeeded,
  }: { readonly label: string; readonly name: FieldName; readonly value: number | null; readonly isNeeded: boolean },
  { wizard, screenOf }: { readonly wizard: Wizard; readonly screenOf: ScreenOf },
): Promise<Answer<number | null>> {
  const { label, unit } = FIELDS[name];
  const typed = await wizard.input(screenOf(`${label} of ${model}, in ${UNITS[unit]}.${isNeeded ? '' : emptyText(name)}`), {
    value: value === null ? '' : String(value),
    placeholder: isNeeded ? '' : 'unknown',
    password: false,
    check: (text) => (isNeeded && parseNumber(text) === null ? NEEDED : numberRemark(text, unit)),
  });
  return typed.type === 'value' ? { type: 'value', value: parseNumber(typed.value) } : typed;
}

/** What an empty answer does. */
function emptyText(name: FieldName): string {
  return ` Leave empty if unknown${name === 'maxInputTokens' ? `: Loupe then assumes ${tokens(UNKNOWN_INPUT_LIMIT)}` : ''}.`;
}

/** Lets the user change the figures of a model, one after the other. Null when the user cancels. */
export async function editFigures(
  model: ModelConfig,
  ports: { readonly wizard: Wizard; readonly screenOf: ScreenOf },
): Promise<ModelConfig | null> {
  let figures = figuresOf(model);
  for (;;) {
    const isHalfPriced = (figures.input === null) !== (figures.output === null);
    const prompt = isHalfPriced ? `${model.label}: enter both prices to see costs` : model.label;
    const answer = await ports.wizard.pick<FieldName | null>(ports.screenOf(prompt), fieldChoices(figures));
    if (answer.type === 'cancel') {
      return null;
    }
    if (answer.type === 'back' || answer.value === null) {
      return withFigures(model, figures);
    }
    const asked = { label: model.label, name: answer.value, value: figures[answer.value], isNeeded: false };
    const typed = await askFigure(asked, { ...ports, screenOf: (text) => ({ ...ports.screenOf(text), canGoBack: true }) });
    if (typed.type === 'cancel') {
      return null;
    }
    if (typed.type === 'value') {
      figures = { ...figures, [answer.value]: typed.value };
    }
  }
}

/** The model with other figures. Prices of long prompts are edited in the settings, and stay. */
export function withFigures(model: ModelConfig, changes: Partial<Figures>): ModelConfig {
  const { maxInputTokens, maxOutputTokens, ...rates } = { ...figuresOf(model), ...changes };
  return { ...model, maxInputTokens, maxOutputTokens, prices: withRates(rates, model.prices) };
}

function withRates(rates: Pick<Figures, keyof RateFigures>, prices: Prices | null): Prices | null {
  const full = fullRates(rates);
  return full === null ? null : { ...prices, ...full };
}

function fieldChoices(figures: Figures): Choice<FieldName | null>[] {
  return [
    choice<FieldName | null>('$(check) Done', null, {}),
    ...FIELD_NAMES.map((name) => choice<FieldName | null>(FIELDS[name].label, name, { description: figureText(name, figures[name]) })),
  ];
}

function figureText(name: FieldName, value: number | null): string {
  if (value === null) {
    return name.startsWith('cache') ? 'same as input' : 'unknown';
  }
  return FIELDS[name].unit === 'tokens' ? `${tokens(value)} tokens` : `${price(value)} per million`;
}

function figuresOf({ maxInputTokens, maxOutputTokens, prices }: ModelConfig): Figures {
  const none = { input: null, output: null, cacheRead: null, cacheWrite5m: null, cacheWrite1h: null };
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = prices ?? none;
  return { maxInputTokens, maxOutputTokens, input, output, cacheRead, cacheWrite5m, cacheWrite1h };
}

/** Allows thousands separators; an empty text means unknown. */
function parseNumber(text: string): number | null {
  const digits = text.replaceAll(/[,_\s]/g, '');
  return digits === '' ? null : Number(digits);
}

const NEEDED: Remark = { severity: 'error', text: 'Costs need both prices. Enter 0 where it costs nothing, or go back.' };

function numberRemark(text: string, unit: 'tokens' | 'dollars'): Remark | null {
  const value = parseNumber(text);
  const isValid = value === null || (unit === 'tokens' ? Number.isSafeInteger(value) && value > 0 : Number.isFinite(value) && value >= 0);
  return isValid
    ? null
    : {
        severity: 'error',
        text: unit === 'tokens' ? 'Enter a whole number above 0, or leave empty.' : 'Enter a number, 0 or more, or leave empty.',
      };
}
