import type { OwnRequest } from '../../../src/protocol/panel/entries.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { MenuItem } from '../../shared/controls/menu.js';
import { revealHidden } from '../../shared/hidden.js';
import { markedPrice, price, tokens } from '../../shared/numbers.js';

/** Returns the items about the title: its requests with their price, and what the user can do. */
export function titleItems({ id: chatId, titleRun, readOnly }: ChatView, send: (message: ToHost) => void): readonly MenuItem[] {
  const requests = (titleRun?.requests ?? []).map(({ attemptId, model, ...figures }) => ({
    label: 'Request for the title',
    detail: `Shows the exact request. ${requestInWords({ model, ...figures })}`,
    note: figures.cost === null || figures.isPretended ? null : costInWords(figures),
    onChoose: () => {
      send({ type: 'showRequest', chatId, messageId: attemptId });
    },
  }));
  const posted = (label: string, detail: string, message: ToHost): MenuItem => ({
    ...{ label, detail, note: null },
    onChoose: () => {
      send(message);
    },
  });
  if (titleRun?.status === 'running') {
    return [...requests, posted('Stop writing the title', 'Cancels the request for the title', { type: 'stopTitle', chatId })];
  }
  return readOnly === null ? [...requests, posted('Rename…', 'Changes the title', { type: 'askTitle', chatId })] : requests;
}

function requestInWords({ model, inputTokens, outputTokens, ...figures }: Omit<OwnRequest, 'attemptId' | 'purpose' | 'asked'>): string {
  const cost = figures.isPretended ? 'free' : costInWords(figures);
  return `Title by ${revealHidden(model)}: ${tokens(inputTokens)} tokens in, ${tokens(outputTokens)} out, ${cost}`;
}

function costInWords({ cost, isAtLeast }: Pick<OwnRequest, 'cost' | 'isAtLeast'>): string {
  if (cost === null) {
    return 'price unknown';
  }
  return isAtLeast ? markedPrice('≥', price(cost)) : price(cost);
}

/** Returns the tooltip of the title: the whole title, and what its requests cost. */
export function titleInWords({ title, titleRun }: ChatView): string {
  const writing = titleRun?.status === 'running' ? ['The model is writing a title'] : [];
  return [title, ...writing, ...(titleRun?.requests ?? []).map(requestInWords)].join('\n');
}
