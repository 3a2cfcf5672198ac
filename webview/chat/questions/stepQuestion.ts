import { nothing, type TemplateResult } from 'lit';
import type { StepQuestionView } from '../../../src/protocol/panel/toolCalls.js';
import { button } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { price } from '../../shared/numbers.js';
import { questionFrame } from './questionFrame.js';

export function stepTitle({ steps }: StepQuestionView): string {
  return `${String(steps)} steps are done. Go on with 25 more?`;
}

/** Asks above the message box whether a run may continue with more steps. */
export function stepQuestion(question: StepQuestionView, chatId: string): TemplateResult {
  const answer = (goesOn: boolean) => posting({ type: 'answerSteps', chatId, goesOn });
  const reason = question.cost === null ? 'The cost of this turn so far is unknown.' : `This turn has cost ${price(question.cost)} so far.`;
  return questionFrame({
    ...{ title: stepTitle(question), reason, link: nothing, content: nothing, isOpen: false },
    answers: button('Go on', 'primary', answer(true)),
    wayOut: button('Stop here', 'secondary', answer(false)),
  });
}
