import { originOf, type ProviderConfig } from '../providerConfig.js';
import { keyStep, labelStep, urlStep } from './connectionSteps.js';
import { draftProvider, newDraft, type Draft, type SetupPorts, type StepName, type Turn } from './draft.js';
import { listStep } from './listStep.js';
import { byHandStep, modelsStep } from './modelSteps.js';
import { reviewStep } from './reviewStep.js';
import { startStep } from './startStep.js';
import { tryStep } from './tryStep.js';

export type SetupResult =
  | {
      readonly type: 'saved';
      readonly provider: ProviderConfig /** What the test message brought; null without one. */;
      readonly tested: string | null;
    }
  | { readonly type: 'removed'; readonly provider: ProviderConfig };

const STEPS: Readonly<Record<StepName, (draft: Draft, ports: SetupPorts) => Promise<Turn>>> = {
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

/** Steps that ask nothing by themselves: Back passes over them. */
const SILENT: ReadonlySet<StepName> = new Set(['list']);

/**
 * Adds, changes or removes a provider in a sequence of questions. Back keeps what was answered. Until the end nothing
 * is kept anywhere; null when the user gives up.
 */
export async function setupProvider(ports: SetupPorts): Promise<SetupResult | null> {
  const visited: StepName[] = [];
  let step: StepName = 'start';
  let draft = newDraft('anthropic', ports.protocols.anthropic);
  for (;;) {
    const turn: Turn = await STEPS[step](draft, ports);
    switch (turn.type) {
      case 'to': {
        const earlier = visited.indexOf(turn.step);
        if (earlier !== -1) {
          visited.splice(earlier);
        } else if (turn.step !== step && !SILENT.has(step)) {
          visited.push(step);
        }
        ({ step, draft } = turn);
        break;
      }
      case 'back':
        step = visited.pop() ?? 'start';
        break;
      case 'cancel':
        return null;
      case 'save':
        return save(turn.draft, ports);
      case 'remove':
        await ports.remove(turn.provider);
        await ports.keys.remove(turn.provider);
        return { type: 'removed', provider: turn.provider };
    }
  }
}

/** The settings first: a key without its provider would be left behind when they cannot be written. */
async function save(draft: Draft, ports: SetupPorts): Promise<SetupResult> {
  const provider = draftProvider(
    draft,
    ports.existing().map(({ id }) => id),
  );
  await ports.save(provider);
  if (draft.key !== null) {
    await ports.keys.set(provider, draft.key);
  } else if (draft.existing === null ? await ports.keys.has(provider) : originOf(draft.existing) !== originOf(provider)) {
    // The user has left the key out. One that is there belonged to the old address, or to a provider of this id that
    // was taken out of the settings by hand.
    await ports.keys.remove(provider);
  }
  return { type: 'saved', provider, tested: draft.tested };
}
