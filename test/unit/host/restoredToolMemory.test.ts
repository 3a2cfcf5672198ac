import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EchoTool } from '../../support/host/reading.js';
import { RESTORE_STEP } from '../../support/host/longChat.js';
import { useWindows } from '../../support/host/window.js';

/** Each has a call and a conclusion: many more messages than the least in a restore point. */
const TURNS = 30;
/** The least messages in a restore point. */
const HELD = 10;

describe('a chat with tool memory that is opened from its restore point', () => {
  const windows = useWindows();
  const next = (session: ChatSession) => session.preview({ text: 'Go on', editing: null });

  for (const layout of ['plain', 'adaptive', 'tiered'] as const) {
    it(`sends what the window would send that had it open all the time, and tells what it forgets: ${layout}`, async () => {
      const tools = new EchoTool();
      const config = { layout, toolMemory: 1, compaction: 'off' } as const;
      const { window: first, session } = await windows.openChat({ tools, config, restoreStep: RESTORE_STEP });
      for (let turn = 0; turn < TURNS; turn += 1) {
        await session.conversation.send(`/tool echo {"turn": ${String(turn)}}`);
      }
      await first.store.updateDerived(session.id, HELD);

      const opened = await windows.open({ writerId: 'second', tools, restoreStep: RESTORE_STEP }).chats.open(session.id);
      assert.equal(opened.state.extent, 'end');
      assert.equal(opened.state.config.toolMemory, 1);
      const [whole, restored] = [await next(session), await next(opened)];
      assert.ok(restored.wire().body === whole.wire().body, 'the bodies differ');
      assert.deepEqual(restored.forgotten, whole.forgotten);
      assert.ok(restored.forgotten.length > HELD, String(restored.forgotten.length));
    });
  }
});
