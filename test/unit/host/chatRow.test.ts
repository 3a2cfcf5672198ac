import assert from 'node:assert/strict';
import { chatRow } from '../../../src/host/commands/chatRow.js';
import { LISTED_CHAT } from '../../support/listedChat.js';

const NOW = 10_000_000_000;

function row(title: string, preview: string): string[] {
  const { label, description, detail } = chatRow({ ...LISTED_CHAT, title, preview, messageCount: 2, updatedAt: NOW - 3 * 3_600_000 }, NOW);
  return [label, description, detail];
}

describe('A chat in the list of Open Chat', () => {
  it('has its age, and the beginning of its first message beside a name of its own', () => {
    assert.deepEqual(row('Tides', 'How is the tide predicted?'), ['Tides', '3 h', 'How is the tide predicted?']);
  });

  it('does not say its title twice', () => {
    assert.deepEqual(row('How is the tide?', 'How is the tide?'), ['How is the tide?', '3 h', '']);
    assert.deepEqual(row('How is the…', 'How is the tide predicted?'), ['How is the…', '3 h', '…tide predicted?']);
    assert.deepEqual(row('Look', 'Look: const tide = 1;'), ['Look', '3 h', '…const tide = 1;']);
  });

  it('has no age when it cannot be read', () => {
    const unreadable = { ...LISTED_CHAT, title: 'Unreadable chat', preview: 'Why.', firstRole: null };
    assert.equal(chatRow(unreadable, NOW).description, '');
  });
});
