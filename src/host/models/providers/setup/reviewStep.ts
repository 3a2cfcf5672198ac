import { counted } from '../../../../protocol/numbers.js';
import type { ModelConfig } from '../providerConfig.js';
import { screen, type Answers, type SetupPorts, type NextStep } from './answers.js';
import { editFigures } from './modelFigures.js';
import { modelChoice, warningOf } from './modelSteps.js';
import { lacks } from './unknownStep.js';
import { choice } from './wizard.js';

/** Shows the limits and prices of each chosen model, so that the user can correct them before saving. Models with unknown ones are first. */
export async function reviewStep(answers: Answers, ports: SetupPorts): Promise<NextStep> {
  const catalog = await ports.loadCatalog();
  const note = (model: ModelConfig): string =>
    warningOf(model.id, answers.local) ??
    (answers.local !== null || model.prices === null ? '' : (catalog(model.id, answers.baseUrl)?.note ?? ''));
  const isUnknown = (model: ModelConfig): boolean => lacks(model, answers).length > 0;
  const [unknown, known] = [answers.models.filter(isUnknown), answers.models.filter((model) => !isUnknown(model))];
  const answer = await ports.wizard.pick<ModelConfig | null>(screen('review', answers, reviewText(unknown.length)), [
    choice<ModelConfig | null>('$(check) Save', null, {
      description: answers.models.length === 1 ? '1 model' : `${answers.models.length} models`,
    }),
    ...[...unknown, ...known].map((model) => modelChoice<ModelConfig | null>(model, model, note(model))),
  ]);
  if (answer.type !== 'value') {
    return answer;
  }
  if (answer.value === null) {
    return { type: 'to', step: 'try', answers: answers };
  }
  const edited = await editFigures(answer.value, { wizard: ports.wizard, screenOf: (prompt) => screen('review', answers, prompt) });
  if (edited === null) {
    return { type: 'cancel' };
  }
  return {
    type: 'to',
    step: 'review',
    answers: { ...answers, models: answers.models.map((model) => (model.id === edited.id ? edited : model)) },
  };
}

/** `2 models lack their size or price: choose a model to set it, or use Edit Provider later.` */
function reviewText(unknown: number): string {
  const lack = unknown === 1 ? 'lacks its' : 'lack their';
  return unknown === 0
    ? 'Choose a model to change its limits and prices, or save.'
    : `${counted(unknown, 'model')} ${lack} size or price: choose a model to set it, or use Edit Provider later.`;
}
