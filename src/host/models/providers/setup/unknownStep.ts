import type { ModelConfig } from '../providerConfig.js';
import { screen, type Answers, type SetupPorts, type NextStep } from './answers.js';
import { askFigure, withFigures, type FieldName } from './modelFigures.js';

/** So many models are asked about, one after the other. The review names the others. */
const MOST_ASKED = 3;

/**
 * Asks for the context size and the prices of the chosen models, where neither the endpoint nor the price list knows them. An empty
 * answer leaves a figure unknown.
 */
export async function unknownStep(answers: Answers, { wizard }: SetupPorts): Promise<NextStep> {
  const typed = new Map<ModelConfig, Partial<Record<FieldName, number | null>>>();
  const asked = answers.models.filter((model) => isNew(model, answers) && lacks(model, answers).length > 0).slice(0, MOST_ASKED);
  const questions = (): readonly { readonly model: ModelConfig; readonly name: FieldName }[] =>
    asked.flatMap((model) => {
      const names = lacks(model, answers);
      const isPriced = names.includes('input') && typeof typed.get(model)?.input === 'number';
      return [...names, ...(isPriced ? (['output'] as const) : [])].map((name) => ({ model, name }));
    });
  let at = 0;
  for (let question = questions()[at]; question !== undefined; question = questions()[at]) {
    const { model, name } = question;
    const known = typed.get(model) ?? {};
    const answer = await askFigure(
      { label: model.label, name, value: known[name] ?? null, isNeeded: name === 'output' },
      { wizard, screenOf: (prompt) => screen('review', answers, prompt) },
    );
    if (answer.type === 'cancel' || (answer.type === 'back' && at === 0)) {
      return answer;
    }
    if (answer.type === 'value') {
      typed.set(model, { ...known, [name]: answer.value });
    }
    at += answer.type === 'value' ? 1 : -1;
  }
  const models = answers.models.map((model) => {
    const changes = typed.get(model);
    return changes === undefined ? model : withFigures(model, changes);
  });
  return { type: 'to', step: 'review', answers: { ...answers, models } };
}

/** Those of a provider that is edited were asked about when they were added. */
function isNew({ id }: ModelConfig, { existing }: Answers): boolean {
  return existing === null || existing.models.every((model) => model.id !== id);
}

/** What is unknown of a model. One on this computer costs nothing, and only one for chat has a limit of its own. */
export function lacks(
  { id, maxInputTokens, prices }: ModelConfig,
  { local, listed }: Pick<Answers, 'local' | 'listed'>,
): readonly FieldName[] {
  const isForChat = (listed ?? []).every((each) => each.id !== id || each.otherUse === null);
  return [
    ...(maxInputTokens === null && isForChat ? (['maxInputTokens'] as const) : []),
    ...(prices === null && local === null ? (['input'] as const) : []),
  ];
}
