import { html, nothing, type TemplateResult } from 'lit';
import type { RunAction, RunNoteEntry } from '../../../src/protocol/noteEntries.js';
import { linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import { messageOf, RUN_ACTIONS } from './runActions.js';
import type { EntryScope } from './scope.js';
import { showRequest } from './showRequestButton.js';

/** The user stopped the reply. That needs no box: `Stopped · Continue · Retry`. */
export function stoppedLine(entry: RunNoteEntry, actions: readonly RunAction[], scope: EntryScope): TemplateResult {
  const { attemptId, text } = entry;
  return html`<div class="entry stopped-line figures" role="group" aria-label="Run stopped">
    <span>${icon('debug-stop')} ${visibleText(text)}</span>
    ${actions.map((action) => html`<span>· ${linkButton(RUN_ACTIONS[action], posting(messageOf(action, entry, scope.chatId)))}</span>`)}
    ${attemptId === null ? nothing : html`<span>· ${linkButton('Show request', posting(showRequest(attemptId, scope)))}</span>`}
  </div>`;
}
