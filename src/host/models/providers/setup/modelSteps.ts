import type { Capabilities } from '../../../../engine/model/model.js';
import type { PriceList } from '../../../../providers/priceList/priceList.js';
import type { ListedModel } from '../../../../providers/endpoint.js';
import { windowWarning, type LocalModel, type LocalServer } from '../../../../providers/local/localAddresses.js';
import { isAzure } from '../../../../providers/azure.js';
import { capabilitiesAt } from '../presets.js';
import type { ModelConfig } from '../providerConfig.js';
import { screen, type Answers, type SetupPorts, type NextStep } from './answers.js';
import { limitsText } from '../../modelTexts.js';
import type { WizardChoice } from './wizard.js';

/** Shown when the user presses Enter without a checked model. VS Code does not report which row has the focus. */
const NOTHING_CHECKED = 'No model is selected. Select the models to use, then press Enter';

/** Lets the user choose models of the endpoint. Shows the limits and prices of each model. */
export async function modelsStep(answers: Answers, ports: SetupPorts): Promise<NextStep> {
  const priceList = await ports.loadPriceList();
  const { local } = answers;
  const offered =
    local === null
      ? (answers.listed ?? []).map((listed) => listedModel(listed, answers, priceList))
      : local.models.map((model) => localModel(model, answers));
  // Earlier chosen models that the list no longer contains. They stay chosen until the user unchecks them.
  const others = answers.models.filter(({ id }) => offered.every((model) => model.id !== id));
  const chosen = new Set(answers.models.map(({ id }) => id));
  const otherUses = new Map((answers.listed ?? []).map(({ id, otherUse }) => [id, otherUse]));
  const choices = [...offered, ...others].map(
    (model): WizardChoice<ModelConfig> => ({
      label: model.label,
      description: limitsText(model),
      detail: warningOf(model.id, local) ?? (others.includes(model) ? 'Not listed by the provider' : (otherUses.get(model.id) ?? '')),
      value: model,
      picked: chosen.has(model.id),
    }),
  );
  const isForChat = ({ value, picked }: WizardChoice<ModelConfig>): boolean => picked || (otherUses.get(value.id) ?? null) === null;
  const [forChat, rest] = [choices.filter(isForChat), choices.filter((each) => !isForChat(each))];
  const question = screen('models', answers, 'Choose the models to use. Type to search.');
  const [shown, more] = forChat.length === 0 ? [rest, []] : [forChat, rest];
  const answer = await ports.wizard.pickMany(question, shown, more, (picked) => (picked.length === 0 ? NOTHING_CHECKED : null));
  return answer.type === 'value' ? { type: 'to', step: 'try', answers: { ...answers, models: answer.value } } : answer;
}

export async function byHandStep(answers: Answers, ports: SetupPorts): Promise<NextStep> {
  const priceList = await ports.loadPriceList();
  const prompt = isAzure(answers.baseUrl) ? 'Names of your Azure deployments, separated by commas' : 'Model IDs, separated by commas';
  const answer = await ports.wizard.input(screen('byHand', answers, prompt), {
    value: answers.models.map(({ id }) => id).join(', '),
    placeholder: '',
    password: false,
    check: (text) => (namesIn(text).length === 0 ? { severity: 'error', text: 'Enter at least one model ID.' } : null),
  });
  if (answer.type !== 'value') {
    return answer;
  }
  const models = namesIn(answer.value).map((id) =>
    listedModel({ id, label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null }, answers, priceList),
  );
  return { type: 'to', step: 'try', answers: { ...answers, models } };
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

/** Returns a warning about a small context window. Null for a model with its full window. */
export function warningOf(id: string, local: LocalServer | null): string | null {
  const model = local?.models.find((each) => each.id === id);
  return local === null || model === undefined ? null : windowWarning(local.kind, model);
}

const UNKNOWN_MODEL = { maxInputTokens: null, maxOutputTokens: null, prices: null, capabilities: {}, extraBody: {} };

/** Returns a model's settings: from the user's earlier answers, else from the endpoint's list, else the price list. */
function listedModel(listed: ListedModel, answers: Answers, catalog: PriceList): ModelConfig {
  const known = answers.models.find(({ id }) => id === listed.id);
  if (known !== undefined) {
    return known;
  }
  const entry = catalog(listed.id, answers.baseUrl);
  return {
    ...UNKNOWN_MODEL,
    id: listed.id,
    label: listed.label ?? listed.id,
    maxInputTokens: listed.maxInputTokens ?? entry?.contextWindow ?? null,
    maxOutputTokens: listed.maxOutputTokens,
    prices: entry?.prices ?? null,
    capabilities: capabilitiesAt(answers.baseUrl),
  };
}

/**
 * Returns the settings of a model on this computer. Such a model has no prices. Always uses the server's current
 * context window, because the window may have changed since an earlier setup.
 */
function localModel(model: LocalModel, answers: Pick<Answers, 'models'>): ModelConfig {
  const known = answers.models.find(({ id }) => id === model.id);
  const told: Partial<Capabilities> = {
    ...(model.images === null ? {} : { images: model.images }),
    ...(model.tools === null ? {} : { tools: model.tools }),
  };
  const base = known ?? { ...UNKNOWN_MODEL, id: model.id, label: model.id };
  return { ...base, maxInputTokens: model.realWindow, capabilities: { ...told, ...base.capabilities } };
}
