import assert from 'node:assert/strict';
import { conversationText } from '../../../src/host/view/conversationText.js';
import { assistantEntry, text, userEntry } from '../../support/engine/panelStates.js';

describe('The copy of a conversation', () => {
  it('holds everything that was said, in order, also what was not answered or broke off', () => {
    const result = { callId: 'c', name: 'read', text: 'three lines', cut: null, isError: false, synthetic: false };
    const copy = conversationText(
      'Tides',
      [
        userEntry('1', 'When?'),
        {
          ...assistantEntry(
            '2',
            { type: 'reasoning', text: 'First\nsecond' },
            { type: 'toolCall', callId: 'c', name: 'read', args: '{"a":1}' },
          ),
          status: 'done',
        },
        { kind: 'toolResults', id: '3', results: [result, { ...result, text: 'begin', cut: { characters: 5, bytes: 50_000 } }] },
        { ...assistantEntry('4', text('At no')), status: 'interrupted' },
        { kind: 'user', id: '5', text: 'And now?', at: 1, unsent: true },
        { kind: 'accounting', id: '6', reason: 'edited', discardedMessages: 1, costSoFar: null, rewindId: 'r' },
      ],
      0,
    );
    assert.equal(
      copy,
      [
        '# Tides',
        '## You',
        'When?',
        '## Assistant',
        '> First\n> second',
        'Called read with {"a":1}',
        '## Result of read',
        'three lines',
        '## Result of read',
        'begin',
        '(The first 5 characters of 50,000 bytes.)',
        '## Assistant (interrupted)',
        'At no',
        '## You (not answered)',
        'And now?',
      ].join('\n\n') + '\n',
    );
  });

  it('says how much of the chat is not in it', () => {
    assert.equal(conversationText('Tides', [], 1), '# Tides\n\n(1 earlier message is not in this copy.)\n');
    assert.equal(conversationText('Tides', [], 7), '# Tides\n\n(7 earlier messages are not in this copy.)\n');
  });
});
