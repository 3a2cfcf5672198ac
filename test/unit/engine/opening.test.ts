import assert from 'node:assert/strict';
import { chatOpening, chatTitle } from '../../../src/engine/chat/message/opening.js';
import { logged, stateOf } from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';

function beginning(text: string): readonly (string | undefined)[] {
  const state = { ...stateOf(logged(null, user('u', text))), title: null };
  const { line, preview } = chatOpening(state) ?? {};
  assert.equal(chatTitle(state), line === '' ? 'New chat' : line);
  return [line, preview];
}

describe('The beginning of a chat', () => {
  it('is a title without its full stop, and the message in one line', () => {
    assert.deepEqual(beginning('Explain README.md.\n\nAll of it.'), ['Explain README.md', 'Explain README.md. All of it.']);
    assert.deepEqual(beginning('Why?'), ['Why?', 'Why?']);
    assert.deepEqual(beginning('And then...'), ['And then...', 'And then...']);
  });

  it('is what was said first, and tells who said it; notes about the chat are nothing that was said', () => {
    const title = logged(null, { role: 'title', id: 't', text: 'Tides' });
    assert.equal(chatOpening(stateOf(title)), null);
    assert.deepEqual(chatOpening(stateOf(title, logged(null, assistant('a', 'So it is.')), logged(null, user('u', 'Why?')))), {
      line: 'So it is',
      preview: 'So it is.',
      role: 'assistant',
    });
    assert.equal(chatOpening(stateOf(logged(null, user('u', 'Why?')), logged(null, assistant('a', 'So.'))))?.role, 'user');
  });

  it('is cut to 60 characters as a title and to 100 in the preview', () => {
    assert.deepEqual(beginning('x'.repeat(300)), [`${'x'.repeat(59)}…`, `${'x'.repeat(99)}…`]);
  });

  it('has no fences of code, neither as title nor in the preview', () => {
    assert.deepEqual(beginning('Look:\n```ts\nconst tide = 1;\n```\n'), ['Look', 'Look: const tide = 1;']);
    assert.deepEqual(beginning('~~~\nx\n~~~'), ['x', 'x']);
    assert.deepEqual(beginning('```\n```'), ['', '']);
  });
});
