import type { RunAction, RunNoteEntry } from '../../../src/protocol/noteEntries.js';
import type { ToHost } from '../../../src/protocol/toHost.js';

/** What can be done after a run, as its buttons say it. */
export const RUN_ACTIONS: Readonly<Record<RunAction, string>> = {
  retry: 'Retry',
  continue: 'Continue',
  goOnOnce: 'Go on once',
  openSpendSettings: 'Spend settings',
  setApiKey: 'Set key',
  selectModel: 'Choose another model',
  summarize: 'Summarize…',
  showLog: 'Show log',
};

export function messageOf(action: RunAction, { userMessageId }: RunNoteEntry, chatId: string): ToHost {
  switch (action) {
    case 'retry':
      return { type: 'retry', chatId, messageId: userMessageId };
    case 'continue':
    case 'goOnOnce':
    case 'setApiKey':
    case 'selectModel':
      return { type: action, chatId };
    case 'summarize':
      return { type: 'planSummary', chatId, upTo: null };
    case 'showLog':
    case 'openSpendSettings':
      return { type: action };
  }
}
