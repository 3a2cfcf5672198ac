import { originOf, type ModelConfig, type ProviderConfig } from '../providerConfig.js';
import { isAzure } from '../../../../providers/azure.js';
import { keyStep, labelStep, resourceStep, urlStep } from './connectionSteps.js';
import { providerOf, newAnswers, type Answers, type SetupPorts, type StepName, type NextStep } from './answers.js';
import { listStep } from './listStep.js';
import { askSize } from './modelFigures.js';
import { byHandStep, modelsStep } from './modelSteps.js';
import { startStep } from './startStep.js';
import { tryStep } from './tryStep.js';

export interface SetupResult {
  readonly provider: ProviderConfig;
  readonly isNew: boolean;
  readonly tested: string | null;
}

const STEPS: Readonly<Record<StepName, (answers: Answers, ports: SetupPorts) => Promise<NextStep>>> = {
  start: (_draft, ports) => startStep(ports),
  label: labelStep,
  url: urlStep,
  resource: resourceStep,
  key: keyStep,
  list: listStep,
  models: modelsStep,
  byHand: byHandStep,
  try: tryStep,
};

/** Asks the user about a new provider, step by step. A step back keeps the answers. Saves at the end. */
export function addProvider(ports: SetupPorts): Promise<SetupResult | null> {
  return ask('start', newAnswers({ asked: ['start'], protocol: 'openai-compatible', label: '', baseUrl: '' }), ports);
}

export function editProvider(existing: ProviderConfig, ports: SetupPorts): Promise<SetupResult | null> {
  const { protocol, label, baseUrl, models } = existing;
  const asked: Answers['asked'] = ['label', isAzure(baseUrl) ? 'resource' : 'url', 'key'];
  return ask('label', { ...newAnswers({ asked, protocol, label, baseUrl }), existing, models }, ports);
}

/** Asks for the context size of a model and saves it. Resolves to whether Loupe saved the size. */
export async function editModel(
  { provider, model }: { readonly provider: ProviderConfig; readonly model: ModelConfig },
  { wizard, save }: Pick<SetupPorts, 'wizard' | 'save'>,
): Promise<boolean> {
  const answer = await askSize(model, { title: `Edit ${model.label}`, number: 1, of: 1, canGoBack: false }, wizard);
  if (answer.type !== 'value') {
    return false;
  }
  const sized = { ...model, maxInputTokens: answer.value };
  await save({ ...provider, models: provider.models.map((each) => (each.id === model.id ? sized : each)) });
  return true;
}

/** Removes a provider and its key after a confirmation. Resolves to whether Loupe removed the provider. */
export async function removeProvider(provider: ProviderConfig, ports: SetupPorts): Promise<boolean> {
  const text = `Remove ${provider.label} with its models and its key? Loupe keeps existing chats.`;
  if ((await ports.wizard.dialog(text, ['Remove'])) === null) {
    return false;
  }
  await ports.remove(provider);
  await ports.keys.remove(provider);
  return true;
}

async function ask(first: StepName, begun: Answers, ports: SetupPorts): Promise<SetupResult | null> {
  const visited: StepName[] = [];
  let step = first;
  let answers = begun;
  for (;;) {
    const turn: NextStep = await STEPS[step](answers, ports);
    switch (turn.type) {
      case 'to': {
        const earlier = visited.indexOf(turn.step);
        if (earlier !== -1) {
          visited.splice(earlier);
          // A step back skips `list`, which asks the user only after a failure.
        } else if (step !== 'list') {
          visited.push(step);
        }
        ({ step, answers } = turn);
        break;
      }
      case 'back':
        step = visited.pop() ?? first;
        break;
      case 'cancel':
        return null;
      case 'save':
        return save(turn, ports);
    }
  }
}

/** Saves the settings, then the key: in this order, a failure leaves no key without its provider. */
async function save({ answers }: Extract<NextStep, { type: 'save' }>, ports: SetupPorts): Promise<SetupResult> {
  const provider = providerOf(
    answers,
    ports.existing().map(({ id }) => id),
  );
  await ports.save(provider);
  if (answers.key !== null) {
    await ports.keys.set(provider, answers.key);
  } else if (answers.existing === null ? await ports.keys.has(provider) : originOf(answers.existing) !== originOf(provider)) {
    // Removes the stored key of an old address, or of a removed provider with the same id.
    await ports.keys.remove(provider);
  }
  return { provider, isNew: answers.existing === null, tested: answers.tested };
}
