import assert from 'node:assert/strict';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { LoupeError } from '../../../src/engine/errors.js';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import { differenceTo } from '../../../src/engine/record/difference.js';
import {
  BLOCK_COMPARISON,
  FULL_MANIFEST_EVERY,
  INLINE_SNAPSHOT_BYTES,
  type ContextRecord,
  type Manifest,
} from '../../../src/engine/record/manifest.js';
import { manifestBlocksOf, manifestChain, requestContextOf } from '../../../src/engine/request/rebuild.js';
import { assistant, call, image, reasoning, result, results, text, user } from '../../support/engine/messages.js';
import { OPEN_MODEL, STRICT_MODEL, withCapabilities } from '../../support/engine/models.js';
import { sha256 } from '../../support/engine/ports.js';
import { RecordedChat, wireOf, type Content, type Sent, withFiles } from '../../support/engine/requests.js';

const first: Content = { model: OPEN_MODEL, systemPrompt: 'Be brief.', messages: [user('u1', 'Hello')] };

const everything: Content = {
  model: OPEN_MODEL,
  systemPrompt: '',
  ...withFiles({ 'src/a.ts': 'const a = 1;\n' }),
  messages: [
    user('u1', 'Read', image('f00d')),
    assistant('a1', reasoning('Hm', 'sig'), 'I read.', call('c1', { path: 'x' }), call('c2', {})),
    results('r1', result('c1', text('content'), image('cc'))),
    user('u2', 'Go on', ''),
  ],
};

function keysPut({ blocks }: Manifest): string[] {
  return blocks.flatMap((piece) => (typeof piece === 'object' && 'put' in piece ? piece.put.map(({ key }) => key) : []));
}

async function assertExact(chat: RecordedChat, { attempt, prompt }: Sent): Promise<void> {
  const rebuilt = await chat.rebuild(attempt);
  assert.deepEqual(rebuilt, prompt);
  assert.equal(sha256(wireOf(rebuilt).body), attempt.manifest.bodyHash);
}

async function refusal(chat: RecordedChat, attempt: AttemptState): Promise<string> {
  try {
    await chat.rebuild(attempt);
  } catch (thrown) {
    assert.ok(thrown instanceof LoupeError, String(thrown));
    assert.equal(thrown.kind, 'storage');
    return thrown.message;
  }
  return assert.fail('It was rebuilt.');
}

describe('the record of a request', () => {
  it('rebuilds the prompt that was sent, of every kind of part', async () => {
    for (const model of [OPEN_MODEL, STRICT_MODEL]) {
      const chat = new RecordedChat();
      await assertExact(chat, chat.send({ ...everything, model }));
    }
  });

  it('takes no longer for each block of a long chat than for each of a short one', () => {
    const chat = new RecordedChat();
    const [block] = manifestBlocksOf(chat.send(first).attempt, chat.attempts) ?? [];
    assert.ok(block);
    const blocks = Array.from({ length: 100_000 }, (_, index) => ({ ...block, key: `message:${String(index)}/0` }));
    // Copying the piece for each block would take a minute, longer than the limit of this test.
    const pieces = differenceTo([], blocks, BLOCK_COMPARISON);
    assert.deepEqual(pieces, [{ put: blocks }]);
    assert.deepEqual(differenceTo(blocks, blocks, BLOCK_COMPARISON), [[0, blocks.length]]);
  });

  it('holds the first request whole, and of the next only what is new', () => {
    const chat = new RecordedChat();
    const { recorded: whole } = chat.send(first);
    assert.equal(whole.manifest.base, null);
    const messages = [...first.messages, assistant('a1', 'Hi'), user('u2', 'More')];
    const { manifest } = chat.send({ ...first, messages }).recorded;
    assert.equal(manifest.base, 'attempt-0');
    assert.deepEqual(keysPut(manifest), ['message:a1/0', 'message:u2/0']);
    // The breakpoint has moved off the first message.
    assert.deepEqual(
      [whole.manifest.marks, manifest.marks].map((marks) => marks.map(({ at }) => at)),
      [
        [1, 2],
        [1, 4],
      ],
    );
  });

  it('tells what each request held of the context, and what not with the reason', () => {
    const chat = new RecordedChat();
    const item = (name: string) => ({ type: 'file', name, includeMode: 'manual' }) as const;
    const held: ContextRecord = { item: item('a.ts'), leftOut: null };
    const large: ContextRecord = { item: item('b.ts'), leftOut: { code: 'tooLarge', bytes: 2_000_000 } };
    const requests = [[held], [held, large], [held, large], [large, { item: item('a.ts'), leftOut: { code: 'missing' } }], []] as const;
    const sent = requests.map((context) => chat.send({ ...first, context: [...context] }));
    assert.deepEqual(
      sent.map(({ attempt }) => requestContextOf({ ...attempt, startedAt: 7 }, chat.attempts)),
      requests.map((records) => ({
        items: records.filter(({ leftOut }) => leftOut === null).map((record) => record.item),
        notSelected: records.flatMap(({ item: of, leftOut: reason }) => (reason === null ? [] : [{ item: of, reason }])),
        timestamp: 7,
      })),
    );
    assert.deepEqual(sent[2]?.attempt.manifest.context, [[0, 2]]);
  });

  it('does not repeat what the log holds already', () => {
    const { manifest } = new RecordedChat().send(everything).recorded;
    assert.ok(!JSON.stringify(manifest).includes('I read.'));
  });

  it('tells the total, the counter and the hash of the body', () => {
    const { prompt, recorded } = new RecordedChat().send(first);
    const { size, counter, adaptations, bodyHash, converterVersion, params } = recorded.manifest;
    assert.deepEqual(
      { counter, adaptations, converterVersion, params },
      { counter: 'characters', adaptations: NO_ADAPTATIONS, converterVersion: 'test/1', params: { maxOutputTokens: 4_000, extraBody: {} } },
    );
    assert.equal(bodyHash, sha256(wireOf(prompt).body));
    assert.equal(size.tokens, prompt.system.reduce((sum, { tokens }) => sum + tokens, 0) + 'Hello'.length + 3 + 2 * 4);
  });

  it('has a hash of what the prompt says, wherever the marks of the cache stand', () => {
    const hashOf = (content: Content): string => new RecordedChat().send(content).recorded.manifest.promptHash;
    const { prompt, recorded } = new RecordedChat().send(first);
    assert.ok(prompt.messages.some(({ blocks }) => blocks.some(({ breakpoint }) => breakpoint !== null)));
    const unmarked = withCapabilities(OPEN_MODEL, { cache: { kind: 'none' } });
    assert.equal(hashOf({ ...first, model: unmarked }), recorded.manifest.promptHash);
    assert.notEqual(hashOf({ ...first, model: unmarked, systemPrompt: 'Be polite.' }), recorded.manifest.promptHash);
    assert.notEqual(
      hashOf({ ...first, messages: [user('u1', 'Hello', 'you')] }),
      hashOf({ ...first, messages: [user('u1', 'you', 'Hello')] }),
    );
  });

  it('is a full one every 50 requests, and rebuilds all of them', async () => {
    const chat = new RecordedChat();
    const sent: Sent[] = [];
    for (let round = 0; round < 2 * FULL_MANIFEST_EVERY + 7; round += 1) {
      const messages = Array.from({ length: round + 1 }, (_, index) => [
        user(`u${index}`, `Question ${index}`),
        assistant(`a${index}`, 'Yes'),
      ]);
      const files = withFiles({ 'a.ts': `edited ${Math.floor(round / 3)}\n` });
      sent.push(chat.send({ ...first, ...files, messages: [...messages.flat(), user(`v${round}`, 'Now')] }));
    }
    const full = sent.flatMap(({ recorded }, index) => (recorded.manifest.base === null ? [index] : []));
    assert.deepEqual(full, [0, FULL_MANIFEST_EVERY, 2 * FULL_MANIFEST_EVERY]);
    for (const [index, one] of sent.entries()) {
      assert.equal(manifestChain(one.attempt, chat.attempts)?.length, (index % FULL_MANIFEST_EVERY) + 1);
      await assertExact(chat, one);
    }
  });

  it('rebuilds requests on both sides of a change of everything', async () => {
    const chat = new RecordedChat();
    const other = { ...first, messages: [user('other', 'Hello')] };
    const sent = [chat.send(everything), chat.send(other), chat.send(everything)];
    for (const one of sent) {
      await assertExact(chat, one);
    }
  });
});

describe('snapshots of a request', () => {
  const withFile = (content: string): Content => ({ ...first, ...withFiles({ 'a.txt': content }) });
  /** The content's length for the largest inline snapshot. */
  const most = INLINE_SNAPSHOT_BYTES - JSON.stringify({ type: 'text', text: 'a.txt\n```txt\n\n```' }).length;

  it('are in the record while they are small', () => {
    assert.equal(new RecordedChat().send(withFile(`${'a'.repeat(most)}\n`)).recorded.blobs.size, 0);
  });

  it('go to blobs over 16 KB', async () => {
    const chat = new RecordedChat();
    const sent = chat.send(withFile(`${'a'.repeat(most + 1)}\n`));
    assert.equal(sent.recorded.blobs.size, 1);
    assert.ok(!JSON.stringify(sent.attempt.manifest).includes('aaaaaaaaaa'));
    await assertExact(chat, sent);
  });

  it('are measured in bytes, not in characters', () => {
    const chat = new RecordedChat();
    assert.equal(chat.send(withFile(`${'漢'.repeat(most / 2)}\n`)).recorded.blobs.size, 1);
  });

  it('are stored under the SHA-256 of their text', () => {
    const { blobs } = new RecordedChat().send(withFile('a'.repeat(20_000))).recorded;
    for (const [name, json] of blobs) {
      assert.equal(name, sha256(json));
    }
  });
});

describe('a request that cannot be rebuilt', () => {
  const bigFile: Content = { ...first, ...withFiles({ 'a.txt': 'a'.repeat(20_000) }) };

  it('names a message that is missing', async () => {
    const chat = new RecordedChat();
    const { attempt } = chat.send(first);
    chat.messages.delete('u1');
    assert.match(await refusal(chat, attempt), /message:u1\/0 is missing or has changed/);
  });

  it('names a message that has changed', async () => {
    const chat = new RecordedChat();
    const { attempt } = chat.send(first);
    chat.messages.set('u1', user('u1', 'Hallo'));
    assert.match(await refusal(chat, attempt), /message:u1\/0 is missing or has changed/);
  });

  it('says so when a request that it builds on is missing', async () => {
    const chat = new RecordedChat();
    chat.send(first);
    const { attempt } = chat.send(first);
    chat.attempts.delete('attempt-0');
    assert.match(await refusal(chat, attempt), /record of an earlier request is missing/);
    assert.equal(manifestBlocksOf(attempt, chat.attempts), null);
    assert.equal(requestContextOf(attempt, chat.attempts), null);
  });

  it('names what a damaged blob held', async () => {
    const chat = new RecordedChat();
    const { attempt, recorded } = chat.send(bigFile);
    const [name] = [...recorded.blobs.keys()];
    for (const damaged of ['{"type":"text","text":"b"}', '{"type":"te', 'null']) {
      chat.blobs.set(name!, damaged);
      assert.match(await refusal(chat, attempt), /file:a\.txt is missing or has changed/);
    }
  });

  it('passes on why a blob cannot be read', async () => {
    const chat = new RecordedChat();
    const { attempt } = chat.send(bigFile);
    chat.blobs.clear();
    await assert.rejects(chat.rebuild(attempt), /There is no blob/);
  });

  it('names content that the record should hold and does not', async () => {
    const chat = new RecordedChat();
    const { attempt } = chat.send(first);
    const blocks = (manifestBlocksOf(attempt, chat.attempts) ?? []).map((block) => ({ ...block, content: null }));
    assert.match(
      await refusal(chat, { ...attempt, manifest: { ...attempt.manifest, blocks: [{ put: blocks }] } }),
      /system:global is missing/,
    );
  });
});
