import { originOf, type ModelConfig, type ProviderConfig } from '../providerConfig.js';
import { isAzure } from '../../../../providers/azure.js';
import { keyStep, labelStep, resourceStep, urlStep } from './connectionSteps.js';
import { providerOf, newAnswers, type Answers, type SetupPorts, type StepName, type NextStep } from './answers.js';
import { listStep } from './listStep.js';
import { askFigure, editFigures, withFigures } from './modelFigures.js';
import { byHandStep, modelsStep } from './modelSteps.js';
import { reviewStep } from './reviewStep.js';
import { startStep } from './startStep.js';
import type { Screen } from './wizard.js';
import { tryStep } from './tryStep.js';
import { unknownStep } from './unknownStep.js';

export interface SetupResult {
  readonly provider: ProviderConfig;
  readonly isNew: boolean;
  /** What the test message brought; null without one. */
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
  unknown: unknownStep,
  review: reviewStep,
  try: tryStep,
};

/** Steps that may have no question: Back skips them. */
const SILENT: ReadonlySet<StepName> = new Set(['list', 'unknown']);

/** Adds a provider in a sequence of questions. Back keeps the answers. Nothing is saved before the end. Null when the user cancels. */
export function addProvider(ports: SetupPorts): Promise<SetupResult | null> {
  return ask('start', newAnswers({ asked: ['start'], protocol: 'openai-compatible', label: '', baseUrl: '' }), ports);
}

/** Changes a provider in the same way. */
export function editProvider(existing: ProviderConfig, ports: SetupPorts): Promise<SetupResult | null> {
  const { protocol, label, baseUrl, models } = existing;
  const asked: Answers['asked'] = ['label', isAzure(baseUrl) ? 'resource' : 'url', 'key'];
  return ask('label', { ...newAnswers({ asked, protocol, label, baseUrl }), existing, models }, ports);
}

/**
 * Asks for the context size of a model and saves it, then lets the user change the other limits and prices. Cancelling those keeps the
 * size. Returns what was saved, as a sentence, or null for nothing.
 */
export async function editModel(
  { provider, model }: { readonly provider: ProviderConfig; readonly model: ModelConfig },
  ports: Pick<SetupPorts, 'wizard' | 'save'>,
): Promise<string | null> {
  const { wizard } = ports;
  const screenOf = (prompt: string): Screen => ({ title: `Edit ${model.label}`, number: 1, of: 1, canGoBack: false, prompt });
  const asked = { label: model.label, name: 'maxInputTokens', value: model.maxInputTokens, isNeeded: false } as const;
  const size = await askFigure(asked, { wizard, screenOf });
  if (size.type !== 'value') {
    return null;
  }
  const save = (changed: ModelConfig): Promise<void> =>
    ports.save({ ...provider, models: provider.models.map((each) => (each.id === model.id ? changed : each)) });
  const sized = withFigures(model, { maxInputTokens: size.value });
  const isChanged = size.value !== model.maxInputTokens;
  if (isChanged) {
    await save(sized);
  }
  const edited = await editFigures(sized, { wizard, screenOf });
  if (edited === null) {
    return isChanged ? `The context size of ${model.label} is saved.` : null;
  }
  await save(edited);
  return `${model.label} is saved.`;
}

/** Removes a provider with its key, after a question. Resolves to whether the user wanted that. */
export async function removeProvider(provider: ProviderConfig, ports: SetupPorts): Promise<boolean> {
  const text = `Remove ${provider.label} with its models and its key? Existing chats are kept.`;
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
        } else if (turn.step !== step && !SILENT.has(step)) {
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
        return save(turn.answers, ports);
    }
  }
}

/** Saves the settings first: if that fails, no key is left behind without its provider. */
async function save(answers: Answers, ports: SetupPorts): Promise<SetupResult> {
  const provider = providerOf(
    answers,
    ports.existing().map(({ id }) => id),
  );
  await ports.save(provider);
  if (answers.key !== null) {
    await ports.keys.set(provider, answers.key);
  } else if (answers.existing === null ? await ports.keys.has(provider) : originOf(answers.existing) !== originOf(provider)) {
    // The user gave no key. A stored one belongs to the old address, or to a provider with this id that was removed
    // from the settings by hand.
    await ports.keys.remove(provider);
  }
  return { provider, isNew: answers.existing === null, tested: answers.tested };
}
