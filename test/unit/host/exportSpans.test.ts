import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { column } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { exported } from '../../support/host/exported.js';
import { until } from '../../support/host/clocks.js';
import { EchoTool, lastReply, partialText } from '../../support/host/reading.js';
import { spansIn, type ReadSpan } from '../../support/host/spans.js';
import { talk } from '../../support/host/summaryRig.js';
import { useWindows, type Window } from '../../support/host/window.js';

/** Attributes with texts of the conversation. */
const TEXTS = ['gen_ai.system_instructions', 'gen_ai.tool.definitions', 'gen_ai.input.messages', 'gen_ai.output.messages'];

describe('the spans of a chat', () => {
  const windows = useWindows();

  async function spans(session: ChatSession, window: Window, texts: boolean): Promise<readonly ReadSpan[]> {
    const { bytes, missing } = await exported(session, texts ? 'openTelemetryWithTexts' : 'openTelemetry', window, {});
    assert.deepEqual(missing, []);
    return spansIn(bytes);
  }

  it('are one for each attempt: repeated, failed, discarded, with tools, and for summaries', async () => {
    const { house, window, session } = await talk(windows, 4, {});
    house.replies.push([{ text: 'They read tide tables.' }]);
    await session.compactor.summarize(null);
    const found = await spans(session, window, false);
    assert.deepEqual(
      found.map(({ attributes }) => [attributes['loupe.attempt.id'], attributes['loupe.purpose']]),
      [...session.state.attempts.values()].map(({ id, purpose }) => [id, purpose]),
    );
    assert.ok(found.some(({ attributes }) => attributes['loupe.purpose'] === 'summary'));
    assert.equal(new Set(found.map(({ spanId }) => spanId)).size, found.length);
  });

  it('say what was asked, answered and billed in the words of the conventions', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, '/long 20');
    const [span] = await spans(session, window, false);
    const [attempt] = session.state.attempts.values();
    const { usage, cost, at, responseId } = attempt!.end!;
    assert.ok(span !== undefined && usage !== null && cost !== null);
    assert.deepEqual([span.name, span.kind, span.status], [`chat ${attempt!.model.model}`, 3, {}]);
    assert.deepEqual([span.start, span.end], [BigInt(attempt!.startedAt) * 1_000_000n, BigInt(at) * 1_000_000n]);
    const { attributes } = span;
    assert.deepEqual(attributes, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': session.id,
      'gen_ai.provider.name': 'practice',
      'gen_ai.request.model': attempt!.model.model,
      'gen_ai.request.max_tokens': attempt!.manifest.params.maxOutputTokens,
      'gen_ai.response.id': responseId,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': usage.promptTokens!.value + usage.cacheReadInputTokens!.value + usage.cacheCreationInputTokens!.value,
      'gen_ai.usage.cache_read.input_tokens': usage.cacheReadInputTokens!.value,
      'gen_ai.usage.cache_creation.input_tokens': usage.cacheCreationInputTokens!.value,
      'gen_ai.usage.output_tokens': usage.completionTokens!.value,
      'loupe.attempt.id': attempt!.id,
      'loupe.cost.is_at_least': false,
      'loupe.cost.usd': cost.usd,
      'loupe.outcome': 'complete',
      'loupe.protocol': attempt!.protocol,
      'loupe.purpose': 'reply',
      'loupe.run.id': attempt!.runId,
      'loupe.usage.input_source': 'reported',
      'loupe.usage.output_source': 'reported',
    });
  });

  it('share a trace where they answer the same message, and are errors where they failed', async () => {
    const { window, session } = await windows.openChat({ tools: new EchoTool() }, '/tool echo {"a": 1}', '/error 503 times 1');
    const found = await spans(session, window, false);
    assert.equal(found.length, 4);
    assert.deepEqual([found[0]?.traceId === found[1]?.traceId, found[2]?.traceId === found[3]?.traceId], [true, true]);
    assert.notEqual(found[0]?.traceId, found[2]?.traceId);
    assert.deepEqual(found[0]?.attributes['gen_ai.response.finish_reasons'], ['tool_call']);
    const failed = found[2]!;
    assert.equal(failed.status['code'], 2);
    assert.equal(failed.attributes['loupe.retry.number'], 1);
    assert.equal(failed.attributes['gen_ai.usage.input_tokens'], undefined, 'unknown is not 0');
    assert.ok(typeof failed.attributes['error.type'] === 'string');
    assert.equal(found[3]?.status['code'], undefined);
  });

  it('have no word of the chat unless they are asked for them', async () => {
    const { window, session } = await windows.openChat({ tools: new EchoTool(), config: { systemPrompt: 'Speak of lighthouses.' } });
    await session.conversation.send('/tool echo {"word": "barnacle"}');
    await session.titler.rename('Harbour');
    const { bytes } = await exported(session, 'openTelemetry', window, {});
    assert.doesNotMatch(bytes.toString('utf8'), /lighthouse|barnacle|Harbour|echo/i);
    assert.ok(spansIn(bytes).every(({ attributes }) => TEXTS.every((name) => attributes[name] === undefined)));
    const [asks, answers] = await spans(session, window, true);
    assert.match(
      JSON.stringify(asks?.attributes['gen_ai.system_instructions']),
      /\{"type":"text","content":"\\nSpeak of lighthouses\."\}\]$/,
    );
    assert.deepEqual(asks?.attributes['gen_ai.input.messages'], [
      { role: 'user', parts: [{ type: 'text', content: '/tool echo {"word": "barnacle"}' }] },
    ]);
    const call = { type: 'tool_call', id: lastCall(session), name: 'echo', arguments: { word: 'barnacle' } };
    const [output] = asks.attributes['gen_ai.output.messages'] as [{ parts: unknown[]; finish_reason: string }];
    assert.deepEqual([output.parts.at(-1), output.finish_reason], [call, 'tool_call']);
    const sent = answers?.attributes['gen_ai.input.messages'] as { role: string; parts: unknown[] }[];
    assert.deepEqual(column(sent, 'role'), ['user', 'assistant', 'tool']);
    assert.deepEqual(sent[1]?.parts.at(-1), call);
    assert.match(JSON.stringify(sent[2]?.parts), /"type":"tool_call_response".*barnacle/);
  });

  it('are those that the chat made itself, and the same ones when it is exported again', async () => {
    const { window, session } = await windows.openChat({}, '/long 2');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    await fork.conversation.send('/long 3');
    assert.equal((await spans(fork, window, false)).length, 1);
    assert.deepEqual(await spans(session, window, true), await spans(session, window, true));
  });

  it('leave out the reply that is being written, and say so', async () => {
    const { house, window, session } = await talk(windows, 1, {});
    house.replies.push([{ text: 'It begins' }, 'hang']);
    const sent = session.conversation.send('And now?');
    await until(() => partialText(session) === 'It begins', 'the reply begins');
    const { bytes, missing } = await exported(session, 'openTelemetry', window, {});
    assert.deepEqual([spansIn(bytes).length, missing], [1, ['The export does not contain the reply that the model is still writing.']]);
    await session.conversation.stop();
    await sent;
    const [, stopped] = await spans(session, window, false);
    assert.deepEqual([stopped?.attributes['loupe.outcome'], stopped?.status], ['stopped', {}]);
  });

  it('have the answer also where the request cannot be rebuilt, and say for how many', async () => {
    const { session } = await windows.openChat({ tools: new EchoTool() }, `/tool echo {"b": "${'much '.repeat(5_000)}"}`);
    await rm(join(windows.folder, 'chats', session.id, 'blobs'), { recursive: true });
    const other = windows.open({ writerId: 'other' });
    const { bytes, missing } = await exported(await other.chats.open(session.id), 'openTelemetryWithTexts', other, {});
    assert.deepEqual(missing, ['The text of 1 of 2 requests is missing, because Loupe could not rebuild it.']);
    const [, answer] = spansIn(bytes);
    assert.deepEqual(
      [answer?.attributes['gen_ai.input.messages'], Array.isArray(answer?.attributes['gen_ai.output.messages'])],
      [undefined, true],
    );
    assert.equal(other.errors.length, 1);
  });
});

function lastCall({ state }: ChatSession): string {
  const calls = [...state.timeline].flatMap((item) =>
    item.kind === 'message' && item.message.role === 'assistant'
      ? item.message.parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []))
      : [],
  );
  return calls.at(-1) ?? '';
}
