import type { Prices } from '../../../engine/accounting/price.js';
import { fullPrices } from '../../../providers/fullPrices.js';
import type { ModelConfig } from '../providerConfig.js';
import { screen, type Draft, type SetupPorts, type Turn } from './draft.js';
import { modelChoice, warningOf } from './modelSteps.js';
import { choice, type Choice, type Remark } from './wizard.js';

type FieldName = 'maxInputTokens' | 'maxOutputTokens' | keyof Prices;
/** The figures of a model while they are edited: of its prices some may be missing. */
type Figures = Readonly<Record<FieldName, number | null>>;

const FIELDS: Readonly<Record<FieldName, { readonly label: string; readonly unit: 'tokens' | 'dollars' }>> = {
  maxInputTokens: { label: 'Context window', unit: 'tokens' },
  maxOutputTokens: { label: 'Output limit', unit: 'tokens' },
  input: { label: 'Input price', unit: 'dollars' },
  output: { label: 'Output price', unit: 'dollars' },
  cacheRead: { label: 'Price of cached input', unit: 'dollars' },
  cacheWrite5m: { label: 'Price of writing to the cache for 5 minutes', unit: 'dollars' },
  cacheWrite1h: { label: 'Price of writing to the cache for an hour', unit: 'dollars' },
};
const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** Shows the limits and prices of each chosen model, to be corrected before they are saved. */
export async function reviewStep(draft: Draft, ports: SetupPorts): Promise<Turn> {
  const catalog = await ports.loadCatalog();
  const note = (model: ModelConfig): string =>
    warningOf(model.id, draft.local) ??
    (draft.local !== null || model.prices === null ? '' : (catalog(model.id, draft.baseUrl)?.note ?? ''));
  const answer = await ports.wizard.pick<ModelConfig | null>(screen('review', draft, 'Limits and prices. Choose a model to change them.'), [
    choice<ModelConfig | null>('$(check) Save', null, {
      description: draft.models.length === 1 ? '1 model' : `${draft.models.length} models`,
    }),
    ...draft.models.map((model) => modelChoice<ModelConfig | null>(model, model, note(model))),
  ]);
  if (answer.type !== 'value') {
    return answer;
  }
  if (answer.value === null) {
    return { type: 'to', step: 'try', draft };
  }
  const edited = await editModel(answer.value, draft, ports);
  if (edited === null) {
    return { type: 'cancel' };
  }
  return {
    type: 'to',
    step: 'review',
    draft: { ...draft, models: draft.models.map((model) => (model.id === edited.id ? edited : model)) },
  };
}

/** Null when the user gives up. */
async function editModel(model: ModelConfig, draft: Draft, ports: SetupPorts): Promise<ModelConfig | null> {
  let figures = figuresOf(model);
  for (;;) {
    const isHalfPriced = (figures.input === null) !== (figures.output === null);
    const prompt = isHalfPriced ? `${model.label}: without both input and output price no costs are shown` : model.label;
    const answer = await ports.wizard.pick<FieldName | null>(screen('review', draft, prompt), fieldChoices(figures));
    if (answer.type === 'cancel') {
      return null;
    }
    if (answer.type === 'back' || answer.value === null) {
      const { maxInputTokens, maxOutputTokens, ...prices } = figures;
      return { ...model, maxInputTokens, maxOutputTokens, prices: fullPrices(prices) };
    }
    const { label, unit } = FIELDS[answer.value];
    const value = figures[answer.value];
    const typed = await ports.wizard.input(screen('review', draft, `${label} of ${model.label}, in ${UNITS[unit]}. Empty: unknown.`), {
      value: value === null ? '' : String(value),
      placeholder: 'unknown',
      password: false,
      check: (text) => numberRemark(text, unit),
    });
    if (typed.type === 'cancel') {
      return null;
    }
    if (typed.type === 'value') {
      figures = { ...figures, [answer.value]: parseNumber(typed.value) };
    }
  }
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
    return name.startsWith('cache') ? 'as other input' : 'unknown';
  }
  return FIELDS[name].unit === 'tokens' ? `${value.toLocaleString('en-US')} tokens` : `$${value} per million`;
}

function figuresOf({ maxInputTokens, maxOutputTokens, prices }: ModelConfig): Figures {
  const none = { input: null, output: null, cacheRead: null, cacheWrite5m: null, cacheWrite1h: null };
  return { maxInputTokens, maxOutputTokens, ...(prices ?? none) };
}

/** Thousands separators may be typed; empty is unknown. */
function parseNumber(text: string): number | null {
  const digits = text.replaceAll(/[,_\s]/g, '');
  return digits === '' ? null : Number(digits);
}

function numberRemark(text: string, unit: 'tokens' | 'dollars'): Remark | null {
  const value = parseNumber(text);
  const isValid = value === null || (unit === 'tokens' ? Number.isSafeInteger(value) && value > 0 : Number.isFinite(value) && value >= 0);
  return isValid
    ? null
    : { severity: 'error', text: unit === 'tokens' ? 'A whole number above 0, or nothing.' : 'A number, 0 or more, or nothing.' };
}
