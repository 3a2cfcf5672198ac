import assert from 'node:assert/strict';
import type { Prices } from '../../src/engine/model/price.js';
import { figureValue, type Usage } from '../../src/engine/model/usage.js';
import type { AssistantPart } from '../../src/engine/model/part.js';
import type { AttemptState } from '../../src/engine/chat/slices/attempts.js';
import type { ChatState } from '../../src/engine/chat/state.js';
import type { Model } from '../../src/engine/model/model.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { EchoTool, sentTexts } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';
import { EVENTS, ScriptedServer, type Answer } from '../support/wire/compatibleServer.js';
import { dialects, dialectServers, type Dialect, type ExpectedReply } from '../support/wire/dialects.js';
import { houseAt } from '../support/wire/house.js';
import type { Loose } from '../support/wire/loose.js';
import { answererOf, deltas, MODEL } from '../unit/openaiCompatible/support.js';

const PRICES: Prices = { input: 2, output: 8, cacheRead: 0.5, cacheWrite5m: 2.5, cacheWrite1h: 4 };
const NO_CACHE_PRICES: Prices = { ...PRICES, cacheRead: 2, cacheWrite5m: 2, cacheWrite1h: 2 };

/** The servers of docs/servers.md, and formats of several gateways. */
const SERVERS = [
  ...['azure', 'deepseek', 'gateways', 'gemini', 'groq', 'kimi', 'litellm', 'llamacpp', 'lmstudio', 'minimax', 'mistral', 'ollama'],
  ...['openrouter', 'together', 'vllm', 'xai'],
];

function modelOf({ body, expected: { reasoningReplay, noCachePrices } }: Dialect): Model {
  const { capabilities } = MODEL;
  return {
    ...answererOf(body),
    maxInputTokens: 100_000,
    prices: noCachePrices === true ? NO_CACHE_PRICES : PRICES,
    capabilities: { ...capabilities, reasoningReplay: reasoningReplay ?? capabilities.reasoningReplay },
  };
}

/** Answers with the fixture first, then with a word. */
function answering({ body, contentType }: Dialect): Answer {
  let isFirst = true;
  return (response) => {
    const [type, bytes] = isFirst ? [contentType, body] : [EVENTS['content-type'], deltas('stop', { content: 'Done.' })];
    isFirst = false;
    response.writeHead(200, { 'content-type': type }).end(bytes);
  };
}

function firstAttempt({ attempts }: ChatState): AttemptState {
  const [first] = attempts.values();
  assert.ok(first);
  return first;
}

/** The parts of a reply in words. A call's signature is reasoning without text. */
function inWords(part: AssistantPart): string {
  switch (part.type) {
    case 'toolCall':
      return `${part.id} ${part.name}(${part.rawArgs})`;
    case 'text':
      return `text: ${part.text}`;
    case 'image':
      return `image: ${part.mimeType}, ${String(part.bytes)} bytes`;
    case 'reasoning':
      return part.opaque?.startsWith('call:') === true ? 'signature' : `reasoning: ${part.text}`;
  }
}

function figures({ promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens }: Usage): (number | null)[] {
  return [promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens].map(figureValue);
}

function firstReply({ timeline }: ChatState): string[] {
  const replies = timeline.flatMap((item) => (item.kind === 'message' && item.message.role === 'assistant' ? [item.message] : []));
  assert.ok(replies[0]);
  return replies[0].parts.map(inWords);
}

function assertBill(end: AttemptState['end'], { usage: expected, usd, byHand, isMoreBilled, isCharged }: ExpectedReply): void {
  assert.ok(end?.usage);
  const { usage, cost } = end;
  if (expected === 'estimated') {
    assert.deepEqual([usage.promptTokens?.source, usage.completionTokens?.source], ['estimated', 'estimated']);
  } else {
    assert.deepEqual(figures(usage), expected);
  }
  assert.equal(usage.isMoreBilled, isMoreBilled);
  assert.equal(usage.charged !== undefined, isCharged === true);
  const isAtLeast = isMoreBilled === true && isCharged !== true;
  assert.deepEqual([cost?.usd.toFixed(9), cost?.atLeast], [usd?.toFixed(9), usd === null ? undefined : isAtLeast], byHand);
}

function assertExtras(end: AttemptState['end'], { sources }: ExpectedReply): void {
  const extras = end?.extras ?? [];
  const found = extras.flatMap((extra) => (extra.type === 'source' ? [extra.url === '' ? extra.title : extra.url] : []));
  assert.deepEqual(found, sources ?? []);
}

describe('a reply in the dialect of a server', () => {
  const windows = useWindows();
  const server = new ScriptedServer();

  before(() => server.start());
  after(() => server.stop());
  beforeEach(() => {
    server.seen.length = 0;
  });

  async function chatWith(dialect: Dialect): Promise<ChatSession> {
    server.answer = answering(dialect);
    const model = modelOf(dialect);
    const window = windows.open({ tools: new EchoTool(), sources: [houseAt(server.origin, model)], config: { model: model.ref } });
    const session = await window.chats.create();
    await session.conversation.send('When?');
    if (server.seen.length === 1) {
      await session.conversation.send('And then?');
    }
    assert.deepEqual(window.errors, []);
    return session;
  }

  function returned(): Loose {
    const { messages } = JSON.parse(server.seen[1]?.body.toString('utf8') ?? '{}') as { messages: Loose[] };
    const reply = messages.find(({ role }) => role === 'assistant');
    assert.ok(reply);
    return reply;
  }

  for (const dialect of dialects()) {
    const { name, expected } = dialect;

    it(`is read, billed, sent back and read from the log again: ${name}`, async () => {
      const session = await chatWith(dialect);
      const { end } = firstAttempt(session.state);
      assert.deepEqual(firstReply(session.state), expected.reply);
      assert.deepEqual([end?.outcome, end?.stopReason, end?.finishReason], ['complete', expected.stop, expected.finishReason]);
      assertBill(end, expected);
      assertExtras(end, expected);
      assert.deepEqual(returned(), expected.returns);

      const again = await windows.open({ writerId: 'other' }).chats.open(session.id);
      assert.deepEqual([firstAttempt(again.state).end, firstReply(again.state)], [end, expected.reply]);
      assert.deepEqual(sentTexts(again.state), sentTexts(session.state));
    });
  }

  it('is the same without [DONE]', async () => {
    for (const dialect of dialects().filter(({ contentType }) => contentType.includes('event-stream'))) {
      server.seen.length = 0;
      await chatWith({ ...dialect, body: Buffer.from(dialect.body.toString('utf8').replace('data: [DONE]\n\n', '')) });
      assert.deepEqual(returned(), dialect.expected.returns, dialect.name);
    }
  });

  it('is there for each server, with its source or what is made up', () => {
    assert.deepEqual(dialectServers().toSorted(), SERVERS);
    for (const { name, expected } of dialects()) {
      assert.ok(expected.source.length > 0 || expected.madeUp !== undefined, name);
    }
  });
});
