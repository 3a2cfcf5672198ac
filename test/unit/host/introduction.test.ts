import assert from 'node:assert/strict';
import { openPanel, type PanelMemory, type TestPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

describe('the introduction', () => {
  const windows = useWindows();

  async function open(memory: PanelMemory): Promise<TestPanel> {
    const panel = openPanel(windows.open({}), memory);
    await panel.say({ type: 'ready' });
    return panel;
  }

  function shown({ snapshot }: TestPanel): unknown {
    return snapshot().introduction;
  }

  it('is a page until the first message, then three hints, and is never shown again', async () => {
    const memory: PanelMemory = { currentChat: undefined };
    const first = await open(memory);
    assert.equal(shown(first), 'welcome');
    await (await first.shown.current()).conversation.send('Hello');
    assert.equal(shown(first), 'usage');
    for (const step of ['contextUsed', 'nextRequest'] as const) {
      await first.say({ type: 'goToHint', step });
      assert.equal(shown(first), step);
    }
    await first.say({ type: 'goToHint', step: 'over' });
    assert.equal(shown(first), null);
    const next = await open(memory);
    assert.equal(shown(next), null);
    await (await next.shown.current()).conversation.send('Hello again');
    assert.equal(shown(next), null);
  });

  it('goes on after a restart where it was', async () => {
    assert.equal(shown(await open({ currentChat: undefined, introduction: 'contextUsed' })), 'contextUsed');
  });
});
