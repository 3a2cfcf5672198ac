import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/toHost.js';
import type { RunAction, RunNoteEntry } from '../../../src/protocol/noteEntries.js';
import { disclosure } from '../../shared/buttons.js';
import { button } from '../../shared/controls.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';
import { showRequest } from './showRequestButton.js';

const ICONS = { stopped: 'debug-stop', failed: 'error', interrupted: 'debug-disconnect' } as const;
const NAMES = { stopped: 'Run stopped', failed: 'Run failed', interrupted: 'Run interrupted' } as const;
const LABELS: Readonly<Record<RunAction, string>> = {
  retry: 'Retry',
  continue: 'Continue',
  setApiKey: 'Set key',
  selectModel: 'Choose another model',
  showLog: 'Show log',
};

/** How a run ended that did not end well: the cause, what to do, and the detail on demand. */
export function runNoteEntry(entry: RunNoteEntry, scope: EntryScope): TemplateResult {
  const isOpen = scope.isOpen('detail');
  const actions = entry.actions.filter((action) => action === 'showLog' || !scope.isLocked);
  return html`<div class="entry run-note ${entry.status}" role="group" aria-label=${NAMES[entry.status]}>
    <div class="run-note-text">${icon(ICONS[entry.status])}<span>${visibleText(entry.text)}</span></div>
    ${
      actions.length === 0 && entry.attemptId === null
        ? nothing
        : html`<div class="run-note-actions">
          ${actions.map((action, index) =>
            button(
              LABELS[action],
              index === 0 && action !== 'showLog' && entry.status !== 'stopped' ? 'primary' : 'secondary',
              posting(messageOf(action, entry, scope.chatId)),
            ),
          )}
          ${entry.attemptId === null ? nothing : button('Show request', 'secondary', posting(showRequest(entry.attemptId, scope)))}
        </div>`
    }
    ${
      entry.detail === null
        ? nothing
        : html`${disclosure('Details', isOpen, () => {
            scope.toggle('detail');
          })}
        ${isOpen ? html`<pre tabindex="0" aria-label="Details"><code>${visibleText(entry.detail)}</code></pre>` : nothing}`
    }
  </div>`;
}

function messageOf(action: RunAction, { userMessageId }: RunNoteEntry, chatId: string): ToHost {
  switch (action) {
    case 'retry':
      return { type: 'retry', chatId, messageId: userMessageId };
    case 'continue':
    case 'setApiKey':
    case 'selectModel':
      return { type: action, chatId };
    case 'showLog':
      return { type: 'showLog' };
  }
}
