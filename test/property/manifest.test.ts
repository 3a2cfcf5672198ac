import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differenceTo, withDifference, type Difference } from '../../src/engine/record/difference.js';
import { BLOCK_COMPARISON, type ManifestBlock } from '../../src/engine/record/manifest.js';
import { depth } from '../support/depth.mjs';
import { RESULT_TEXTS, resultTextsWithout } from '../support/engine/largeResults.js';
import { OPEN_MODEL, STRICT_MODEL } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { forgottenToolsOf } from '../../src/engine/request/rebuild.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { anyFiles, anyTranscript } from '../support/engine/randomTranscript.js';
import { RecordedChat, throughLog, wireOf } from '../support/engine/requests.js';
import { forAll, forAllAsync, inRuns } from '../support/forAll.js';

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
        assert.deepEqual(forgottenToolsOf(attempt, chat.attempts), forgotten);
      }
    });
  });
});
