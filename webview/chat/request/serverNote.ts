import { html, nothing, type TemplateResult } from 'lit';
import type { ServerRow } from '../../../src/protocol/panel/manager.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { visibleText } from '../../shared/visibleText.js';
import { lastCallInWords } from '../rows/lastCall.js';

/** Shown for a stopped server that has never listed its tools. */
export const UNKNOWN_TOOLS = 'Its tools are known once it runs.';

type ServerAction = 'Start' | 'Start again' | 'Restart' | 'Stop' | 'Show log';

const ACTIONS: Readonly<Record<ServerRow['status'], readonly ServerAction[]>> = {
  running: ['Stop', 'Restart', 'Show log'],
  starting: ['Stop', 'Show log'],
  stopped: ['Start', 'Show log'],
  failed: ['Show log', 'Start again'],
  gone: [],
};

/** The note below a server's row: why it failed or has no tools. An open row also shows the last use and actions. */
export function serverNote(row: ServerRow, replies: number): TemplateResult | typeof nothing {
  const { name, status, problem, hasLog } = row;
  const isUnknown = status === 'stopped' && row.total === 0;
  if (row.tools === null && problem === null && !isUnknown) {
    return nothing;
  }
  const told = problem === null ? (isUnknown ? UNKNOWN_TOOLS : usedText(row, replies)) : null;
  const actions = hasLog ? ACTIONS[status] : [];
  return told === '' && actions.length === 0
    ? nothing
    : html`<p class="manager-note server-note">
        ${told === null ? html`<span class="server-problem">${visibleText(problem ?? '')}</span>` : html`<span>${told}</span>`}
        ${actions.map((action) => actionButton(action, name))}
      </p>`;
}

/** Describes the last use. Empty when no tool is known, or when another line describes the last use. */
function usedText({ total, isUnused, lastCall }: ServerRow, replies: number): string {
  return total === 0 || isUnused ? '' : lastCallInWords(lastCall, replies);
}

function actionButton(action: ServerAction, server: string): TemplateResult {
  switch (action) {
    case 'Show log':
      return linkButton(action, posting({ type: 'showServerLog', server }));
    case 'Stop':
      return linkButton(action, andToRow({ type: 'stopServer', server }));
    case 'Start':
    case 'Start again':
    case 'Restart':
      return linkButton(action, andToRow({ type: 'restartServer', server }));
  }
}

/** Returns a click handler for a button that then disappears. Keeps the focus in the row of the button. */
export function andToRow(message: ToHost): (event: Event) => void {
  return (event) => {
    posting(message)(event);
    (event.currentTarget as HTMLElement).closest('.manager-row')?.querySelector('input')?.focus();
  };
}
