import assert from 'node:assert/strict';
import type { UserMessage } from '../../../src/engine/chat/message/message.js';
import type { SessionContextItem } from '../../../src/engine/record/item.js';
import { unusedKeys } from '../../../src/host/panel/nextRequest/unusedItems.js';
import { UNUSED_REPLIES } from '../../../src/protocol/panel/manager.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { messages } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

const file = (name: string): SessionContextItem => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });

describe('what nothing has named for long', () => {
  const windows = useWindows();

  it('is what was in each of the latest requests and stands in none of the messages since; never a rule', async () => {
    const { session } = await chatAmongFiles(
      windows,
      {
        'AGENTS.md': 'Be brief.',
        'src/gauge.ts': 'const gauge = 1;',
        'src/alert.ts': 'const alert = 1;',
        'src/late.ts': 'const late = 1;',
      },
      {},
    );
    await session.context.add(file('src/gauge.ts'));
    await session.context.add(file('src/alert.ts:1-1'));
    for (let reply = 1; reply < UNUSED_REPLIES; reply += 1) {
      await session.conversation.send('/long 1');
    }
    assert.deepEqual(unusedKeys(session.state), [], 'there are too few replies');
    await session.context.add(file('src/late.ts'));
    await session.conversation.send('/long 1 What of src/alert.ts?');
    assert.deepEqual(unusedKeys(session.state), ['file:src/gauge.ts']);
    await session.conversation.send('/long 1 And Gauge.TS of the gauge?');
    assert.deepEqual(unusedKeys(session.state), ['file:src/gauge.ts'], 'only whole names count');
    await session.conversation.send('/long 1 And gauge.ts?');
    assert.deepEqual(unusedKeys(session.state), []);
  });

  it('reads each message once, also when items that it never reports differ from request to request', async () => {
    const { session, files } = await chatAmongFiles(windows, { 'AGENTS.md': 'Be brief.', 'src/gauge.ts': 'const gauge = 1;' }, {});
    await session.context.add(file('src/gauge.ts'));
    await session.conversation.send('/long 1');
    files.texts.set('AGENTS.md', 'Be brief, and give sources.');
    for (let reply = 2; reply <= UNUSED_REPLIES; reply += 1) {
      await session.conversation.send('/long 1');
    }
    assert.deepEqual(unusedKeys(session.state), ['file:src/gauge.ts']);
    await session.conversation.send('/long 1');
    let reads = 0;
    const read = messages(session.state).filter(({ role }) => role === 'user')[2]!;
    const { parts } = read as UserMessage;
    const get = (): UserMessage['parts'] => {
      reads += 1;
      return parts;
    };
    Object.defineProperty(read, 'parts', { get });
    assert.deepEqual([unusedKeys(session.state), reads], [['file:src/gauge.ts'], 0]);
  });
});
