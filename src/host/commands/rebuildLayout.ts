import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { counted, price } from '../../protocol/numbers.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Relayout } from '../request/relayout.js';

/** Has the next request laid out anew, after saying what that costs. Rejects where it would change nothing. */
export async function rebuildLayout(session: ChatSession): Promise<void> {
  const relayout = await session.relayout();
  if (relayout === null) {
    throw failure('chat.layoutNeedsNothing');
  }
  const asked = { modal: true, detail: relayoutInWords(relayout) };
  if ((await vscode.window.showInformationMessage('Lay out the next request anew?', asked, 'Lay Out Anew')) !== undefined) {
    await session.rebuildLayout();
  }
}

function relayoutInWords({ leftOut, cachedAnew, cost, saving }: Relayout): string {
  const goes = `It leaves out ${counted(leftOut, 'token')} that it does not need.`;
  if (cost === null || saving === null) {
    return `${goes} ${counted(cachedAnew, 'token')} are cached anew.`;
  }
  const dear = cost <= 0 ? 'It costs nothing more.' : `${counted(cachedAnew, 'token')} are cached anew, for about ${price(cost)}.`;
  return `${goes} ${dear} Each later request costs about ${price(Math.max(0, saving))} less.`;
}
