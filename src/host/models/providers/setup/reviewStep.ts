import type { Prices, RateFigures } from '../../../../engine/accounting/price.js';
import { fullRates } from '../../../../providers/fullRates.js';
import { price, tokens } from '../../../../protocol/numbers.js';
import type { ModelConfig } from '../providerConfig.js';
import { screen, type Answers, type SetupPorts, type NextStep } from './answers.js';
import { modelChoice, warningOf } from './modelSteps.js';
import { choice, type Choice, type Remark } from './wizard.js';

type FieldName = 'maxInputTokens' | 'maxOutputTokens' | keyof RateFigures;
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

/** Shows the limits and prices of each chosen model, so that the user can correct them before saving. */
export async function reviewStep(answers: Answers, ports: SetupPorts): Promise<NextStep> {
  const catalog = await ports.loadCatalog();
  const note = (model: ModelConfig): string =>
    warningOf(model.id, answers.local) ??
    (answers.local !== null || model.prices === null ? '' : (catalog(model.id, answers.baseUrl)?.note ?? ''));
  const answer = await ports.wizard.pick<ModelConfig | null>(
    screen('review', answers, 'Choose a model to change its limits and prices, or save.'),
    [
      choice<ModelConfig | null>('$(check) Save', null, {
        description: answers.models.length === 1 ? '1 model' : `${answers.models.length} models`,
      }),
      ...answers.models.map((model) => modelChoice<ModelConfig | null>(model, model, note(model))),
    ],
  );
  if (answer.type !== 'value') {
    return answer;
  }
  if (answer.value === null) {
    return { type: 'to', step: 'try', answers: answers };
  }
  const edited = await editModel(answer.value, answers, ports);
  if (edited === null) {
    return { type: 'cancel' };
  }
  return {
    type: 'to',
    step: 'review',
    answers: { ...answers, models: answers.models.map((model) => (model.id === edited.id ? edited : model)) },
  };
}

/** Null when the user cancels. */
async function editModel(model: ModelConfig, answers: Answers, ports: SetupPorts): Promise<ModelConfig | null> {
  let figures = figuresOf(model);
  for (;;) {
    const isHalfPriced = (figures.input === null) !== (figures.output === null);
    const prompt = isHalfPriced ? `${model.label}: enter both prices to see costs` : model.label;
    const answer = await ports.wizard.pick<FieldName | null>(screen('review', answers, prompt), fieldChoices(figures));
    if (answer.type === 'cancel') {
      return null;
    }
    if (answer.type === 'back' || answer.value === null) {
      const { maxInputTokens, maxOutputTokens, ...rates } = figures;
      return { ...model, maxInputTokens, maxOutputTokens, prices: withRates(rates, model.prices) };
    }
    const { label, unit } = FIELDS[answer.value];
    const value = figures[answer.value];
    const typed = await ports.wizard.input(
      screen('review', answers, `${label} of ${model.label}, in ${UNITS[unit]}. Leave empty if unknown.`),
      {
        value: value === null ? '' : String(value),
        placeholder: 'unknown',
        password: false,
        check: (text) => numberRemark(text, unit),
      },
    );
    if (typed.type === 'cancel') {
      return null;
    }
    if (typed.type === 'value') {
      figures = { ...figures, [answer.value]: parseNumber(typed.value) };
    }
  }
}

/** Prices with other usual rates. Those of long prompts are edited in the settings, and stay. */
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

const UNITS = { tokens: 'tokens', dollars: 'US dollars per million tokens' } as const;

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
