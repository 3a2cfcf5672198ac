import type { Capabilities } from '../../../engine/run/model.js';
import type { Catalog } from '../../../providers/catalog/catalog.js';
import type { ListedModel } from '../../../providers/endpoint.js';
import { windowWarning, type LocalModel, type LocalServer } from '../../../providers/local/localServer.js';
import type { ModelConfig } from '../providerConfig.js';
import { screen, type Draft, type SetupPorts, type Turn } from './draft.js';
import { limitsText } from './modelTexts.js';
import { choice, type Choice } from './wizard.js';

/** A choice of the endpoint's models, with what is known of each. */
export async function modelsStep(draft: Draft, ports: SetupPorts): Promise<Turn> {
  const catalog = await ports.loadCatalog();
  const { local } = draft;
  const offered =
    local === null
      ? (draft.listed ?? []).map((listed) => listedModel(listed, draft, catalog))
      : local.models.map((model) => localModel(model, draft));
  // Chosen before, and not in the list any more: they stay until they are unchecked.
  const others = draft.models.filter(({ id }) => offered.every((model) => model.id !== id));
  const chosen = new Set(draft.models.map(({ id }) => id));
  const choices = [...offered, ...others].map(
    (model): Choice<ModelConfig> => ({
      label: model.label,
      description: limitsText(model),
      detail: warningOf(model.id, local) ?? (others.includes(model) ? 'Not in the list of the provider' : ''),
      value: model,
      picked: chosen.has(model.id),
    }),
  );
  const answer = await ports.wizard.pickMany(screen('models', draft, 'The models to use. Type to search.'), choices);
  if (answer.type !== 'value') {
    return answer;
  }
  return answer.value.length === 0
    ? { type: 'to', step: 'models', draft }
    : { type: 'to', step: 'review', draft: { ...draft, models: answer.value } };
}

/** For endpoints without a list. */
export async function byHandStep(draft: Draft, ports: SetupPorts): Promise<Turn> {
  const catalog = await ports.loadCatalog();
  const answer = await ports.wizard.input(
    screen('byHand', draft, 'The names of the models as the provider knows them, with commas between'),
    {
      value: draft.models.map(({ id }) => id).join(', '),
      placeholder: '',
      password: false,
      check: (text) => (namesIn(text).length === 0 ? { severity: 'error', text: 'At least one name is needed.' } : null),
    },
  );
  if (answer.type !== 'value') {
    return answer;
  }
  const models = namesIn(answer.value).map((id) =>
    listedModel({ id, label: null, maxInputTokens: null, maxOutputTokens: null }, draft, catalog),
  );
  return { type: 'to', step: 'review', draft: { ...draft, models } };
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

/** What a small context window means for the user; null when the model has all its room. */
export function warningOf(id: string, local: LocalServer | null): string | null {
  const model = local?.models.find((each) => each.id === id);
  return local === null || model === undefined ? null : windowWarning(local.kind, model);
}

const UNKNOWN_MODEL = { maxInputTokens: null, maxOutputTokens: null, prices: null, capabilities: {}, extraBody: {} };

/** What the user has said of the model stays; then the endpoint's own list counts, then the public one. */
function listedModel(listed: ListedModel, draft: Draft, catalog: Catalog): ModelConfig {
  const known = draft.models.find(({ id }) => id === listed.id);
  if (known !== undefined) {
    return known;
  }
  const entry = catalog(listed.id, draft.baseUrl);
  return {
    ...UNKNOWN_MODEL,
    id: listed.id,
    label: listed.label ?? listed.id,
    maxInputTokens: listed.maxInputTokens ?? entry?.contextWindow ?? null,
    maxOutputTokens: listed.maxOutputTokens,
    prices: entry?.prices ?? null,
  };
}

/**
 * Nobody bills a model on this computer, so it has no prices. The window is what the server really gives, also for a
 * model that was set up before: what was true then may have changed.
 */
function localModel(model: LocalModel, draft: Pick<Draft, 'models'>): ModelConfig {
  const known = draft.models.find(({ id }) => id === model.id);
  const told: Partial<Capabilities> = {
    ...(model.images === null ? {} : { images: model.images }),
    ...(model.tools === null ? {} : { tools: model.tools }),
  };
  const base = known ?? { ...UNKNOWN_MODEL, id: model.id, label: model.id };
  return { ...base, maxInputTokens: model.realWindow, capabilities: { ...told, ...base.capabilities } };
}

/** A choice for each model, in the review. */
export function modelChoice<T>(model: ModelConfig, value: T, detail: string): Choice<T> {
  const output = model.maxOutputTokens === null ? '' : ` · up to ${model.maxOutputTokens.toLocaleString('en-US')} out`;
  return choice(model.label, value, { description: `${limitsText(model)}${output}`, detail });
}
