import assert from 'node:assert/strict';
import { failure } from '../../../src/engine/errors.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { longTalk, messagesIn, summarize } from '../../support/host/longTalk.js';
import { lastReply, lastUser, unsentTexts } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

const SERVER = { label: 'House', status: 503, inputLimit: null, refusedMember: null };

describe('a message whose run failed', () => {
  const windows = useWindows();

  for (const layout of Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[]) {
    it(`is in no request of a summarized chat, even if it is pinned (${layout})`, async () => {
      const talk = await longTalk(windows, 2, { config: { layout } });
      const { house, session } = talk;
      house.replies.push([{ fails: failure('http.keyRefused', SERVER) }]);
      await session.conversation.send('A lost question.');
      assert.deepEqual(unsentTexts(session.state), ['A lost question.']);
      await session.marks.pin(lastUser(session.state).id);
      await session.conversation.send('Question 3.');
      await summarize(talk, lastReply(session.state).id, 'They read tide tables.');
      await session.conversation.send('Question 4.');
      const body = messagesIn(house.bodies.at(-1));
      assert.ok(body.includes('They read tide tables.'));
      assert.ok(!body.includes('lost question'), body);
    });
  }
});
