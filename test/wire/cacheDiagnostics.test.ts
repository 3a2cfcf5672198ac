import assert from 'node:assert/strict';
import type { AttemptState } from '../../src/engine/chat/slices/attempts.js';
import { apiDiagnosis } from '../../src/host/api/apiRequests.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { fixedSource, type ProviderSource } from '../../src/host/models/registry.js';
import { diagnosisPorts } from '../../src/host/request/verdict/attemptDiagnosis.js';
import type { ApiDiagnosis } from '../../src/protocol/api/apiDiagnosis.js';
import { markedCache } from '../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../support/host/cachingHouse.js';
import { RunningClock } from '../support/host/clocks.js';
import { lastAttempt } from '../support/host/reading.js';
import { useWindows, type Window } from '../support/host/window.js';

const MINUTE = 60_000;

function comparing(source: ProviderSource, cacheDiagnostics: boolean): ProviderSource {
  return fixedSource(
    source.providers().map((provider) => ({
      ...provider,
      models: provider.models.map((model) => ({ ...model, capabilities: { ...model.capabilities, cacheDiagnostics } })),
    })),
  );
}

describe('the diagnosis of a provider', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;
  let window: Window;
  let session: ChatSession;

  const open = async (cacheDiagnostics: boolean): Promise<void> => {
    clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    window = windows.open({
      ...{ clock, sources: [comparing(house.source, cacheDiagnostics)] },
      config: { model: house.practice, systemPrompt: words(400, 3), layout: 'plain' },
    });
    session = await window.chats.create();
  };

  afterEach(() => house.server.stop());

  const say = async (text: string): Promise<ApiDiagnosis> => {
    clock.time += 40_000;
    await session.conversation.send(text);
    const ports = diagnosisPorts(window.models, { logError: (error) => window.errors.push(error) });
    return apiDiagnosis(session, lastAttempt(session.state).id, ports);
  };

  const asked = (): unknown[] => house.server.requests.map(({ json }) => (json as { diagnostics?: unknown }).diagnostics);
  const naming = (id: string | null): object => ({ previous_message_id: id });
  const attempts = (): AttemptState[] => [...session.state.attempts.values()];

  it('is asked for with the request before, and stands beside that of Loupe where the cache lost something', async () => {
    await open(true);
    await say(words(900, 1));
    const held = await say(words(600, 2));
    assert.deepEqual([held.cause, held.providerDiagnosis, held.verdict.providerSays], ['held', { kind: 'same' }, null]);
    await session.changeConfig({ systemPrompt: words(300, 5) });
    const told = await say('And now?');
    assert.deepEqual(asked(), [naming(null), naming('msg_1'), naming('msg_2')]);
    assert.match(told.verdict.reason, /because the system prompt changed\.$/);
    assert.match(
      told.verdict.providerSays ?? '',
      /^The provider says that the system prompt differs from the previous request\. Tokens after the difference: about [\d,]+\.$/,
    );
    assert.ok(told.providerDiagnosis?.kind === 'differs' && (told.providerDiagnosis.tokens ?? 0) > 1_000);
    assert.equal(attempts()[0]?.end?.providerDiagnosis, undefined, 'the first request was compared with nothing');
    for (const { end, id } of attempts()) {
      const { body, note } = (await session.records.request(id)).rebuilt;
      assert.equal(note, null);
      const wasSent = house.server.requests.some((request) => request.body === body);
      assert.ok(wasSent, `${end?.responseId ?? ''} as it was sent`);
    }
  });

  it('is that nothing differs where the cache had expired', async () => {
    await open(true);
    await say(words(900, 1));
    clock.time += 10 * MINUTE;
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.providerDiagnosis], ['expired', { kind: 'same' }]);
    assert.equal(
      told.verdict.providerSays,
      'The provider says that nothing differs from the previous request, but its cache no longer had the content.',
    );
  });

  it('tells of the other model, by the id that the same provider gave', async () => {
    await open(true);
    await say(words(900, 1));
    await session.changeConfig({ model: house.other });
    const told = await say('And now?');
    assert.deepEqual(asked()[1], naming('msg_1'));
    assert.equal(told.cause, 'modelChanged');
    assert.match(
      told.verdict.providerSays ?? '',
      /^The provider says that the model or its speed differs from the previous request\. Tokens after the difference: about [\d,]+\.$/,
    );
  });

  it('is kept of a reply that broke off, with the id that the next request names', async () => {
    await open(true);
    await say(words(900, 1));
    house.replies.push({ parts: [{ type: 'text', text: words(100, 6) }], halfWay: () => Promise.resolve('break') });
    await say('And now?');
    await say('Once more?');
    const [, broken] = attempts();
    assert.ok(broken !== undefined);
    assert.deepEqual([broken.end?.outcome, broken.end?.responseId], ['failed', 'msg_2']);
    assert.deepEqual(broken.end?.providerDiagnosis, { kind: 'same' });
    assert.deepEqual(asked(), [naming(null), naming('msg_1'), naming('msg_2')]);
    const reopened = await windows.open({ writerId: 'other', models: [] }).chats.open(session.id);
    assert.deepEqual(reopened.state.attempts.get(broken.id)?.end, broken.end);
  });

  it('is not asked for where the capability is missing', async () => {
    await open(false);
    await say(words(900, 1));
    await session.changeConfig({ systemPrompt: words(300, 5) });
    const told = await say('And now?');
    assert.deepEqual(asked(), [undefined, undefined]);
    assert.deepEqual([told.cause, told.providerDiagnosis, told.verdict.providerSays], ['systemPrompt', null, null]);
  });
});
