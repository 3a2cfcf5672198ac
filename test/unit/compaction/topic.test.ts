import assert from 'node:assert/strict';
import {
  formatHistory,
  MOST_TOPIC_CHARACTERS,
  TOPIC_INSTRUCTION,
  type FormattedHistory,
} from '../../../src/engine/compaction/policies/topic.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { column } from '../../support/columns.js';
import { assistant, call, image, reasoning, result, results, text, user } from '../../support/engine/messages.js';

function format(...messages: SentMessage[]): FormattedHistory {
  return formatHistory({ messages: messages.map((message) => ({ message, tokens: 1 })) }, MOST_TOPIC_CHARACTERS);
}

describe('the topic request', () => {
  it('numbers messages, and gives each its role', () => {
    const { text: formatted, messages } = format(
      user('u', 'Read a.ts'),
      assistant('a', reasoning('hm', null), 'I will.', call('c', { path: 'a.ts' })),
      results('r', result('c', text('const a = 1;'))),
    );
    assert.equal(
      formatted,
      '[0] USER: Read a.ts\n\n[1] ASSISTANT: I will.\n(calls read with {"path":"a.ts"})\n\n[2] TOOL: (read) const a = 1;',
    );
    assert.deepEqual(messages, [
      { id: 'u', isWhole: true },
      { id: 'a', isWhole: true },
      { id: 'r', isWhole: true },
    ]);
  });

  it('is empty without messages', () => {
    assert.deepEqual(format(), { text: '', messages: [] });
  });

  it('has the last 50 messages, counted from 0', () => {
    const { text: formatted, messages } = format(...Array.from({ length: 60 }, (_, n) => user(`u${n}`, `Q${n}`)));
    assert.equal(messages.length, 50);
    assert.equal(messages[0]?.id, 'u10');
    assert.ok(formatted.startsWith('[0] USER: Q10\n\n[1] USER: Q11'));
    assert.ok(formatted.endsWith('[49] USER: Q59'));
  });

  it('cuts a message of more than 1,000 characters at the end of a word, and says that it is not whole', () => {
    const words = 'word '.repeat(300);
    const { text: formatted, messages } = format(user('u', words), user('short', 'x'.repeat(1_000)));
    const [first = '', second = ''] = formatted.split('\n\n');
    assert.equal(first, `[0] USER: ${words.slice(0, 999)}…`);
    assert.equal(second.length, '[1] USER: '.length + 1_000);
    assert.deepEqual(column(messages, 'isWhole'), [false, true]);
  });

  it('cuts a text without words, but never a character in two', () => {
    const cut = (content: string): string => format(user('u', content)).text.slice('[0] USER: '.length);
    assert.equal(cut('.'.repeat(2_000)), `${'.'.repeat(1_000)}…`);
    assert.equal(cut(`.${'😀'.repeat(1_000)}`), `.${'😀'.repeat(499)}…`);
  });

  it('says of images and of texts stored apart that they are not whole', () => {
    const blob = { type: 'blob', blob: 'ab', bytes: 90_000, preview: 'begin' } as const;
    const { text: formatted, messages } = format(user('u', 'See', image('aa')), results('r', result('c', blob)));
    assert.equal(formatted, '[0] USER: See\n(image)\n\n[1] TOOL: (read) begin');
    assert.deepEqual(column(messages, 'isWhole'), [false, false]);
  });

  it('asks for the four kinds of boundaries, and for the members of the answer', () => {
    for (const words of ['switches to another task', 'another file or component', 'kind of work changes', 'context is reset']) {
      assert.ok(TOPIC_INSTRUCTION.includes(words), words);
    }
    for (const member of ['boundary_index', 'boundary_reason', 'confidence', 'summary']) {
      assert.ok(TOPIC_INSTRUCTION.includes(`"${member}"`), member);
    }
  });
});
