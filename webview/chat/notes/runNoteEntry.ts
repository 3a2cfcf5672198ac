import { html, nothing, type TemplateResult } from 'lit';
import type { RunNoteEntry, RunAction } from '../../../src/protocol/panel/entries.js';
import { button, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { dotted } from '../../shared/dotted.js';
import { icon } from '../../shared/controls/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';
import { showRequest } from '../entries/showRequestButton.js';
import { details, openFailures } from './failedAttempts.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';

export const RUN_ACTIONS: Readonly<Record<RunAction, string>> = {
  retry: 'Retry',
  continue: 'Continue',
  keepReply: 'Keep the text',
  goOnOnce: 'Go on once',
  openSpendSettings: 'Spend settings',
  setKeyAndRetry: 'Set key and retry',
  editProvider: 'Edit provider',
  editMessage: 'Edit message',
  raiseLimit: 'Raise the limit',
  excludeTool: 'Exclude the tool and retry',
  selectModel: 'Choose another model',
  summarize: 'Summarize…',
  showLog: 'Show log',
};

const ICONS = { failed: 'error', interrupted: 'debug-disconnect', held: 'shield' } as const;
const NAMES = { failed: 'Reply failed', interrupted: 'Reply interrupted', held: 'Reply stopped by a spend limit' } as const;
/** The note about a run that did not end normally: the cause, actions, and details on demand. */
export function runNoteEntry(entry: RunNoteEntry, scope: EntryScope): TemplateResult {
  const actions = entry.actions.filter((action) => action === 'showLog' || !scope.isLocked);
  const { status } = entry;
  return status === 'stopped' ? stoppedLine(entry, actions, scope) : noteBox({ ...entry, status, actions }, scope);
}

function noteBox(entry: RunNoteEntry & { readonly status: keyof typeof NAMES }, scope: EntryScope): TemplateResult {
  const { status, actions } = entry;
  const isOpen = scope.isOpen('detail');
  return html`<div class="entry run-note ${entry.isLast ? status : 'past'}" role="group" aria-label=${NAMES[status]}>
    <div class="run-note-text">${icon(ICONS[status])}<span>${visibleText(entry.text)}</span></div>
    ${
      actions.length === 0 && entry.attemptId === null
        ? nothing
        : html`<div class="run-note-actions">
          ${actions.map((action, index) =>
            button(
              RUN_ACTIONS[action],
              entry.isLast && index === 0 && action !== 'showLog' && status !== 'held' ? 'primary' : 'secondary',
              posting(messageOf(action, entry, scope.chatId)),
            ),
          )}
          ${entry.attemptId === null ? nothing : button('Show request', 'secondary', posting(showRequest(entry.attemptId, scope)))}
        </div>`
    }
    ${entry.detail === null && entry.failures.length < 2 ? nothing : details(scope)} ${openFailures(entry.failures, scope)}
    ${isOpen && entry.detail !== null ? html`<pre tabindex="0" aria-label="Details"><code>${visibleText(entry.detail)}</code></pre>` : nothing}
  </div>`;
}

/** The line below a reply that the user stopped: `Stopped · Continue · Retry`. */
export function stoppedLine(entry: RunNoteEntry, actions: readonly RunAction[], scope: EntryScope): TemplateResult {
  const { attemptId, text } = entry;
  return html`<div class="entry stopped-line figures" role="group" aria-label="Reply stopped">
    ${dotted([
      html`${icon('debug-stop')} ${visibleText(text)}`,
      ...actions.map((action) => linkButton(RUN_ACTIONS[action], posting(messageOf(action, entry, scope.chatId)))),
      ...(attemptId === null ? [] : [linkButton('Show request', posting(showRequest(attemptId, scope)))]),
    ])}
  </div>`;
}

export function messageOf(action: RunAction, { userMessageId }: RunNoteEntry, chatId: string): ToHost {
  switch (action) {
    case 'retry':
      return { type: 'retry', chatId, messageId: userMessageId };
    case 'continue':
    case 'keepReply':
    case 'goOnOnce':
    case 'setKeyAndRetry':
    case 'editProvider':
    case 'excludeTool':
    case 'selectModel':
      return { type: action, chatId };
    case 'editMessage':
      return { type: 'beginEdit', chatId, messageId: userMessageId };
    case 'raiseLimit':
      return { type: 'showChatSettings' };
    case 'summarize':
      return { type: 'planSummary', chatId, upTo: null };
    case 'showLog':
    case 'openSpendSettings':
      return { type: action };
  }
}
