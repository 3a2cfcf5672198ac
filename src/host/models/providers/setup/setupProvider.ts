import { originOf, type ProviderConfig } from '../providerConfig.js';
import { keyStep, labelStep, urlStep } from './connectionSteps.js';
import { providerOf, noAnswers, type Answers, type SetupPorts, type StepName, type NextStep } from './answers.js';
import { listStep } from './listStep.js';
import { byHandStep, modelsStep } from './modelSteps.js';
import { reviewStep } from './reviewStep.js';
import { startStep } from './startStep.js';
import { tryStep } from './tryStep.js';

export type SetupResult =
  | {
      readonly type: 'saved';
      readonly provider: ProviderConfig;
      readonly isNew: boolean;
      /** What the test message brought; null without one. */
      readonly tested: string | null;
    }
  | { readonly type: 'removed'; readonly provider: ProviderConfig };

const STEPS: Readonly<Record<StepName, (answers: Answers, ports: SetupPorts) => Promise<NextStep>>> = {
  start: (_draft, ports) => startStep(ports),
  label: labelStep,
  url: urlStep,
  key: keyStep,
  list: listStep,
  models: modelsStep,
  byHand: byHandStep,
  review: reviewStep,
  try: tryStep,
};

/** Steps without a question: Back skips them. */
const SILENT: ReadonlySet<StepName> = new Set(['list']);

/**
 * Adds, changes or removes a provider in a sequence of questions. Back keeps the answers. Nothing is saved before the
 * end. Null when the user cancels.
 */
export async function setupProvider(ports: SetupPorts): Promise<SetupResult | null> {
  const visited: StepName[] = [];
  let step: StepName = 'start';
  let answers = noAnswers('anthropic', ports.protocols.anthropic);
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
        step = visited.pop() ?? 'start';
        break;
      case 'cancel':
        return null;
      case 'save':
        return save(turn.answers, ports);
      case 'remove':
        await ports.remove(turn.provider);
        await ports.keys.remove(turn.provider);
        return { type: 'removed', provider: turn.provider };
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
  return { type: 'saved', provider, isNew: answers.existing === null, tested: answers.tested };
}
