import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/model/price.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { TurnBand } from '../../../src/engine/accounting/turnBand.js';
import { openPanel } from '../../support/host/panel.js';
import { lastAttempt } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';

describe('what a turn costs', () => {
  const windows = useWindows();

  const bandOf = async (window: Window, session: ChatSession): Promise<TurnBand | null> => {
    const composed = await session.preview({ text: 'And then?', editing: null });
    return window.chats.learned.turns.of(composed, composed.forecast, session.state);
  };

  it('is not known before five turns, then between what such turns cost; other chats of the model count', async () => {
    const { window, session } = await windows.openChat({});
    for (let turn = 0; turn < 4; turn += 1) {
      await session.conversation.send('And then?');
    }
    assert.equal(await bandOf(window, session), null);
    await session.conversation.send('And then?');
    const band = await bandOf(window, session);
    await session.conversation.send('And then?');
    const { end } = lastAttempt(session.state);
    const cost = costOf(end?.usage ?? assert.fail('It tells its usage.'), PRACTICE_STANDARD.prices)?.usd ?? assert.fail('It has prices.');
    assert.ok(band !== null && cost > band.low * 0.9 && cost < band.high * 1.1, `${JSON.stringify(band)} was ${String(cost)}`);
    assert.ok((await bandOf(window, await window.chats.create())) !== null);
  });

  it('is not told where no tool can make it longer than its first request', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    for (let turn = 0; turn < 5; turn += 1) {
      await api.sendMessage('And then?', { chatId: id });
    }
    const { forecast } = await api.previewNextRequest(id, { text: 'And then?' });
    assert.ok(forecast !== null && forecast.turn === null);
  });
});
