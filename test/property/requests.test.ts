import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT_SETTINGS } from '../../src/engine/chat/settings/config.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import type { RequestInput } from '../../src/engine/request/request.js';
import { depth } from '../support/depth.mjs';
import { anyRecord, situationAfter } from '../support/engine/anySituation.js';
import { FILES_LAST } from '../support/engine/layouts.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { RESULT_TEXTS, resultTextsWithout } from '../support/engine/largeResults.js';
import { OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { PLAIN, requestOf, RecordedChat, throughLog, wireOf } from '../support/engine/requests.js';
import { anyFiles, anyTranscript } from '../support/engine/randomTranscript.js';
import { blocksOf, wireFaults } from '../support/engine/wireRules.js';
import { forAll, inRuns, forAllAsync } from '../support/forAll.js';
import { differenceTo, withDifference, type Difference } from '../../src/engine/record/difference.js';
import { BLOCK_COMPARISON, type ManifestBlock } from '../../src/engine/record/manifest.js';
import { manifestContentOf } from '../../src/engine/request/rebuild.js';

const anyInput = fc.record({
  model: fc.constantFrom(OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL),
  layout: fc.constantFrom(LAYOUTS.plain, LAYOUTS.tiered, FILES_LAST),
  cacheMode: fc.constantFrom(...CHAT_SETTINGS.cacheMode.options).map(({ value }) => value),
  systemPrompt: fc.constantFrom('', 'You are a pilot.'),
  fragments: fc.constantFrom([], [{ key: 'fragment:a', text: 'Note.' }]),
  standing: fc.constantFrom([], [{ key: 'rule:AGENTS.md', category: 'rules' as const, text: 'Never.' }]),
  picked: fc.constantFrom([], [{ key: 'rule:Tides', category: 'rules' as const, text: 'In metres.' }]),
  files: anyFiles,
  messages: anyTranscript,
  missingImages: fc.subarray(['aa', 'bb', 'cc']).map((names) => new Set(names)),
  missingResults: fc.subarray([...RESULT_TEXTS.keys()]),
  memory: anyMemory,
  attempts: fc.constant(new Map()),
  before: anyRecord,
});

type Drawn = typeof anyInput extends fc.Arbitrary<infer T> ? T : never;

function inputOf({ missingResults, before, memory, ...drawn }: Drawn): RequestInput {
  const input = { ...PLAIN, ...drawn, ...memoryOf(memory, drawn.messages), resultTexts: resultTextsWithout(missingResults) };
  return { ...input, situation: situationAfter(requestOf(input, new BlockFactory(characters, sha256)).prompt, before) };
}

describe('any request', () => {
  it('keeps the rules of the wire, whatever happened to the chat', () => {
    inRuns(depth({ short: 150, deep: 5_000 })).forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const request = requestOf(input, new BlockFactory(characters, sha256));
      assert.deepEqual(wireFaults(request, input.messages, input), []);
    });
  });

  it('is the same whether or not its parts were measured before', () => {
    const factory = new BlockFactory(characters, sha256);
    forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const fresh = requestOf(input, new BlockFactory(characters, sha256));
      requestOf({ ...input, model: STRICT_MODEL }, factory);
      requestOf({ ...input, model: OPEN_MODEL }, factory);
      assert.deepEqual(requestOf(input, factory), fresh);
    });
  });

  it('carries no more breakpoints than the model takes, none that is off, and none below the minimum', () => {
    forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const blocks = blocksOf(requestOf(input, new BlockFactory(characters, sha256)).prompt);
      const limits = input.model.capabilities.cache;
      let prefix = 0;
      let marks = 0;
      for (const { tokens, breakpoint } of blocks) {
        prefix += tokens;
        if (breakpoint !== null) {
          marks += 1;
          assert.ok(limits.kind === 'marks' && prefix >= limits.minimumTokens);
        }
      }
      // The order of `plain` has one more before picked items.
      const inPlain = input.picked.length > 0 ? 3 : 2;
      assert.ok(marks <= { 'all-off': 0, system: 1, cached: input.layout === LAYOUTS.tiered ? 4 : inPlain }[input.cacheMode]);
    });
  });
});

/** Few possible keys and contents, so that lists have much in common. */
const block: fc.Arbitrary<ManifestBlock> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    content: fc.constantFrom('x', 'y'),
    opens: fc.boolean(),
    since: fc.constantFrom(1, 1, 2),
    form: fc.constantFrom('full' as const, 'superseded' as const),
    tokens: fc.constantFrom(1, 2),
    tier: fc.constantFrom('L0' as const, 'active' as const),
  })
  .map(({ name, content, ...rest }) => ({
    ...rest,
    key: `file:${name}`,
    hash: sha256(content),
    role: 'user',
    category: 'files',
    item: `file:${name}`,
    source: { from: 'snapshot' },
    content: { inline: { type: 'text', text: content } },
  }));

const list = fc.uniqueArray(block, { selector: ({ key }) => key, maxLength: 8 });

/** Two lists that can share their start, end, or middle. */
const pair = fc.tuple(list, list, fc.nat(8), fc.nat(8)).map(([a, b, from, to]): [ManifestBlock[], ManifestBlock[]] => {
  const kept = a.slice(from, to);
  const keys = new Set(kept.map(({ key }) => key));
  const rest = b.filter(({ key }) => !keys.has(key));
  return [a, [...rest.slice(0, from), ...kept, ...rest.slice(from)]];
});

function difference(base: readonly ManifestBlock[], next: readonly ManifestBlock[]): Difference<ManifestBlock> {
  return differenceTo(base, next, BLOCK_COMPARISON);
}

function putOf(pieces: Difference<ManifestBlock>): ManifestBlock[] {
  return pieces.flatMap((piece) => (typeof piece === 'object' && 'put' in piece ? piece.put : []));
}

describe('the difference between two records', () => {
  it('applied to the first gives the second', () => {
    inRuns(depth({ short: 200, deep: 5_000 })).forAll(pair, ([base, next]) => {
      assert.deepEqual(withDifference(base, throughLog(difference(base, next))), next);
    });
  });

  it('puts only content that is not in the first', () => {
    forAll(pair, ([base, next]) => {
      const content = ({ key, hash, since }: ManifestBlock): string => JSON.stringify([key, hash, since]);
      const known = new Set(base.map(content));
      const put = next.filter((one) => !known.has(content(one)));
      assert.deepEqual(putOf(difference(base, next)), put);
      // A kept block costs some bytes, and its hash is not among them.
      const others = JSON.stringify(difference(base, next).filter((piece) => typeof piece !== 'object' || !('put' in piece)));
      assert.ok(next.every(({ hash }) => !others.includes(hash)));
    });
  });

  it('is one piece between equal records', () => {
    forAll(
      list.filter(({ length }) => length > 0),
      (blocks) => {
        assert.deepEqual(difference(blocks, blocks), [blocks.length === 1 ? 0 : [0, blocks.length]]);
      },
    );
  });
});

describe('the records of any chat', () => {
  it('rebuild each request exactly', async () => {
    const content = fc.record({
      model: fc.constantFrom(OPEN_MODEL, STRICT_MODEL),
      systemPrompt: fc.constantFrom('', 'You are a pilot.'),
      files: anyFiles,
      missingResults: fc.subarray([...RESULT_TEXTS.keys()]),
      layout: fc.constantFrom(LAYOUTS.plain, LAYOUTS.tiered, LAYOUTS.adaptive),
      memory: anyMemory,
    });
    // Later requests add to the same conversation or cut it, as sending and editing do.
    const history = fc.tuple(anyTranscript, fc.array(fc.tuple(content, fc.nat(20)), { minLength: 1, maxLength: 5 }));
    await forAllAsync(history, async ([messages, requests]) => {
      const chat = new RecordedChat();
      const sent = requests.map(([{ missingResults, memory, ...rest }, length]) => {
        const said = messages.slice(0, length);
        const content = { ...rest, ...memoryOf(memory, said), resultTexts: resultTextsWithout(missingResults), messages: said };
        const { forgotten } = chat.compose(content, new BlockFactory(characters, sha256));
        return { ...chat.send(content), forgotten };
      });
      for (const { attempt, prompt, forgotten } of sent) {
        const rebuilt = await chat.rebuild(attempt);
        assert.deepEqual(rebuilt, prompt);
        assert.equal(sha256(wireOf(rebuilt).body), attempt.manifest.bodyHash);
        assert.deepEqual(manifestContentOf(attempt, chat.attempts)?.forgotten, forgotten);
      }
    });
  });
});
