import assert from 'node:assert/strict';
import type { ProviderDiagnosis, StreamPart } from '../../../src/engine/model/model.js';
import { AnthropicReplyReader } from '../../../src/providers/anthropic/stream.js';
import { column } from '../../support/columns.js';
import { MODEL, recordedEvents, reported } from './support.js';

function read(events: readonly unknown[]): StreamPart[] {
  const reader = new AnthropicReplyReader(MODEL);
  return events.flatMap((event) => reader.read(event));
}

function content(events: readonly unknown[]): StreamPart[] {
  return read(events).filter(({ type }) => type !== 'usage');
}

function ofType<T extends StreamPart['type']>(parts: readonly StreamPart[], type: T): Extract<StreamPart, { type: T }>[] {
  return parts.filter((part): part is Extract<StreamPart, { type: T }> => part.type === type);
}

const start = (index: number, block: object): object => ({ type: 'content_block_start', index, content_block: block });
const delta = (index: number, piece: object): object => ({ type: 'content_block_delta', index, delta: piece });
const stop = (index: number): object => ({ type: 'content_block_stop', index });
const textDelta = (index: number, text: string): object => delta(index, { type: 'text_delta', text });
const toolUse = (id: unknown, input: unknown): object => ({ type: 'tool_use', id, name: 'read', input });
const finish = (reason: string | null): object[] => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

describe('reading a reply of the Messages API', () => {
  it('gives reasoning with its signature, then the text', () => {
    const parts = content(recordedEvents('thinking-and-text'));
    assert.deepEqual(parts.slice(0, -1), [
      { type: 'reasoning', index: 0, text: 'The user greets — ' },
      { type: 'reasoning', index: 0, text: 'I greet back.' },
      { type: 'reasoningSigned', index: 0, opaque: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
      { type: 'text', index: 1, text: 'Grüß ' },
      { type: 'text', index: 1, text: 'dich 👋🏽\n\n' },
      { type: 'text', index: 1, text: 'data: not an event' },
    ]);
  });

  const reason = (type: string, more: object): object => ({ cache_miss_reason: { type, ...more } });
  const diagnoses: readonly (readonly [unknown, ProviderDiagnosis | null])[] = [
    [null, { kind: 'same' }],
    [{ cache_miss_reason: null }, { kind: 'untold', why: 'pending' }],
    [reason('model_changed', { cache_missed_input_tokens: 9 }), { kind: 'differs', what: 'model', tokens: 9 }],
    [reason('tools_changed', { cache_missed_input_tokens: 0 }), { kind: 'differs', what: 'tools', tokens: 0 }],
    [reason('system_changed', { cache_missed_input_tokens: -1 }), { kind: 'differs', what: 'system', tokens: null }],
    [reason('messages_changed', {}), { kind: 'differs', what: 'messages', tokens: null }],
    [reason('previous_message_not_found', {}), { kind: 'untold', why: 'notFound' }],
    [reason('unavailable', {}), { kind: 'untold', why: 'unavailable' }],
    [reason('toString', {}), { kind: 'other', word: 'toString' }],
    [{ cache_miss_reason: 'unavailable' }, null],
    ['nothing', null],
  ];
  for (const [diagnostics, diagnosis] of diagnoses) {
    it(`begins with the id and the diagnosis ${JSON.stringify(diagnostics)}`, () => {
      const parts = read([{ type: 'message_start', message: { id: 'msg_1', diagnostics } }]);
      assert.deepEqual(parts, [{ type: 'begin', responseId: 'msg_1', diagnosis }]);
    });
  }

  it('ends with the reason, the usage of both reports in one, and the id', () => {
    const [end] = ofType(read(recordedEvents('thinking-and-text')), 'end');
    assert.equal(end?.stopReason, 'end');
    assert.equal(end.responseId, 'msg_01Thinking');
    assert.deepEqual(end.usage, {
      promptTokens: reported(12),
      cacheReadInputTokens: reported(2048),
      cacheCreationInputTokens: reported(300),
      cacheCreation: { fiveMinutes: 100, oneHour: 200 },
      completionTokens: reported(57),
    });
    assert.deepEqual(end.rawUsage, {
      input_tokens: 12,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 2048,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
      output_tokens: 57,
      service_tier: 'standard',
      output_tokens_details: { thinking_tokens: 31 },
    });
  });

  it('tells the input at once, the output not before it is counted', () => {
    const parts = read(recordedEvents('thinking-and-text'));
    assert.equal(parts[0]?.type, 'usage');
    const [first, last] = ofType(parts, 'usage');
    assert.deepEqual(first?.usage.cacheReadInputTokens, reported(2048));
    assert.equal(first.usage.completionTokens, null);
    assert.deepEqual(last?.usage.completionTokens, reported(57));
  });

  it('keeps the input of the first report when the last one tells only the output', () => {
    const [end] = ofType(read(recordedEvents('parallel-tools')), 'end');
    assert.deepEqual(end?.usage?.promptTokens, reported(472));
    assert.deepEqual(end.usage.completionTokens, reported(89));
  });

  it('gives parallel tool calls with their arguments; one without any has none, for it may have been cut off', () => {
    assert.deepEqual(content(recordedEvents('parallel-tools')).slice(0, -1), [
      { type: 'text', index: 0, text: 'I look at both.' },
      { type: 'toolCall', index: 1, id: 'toolu_01A', name: 'read_file' },
      { type: 'toolCallArgs', index: 1, text: '{"path": "src/' },
      { type: 'toolCallArgs', index: 1, text: 'ä.ts"}' },
      { type: 'toolCall', index: 2, id: 'toolu_01B', name: 'list_files' },
    ]);
  });

  it('keeps redacted reasoning, and reasoning that is only a signature', () => {
    assert.deepEqual(content(recordedEvents('redacted-thinking')).slice(0, 3), [
      { type: 'reasoningSigned', index: 0, opaque: 'redacted:EmwKAhgBEgy3va3pzix/LafPsn4a' },
      { type: 'reasoningSigned', index: 1, opaque: 'EuYBCkQYAiJAgCs1le6ofold' },
      { type: 'text', index: 2, text: 'Done.' },
    ]);
  });

  it('ignores what it has no place for, and numbers the rest without gaps', () => {
    assert.deepEqual(content(recordedEvents('server-tool-and-unknown')).slice(0, -1), [
      { type: 'text', index: 0, text: 'I search.' },
      { type: 'text', index: 1, text: 'It is sunny.' },
      { type: 'toolCall', index: 2, id: 'toolu_01Z', name: 'note' },
      { type: 'toolCallArgs', index: 2, text: '{"a":1}' },
    ]);
  });

  it('gives what came before a break, and no end', () => {
    const events = recordedEvents('error-event');
    assert.deepEqual(content(events), [{ type: 'text', index: 0, text: 'It begins' }]);
  });

  it('has no end as long as one is missing, wherever the reply breaks off', () => {
    const events = recordedEvents('parallel-tools');
    for (let length = 0; length < events.length; length += 1) {
      assert.deepEqual(ofType(read(events.slice(0, length)), 'end'), []);
    }
    assert.equal(ofType(read(events), 'end').length, 1);
  });

  it('takes a message that stops without a reason for incomplete', () => {
    assert.deepEqual(content(finish(null)), []);
  });

  const reasons: readonly (readonly [string, string])[] = [
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['tool_use', 'toolCalls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refused'],
    ['pause_turn', 'other'],
    ['a_reason_of_a_later_version', 'other'],
  ];
  for (const [reason, expected] of reasons) {
    it(`reads the stop reason ${reason} as ${expected}`, () => {
      assert.deepEqual(column(ofType(read(finish(reason)), 'end'), 'stopReason'), [expected]);
    });
  }

  it('takes content that comes with the beginning of a block', () => {
    const events = [
      start(0, { type: 'thinking', thinking: 'Hm', signature: 's1' }),
      start(1, { type: 'text', text: 'Hello' }),
      textDelta(1, ' you'),
    ];
    assert.deepEqual(content(events), [
      { type: 'reasoning', index: 0, text: 'Hm' },
      { type: 'reasoningSigned', index: 0, opaque: 's1' },
      { type: 'text', index: 1, text: 'Hello' },
      { type: 'text', index: 1, text: ' you' },
    ]);
  });

  it('takes arguments from the beginning of a call when no pieces of them come', () => {
    const events = [start(0, toolUse('a', { path: 'x' })), stop(0), start(1, toolUse('b', { old: 1 }))];
    const pieces = [delta(1, { type: 'input_json_delta', partial_json: '{"new":2}' }), stop(1)];
    assert.deepEqual(column(ofType(read([...events, ...pieces]), 'toolCallArgs'), 'text'), ['{"path":"x"}', '{"new":2}']);
  });

  it('takes the arguments that follow an empty object, which some gateways send first', () => {
    const argsOf = (input: object, ...pieces: readonly string[]): string => {
      const deltas = pieces.map((partial_json) => delta(0, { type: 'input_json_delta', partial_json }));
      const parts = content([start(0, toolUse('a', input)), ...deltas, stop(0), ...finish('tool_use')]);
      return ofType(parts, 'toolCallArgs')
        .map(({ text }) => text)
        .join('');
    };
    assert.equal(argsOf({}, '{}', '{"path":"src"}'), '{"path":"src"}');
    assert.equal(argsOf({}, '{', '}', '{"pa', 'th":"src"}'), '{"path":"src"}');
    assert.equal(argsOf({ path: 'src' }, '{}'), '{"path":"src"}', 'those of the first event');
    assert.equal(argsOf({}, '{', '}'), '{}');
    assert.equal(argsOf({}, '{"path"', '{"path":"src"}'), '{"path":"src"}', 'all of it so far');
  });

  it('takes no call from a block that says nothing', () => {
    const text = start(0, { type: 'text', text: 'Hello' });
    const empty = start(1, { type: 'tool_use', id: '', name: '', input: {} });
    const types = (...more: readonly object[]): string[] =>
      content([text, empty, ...more, stop(1), ...finish('tool_use')]).map(({ type }) => type);
    assert.deepEqual(types(), ['text', 'end']);
    assert.deepEqual(types(delta(1, { type: 'input_json_delta', partial_json: '{}' })), ['text', 'end']);
    const nameless = delta(1, { type: 'input_json_delta', partial_json: '{"a":1}' });
    assert.deepEqual(types(nameless), ['text', 'toolCall', 'toolCallArgs', 'end'], 'the model is told of it');
  });

  it('gives every call an id of its own, whatever the server sends', () => {
    const ids = ['same', 'same', '', undefined, 'call_2', 'same_1'];
    const events = ids.map((id, index) => start(index, toolUse(id, {})));
    const given = ofType(read(events), 'toolCall').map(({ id }) => id);
    assert.equal(new Set(given).size, ids.length);
    assert.equal(given[0], 'same');
    assert.ok(given.every((id) => id !== ''));
  });

  it('tells apart blocks that are open at the same time', () => {
    const events = [start(3, { type: 'text', text: '' }), start(7, { type: 'text', text: '' }), textDelta(7, 'b'), textDelta(3, 'a')];
    assert.deepEqual(content(events), [
      { type: 'text', index: 1, text: 'b' },
      { type: 'text', index: 0, text: 'a' },
    ]);
  });

  it('says unknown, not zero, when no usage came', () => {
    const [end] = ofType(read([{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }]), 'end');
    assert.equal(end?.usage, null);
    assert.equal(end.rawUsage, null);
  });

  it('says unknown for an output that only the first report tells', () => {
    const begin = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 9, output_tokens: 1 } } };
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: null } };
    const usages = ofType(read([begin, end]), 'usage').map(({ usage }) => usage.completionTokens);
    assert.deepEqual(usages, [null, null]);
  });

  const broken: readonly (readonly [string, readonly unknown[]])[] = [
    ['a delta of a content block that never started', [textDelta(0, 'x')]],
    ['a delta that does not fit', [start(0, toolUse('a', {})), textDelta(0, 'x')]],
    ['arguments for a text', [start(0, { type: 'text', text: '' }), delta(0, { type: 'input_json_delta', partial_json: '{' })]],
    ['a delta without its content', [start(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta' })]],
    ['a content block without its index', [{ type: 'content_block_start', content_block: { type: 'text', text: '' } }]],
    ['a tool call without a name', [start(0, { type: 'tool_use', id: 'a', input: {} })]],
    ['redacted reasoning without its data', [start(0, { type: 'redacted_thinking' })]],
  ];
  for (const [what, events] of broken) {
    it(`rejects ${what}`, () => {
      assert.throws(() => read(events), { name: 'LoupeError', kind: 'protocol' });
    });
  }

  it('survives events that are no events', () => {
    assert.deepEqual(read([null, 3, 'text', [], {}, { type: 7 }, { type: 'message_start' }, { type: 'message_delta' }]), []);
  });
});
