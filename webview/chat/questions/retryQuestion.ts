import { html, nothing, type TemplateResult } from 'lit';
import type { RestoreOfferView } from '../../../src/protocol/panel/toolCalls.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { button } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { detailsButton, type QuestionFold, questionFrame } from './questionFrame.js';
import { restorableFiles, restoreChoice } from './restoreStrip.js';

export const RETRY_TITLE = 'Retry this message?';

interface RetryQuestionOptions {
  readonly chatId: string;
  readonly send: (message: ToHost) => void;
  readonly fold: QuestionFold;
}

/** Asks before a retry, if tools changed files after the message. The user can restore these files with the retry. */
export function retryQuestion(offer: RestoreOfferView, { chatId, send, fold }: RetryQuestionOptions): TemplateResult {
  const answer = (goesOn: boolean) => posting({ type: 'answerRetry', chatId, goesOn });
  return questionFrame({
    title: RETRY_TITLE,
    reason: 'Later messages move to a branch.',
    link: nothing,
    content: html`<div class="restore-strip">
      ${restoreChoice(offer, chatId, send)} ${fold.isOpen ? restorableFiles(offer, chatId) : nothing}
    </div>`,
    isOpen: fold.isOpen,
    answers: html`${button('Retry', 'primary', answer(true))} ${detailsButton(fold)}`,
    wayOut: button('Cancel', 'secondary', answer(false)),
  });
}
