import { html, type TemplateResult } from 'lit';
import type { StepQuestionView } from '../../../src/protocol/panel/toolCalls.js';
import { button } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { price } from '../../shared/numbers.js';

export function stepTitle({ steps }: StepQuestionView): string {
  return `The model has done ${String(steps)} steps (requests with tool calls). Go on with 25 more?`;
}

/** Asks above the message box whether a run may continue with more steps. */
export function stepQuestion(question: StepQuestionView, chatId: string): TemplateResult {
  const answer = (goesOn: boolean) => posting({ type: 'answerSteps', chatId, goesOn });
  return html`<section class="spend-question" role="group" aria-label=${stepTitle(question)}>
    <div class="spend-told">
      <div class="spend-title">${icon('shield')}<strong>${stepTitle(question)}</strong></div>
      <p class="spend-reason">${question.cost === null ? 'The cost of this turn so far is unknown.' : `This turn has cost ${price(question.cost)} so far.`}</p>
    </div>
    <div class="spend-actions">${button('Go on', 'primary', answer(true))} ${button('Stop here', 'secondary', answer(false))}</div>
  </section>`;
}
