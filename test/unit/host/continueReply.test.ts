import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { longTalk, messagesIn, type LongTalk } from '../../support/host/longTalk.js';
import { panelOf } from '../../support/host/panel.js';
import { conversation, sentTexts } from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { useWindows } from '../../support/host/window.js';
import type { ScriptedHouse } from '../../support/host/scriptedHouse.js';

type Script = ScriptedHouse['replies'][number];

describe('Continue after a reply that the provider ended', () => {
  const windows = useWindows();

  async function replied(...script: Script): Promise<LongTalk & { readonly canContinue: () => boolean | undefined }> {
    const talk = await longTalk(windows, 0, {});
    const test = await panelOf(talk.window, talk.session.id);
    talk.house.replies.push([...script]);
    await talk.session.conversation.send('When is low water?');
    const canContinue = (): boolean | undefined => {
      const reply = test.snapshot().entries.findLast((entry) => entry.kind === 'assistant');
      return reply?.kind === 'assistant' ? reply.canContinue : undefined;
    };
    return { ...talk, canContinue };
  }

  const goesOn = async ({ house, session }: LongTalk): Promise<void> => {
    house.replies.push([{ text: '10:25.' }]);
    await session.conversation.continueRun();
    assert.deepEqual(sentTexts(session.state), ['When is low water?', 'At', 'Continue', '10:25.']);
    const body = messagesIn(house.bodies.at(-1));
    assert.ok(body.includes('"At"') && body.includes('Continue'), body);
  };

  for (const stops of ['length', 'other'] as const) {
    it(`sends what had arrived and asks for the rest (${stops})`, async () => {
      const talk = await replied({ text: 'At' }, { stops });
      assert.equal(talk.canContinue(), true);
      await goesOn(talk);
      assert.equal(talk.canContinue(), false);
    });
  }

  it('is still there after a title, a reload and in another window', async () => {
    const talk = await replied({ text: 'At' }, { stops: 'length' });
    talk.house.replies.push([{ text: 'Tides' }]);
    await talk.session.titler.generate();
    assert.equal(talk.canContinue(), true);
    const there: ChatSession = await windows.open({ writerId: 'second', sources: [talk.house.source] }).chats.open(talk.session.id);
    await goesOn({ ...talk, session: there });
  });

  it('is offered neither after a whole reply nor where no text arrived', async () => {
    assert.equal((await replied({ text: 'At 10:25.' })).canContinue(), false);
    const empty = await replied({ stops: 'length' });
    assert.equal(empty.canContinue(), false);
    assert.equal((await rejection(empty.session.conversation.continueRun())).code, 'chat.nothingToContinue');
  });

  it('is not offered below a message that followed', async () => {
    const { session, canContinue, house } = await replied({ text: 'At' }, { stops: 'length' });
    house.replies.push([{ text: 'Of the harbour.' }]);
    await session.conversation.send('Of which place?');
    assert.equal(canContinue(), false);
    assert.equal(conversation(session.state).length, 4);
  });
});
