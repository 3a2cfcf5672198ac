import assert from 'node:assert/strict';
import { replyParts, applyPiece, pieceOf, type GrowingReply } from '../../../src/engine/chat/message/reply.js';
import { chatMarkdown } from '../../../src/engine/chat/chatMarkdown.js';
import { messageText } from '../../../src/engine/chat/message/message.js';
import type { StreamPart } from '../../../src/engine/model/model.js';
import { AnthropicReplyReader } from '../../../src/providers/anthropic/stream.js';
import { messageParts } from '../../../src/host/panel/conversation/replyViews.js';
import { logged, runStarted, stateOf } from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';
import { MODEL } from './support.js';

type Block = readonly [type: string, more: object];

const text = (words: string): Block => ['text', { text: words }];

function read(blocks: readonly Block[], delta: object): StreamPart[] {
  const reader = new AnthropicReplyReader(MODEL);
  const events = blocks.flatMap(([type, more], index) => [
    { type: 'content_block_start', index, content_block: { type, ...more } },
    { type: 'content_block_stop', index },
  ]);
  return [...events, { type: 'message_delta', delta, usage: {} }, { type: 'message_stop' }].flatMap((event) => reader.read(event));
}

function textOf(...blocks: readonly Block[]): string {
  const reply: GrowingReply = [];
  for (const part of read(blocks, { stop_reason: 'end_turn' })) {
    if (part.type !== 'begin' && part.type !== 'usage' && part.type !== 'end' && part.type !== 'image') {
      applyPiece(reply, pieceOf(reply, part));
    }
  }
  const parts = replyParts(reply, { protocol: 'anthropic', model: 'm' }, 'complete');
  return messageText({ role: 'assistant', id: '1', parts, attemptId: 'a', cacheControlIndex: null, stopped: false });
}

describe('the text of a reply of the Messages API', () => {
  it('is one where citations divide it', () => {
    assert.equal(
      textOf(text('- High water is at '), text('7:41'), text(', says the table.\n- ')),
      '- High water is at 7:41, says the table.\n- ',
    );
  });

  it('has paragraphs where something else stands between', () => {
    const between: Block = ['server_tool_use', { id: 's', name: 'web_search', input: {} }];
    assert.equal(textOf(text('I look.'), between, text('Found.')), 'I look.\n\nFound.');
    assert.equal(textOf(text('I look.'), ['thinking', { thinking: 'Hm' }], text('Found.')), 'I look.\n\nFound.');
  });
});

describe('the text of a reply in an older log', () => {
  const textsOf = (...texts: string[]): readonly unknown[] => {
    const reply = assistant('a', ...texts);
    const markdown = chatMarkdown(stateOf(logged('r', user('u', 'When?')), runStarted('r', 'u'), logged('r', reply)), () => []);
    const shown = messageParts(reply.parts, null, () => assert.fail('It calls no tool.'));
    const [, exported] = markdown.split('## Assistant\n\n');
    return [messageText(reply), shown.map((part) => part.type === 'text' && part.text), exported];
  };

  it('is shown, copied and exported as one where citations divided it', () => {
    const texts = ['- High water is at ', '7:41', ', says the table.', '\n- ', 'Low water', ' is later.'];
    const whole = '- High water is at 7:41, says the table.\n- Low water is later.';
    assert.deepEqual(textsOf(...texts), [whole, [whole], `${whole}\n`]);
  });

  it('keeps its paragraphs', () => {
    assert.deepEqual(textsOf('I look.', 'Found.'), ['I look.\n\nFound.', ['I look.', 'Found.'], 'I look.\n\nFound.\n']);
    assert.deepEqual(textsOf('I look.', '![A map](map.png)')[0], 'I look.\n\n![A map](map.png)');
  });
});

describe('a refusal of the Messages API', () => {
  it('says why, in the words of the provider', () => {
    const wordOf = (stop_reason: string, stop_details: unknown): string | undefined => {
      const end = read([text('No')], { stop_reason, stop_details }).at(-1);
      return end?.type === 'end' ? end.finishReason : 'no end';
    };
    const explanation = 'The request asks for a harmful substance.';
    assert.equal(wordOf('refusal', { type: 'refusal', category: 'bio', explanation }), `${explanation} (bio)`);
    assert.equal(wordOf('refusal', { type: 'refusal', category: 'cyber', explanation: null }), 'cyber');
    assert.equal(wordOf('refusal', { type: 'refusal', category: null, explanation: null }), undefined);
    assert.equal(wordOf('refusal', null), undefined);
    assert.equal(wordOf('end_turn', { category: 'bio' }), undefined);
    assert.equal(wordOf('pause_turn', null), 'pause_turn');
  });
});
