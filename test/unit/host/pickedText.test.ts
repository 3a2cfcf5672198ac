import assert from 'node:assert/strict';
import { pickedText } from '../../../src/host/documents/pickedText.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { useWindows } from '../../support/host/window.js';

describe('what was picked in a chat', () => {
  const windows = useWindows();

  it('is told by item and by reply, with scores and near misses, and nothing in it becomes Markdown', async () => {
    const { session } = await chatAmongFiles(
      windows,
      {
        'AGENTS.md': 'Be brief.',
        '.loupe/rules/tides.md': '---\nname: Tides | *tables*\ninclude: agent\n---\nTimes are UTC.',
        '.loupe/references/harbour.md': '---\nname: Harbour\ninclude: agent\n---\nDepths.',
      },
      {},
    );
    await session.conversation.send('Which tides?');
    await session.conversation.send('Paint the # lighthouse');
    const text = pickedText(await session.whole());
    assert.match(text, /^# Picked in Which tides\?\n\n2 replies with a record\./);
    assert.match(text, /\| rule \| AGENTS\.md \| 2 \| 0 \| 0 \| {2}\|/);
    assert.match(text, /\| rule \| Tides \\\| \\\*tables\\\* \| 1 \| 1 \| 0 \| 0\.\d\d \|/);
    assert.match(text, /## Which tides\?\n\n- Tides \\\| \\\*tables\\\*: 0\.\d\d, picked/);
    assert.match(text, /## Paint the \\# lighthouse\n\nNothing was picked\./);
  });
});
