import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { created, stamp } from '../../support/engine/events.js';
import { exchange, RestoredChat } from '../../support/storage/restoredChat.js';

/** Bytes of log between two restore points: several exchanges. */
const STEP = 8_000;
const EXCHANGES = 200;

describe('the restore point of a chat', () => {
  let chat: RestoredChat;
  beforeEach(async () => {
    chat = await RestoredChat.make(STEP);
    const exchanges = Array.from({ length: EXCHANGES }, (_, number) => exchange(number, 'x')).flat();
    await chat.write(stamp([created(), ...exchanges], 'a'));
  });
  afterEach(() => chat.remove());

  const requests = [
    { name: 'a part of the conversation', messages: EXCHANGES },
    { name: 'all of the conversation', messages: 2 * EXCHANGES },
  ];
  for (const { name, messages } of requests) {
    it(`is not made anew when a chat is opened whose request holds ${name}`, async () => {
      await chat.log.update(messages);
      const { mtimeMs } = await stat(chat.file);
      await chat.reopen();
      await chat.openEnd();
      await chat.log.update(messages);
      // It is replaced, never written to.
      assert.equal((await stat(chat.file)).mtimeMs, mtimeMs);
    });
  }
});
