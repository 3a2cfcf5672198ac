import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyPieces, diffManifest, type ManifestBlock, type ManifestPiece } from '../../src/engine/prompt/manifest.js';
import { RESULT_TEXTS, resultTextsWithout } from '../support/engine/largeResults.js';
import { OPEN_MODEL, STRICT_MODEL } from '../support/engine/models.js';
import { sha256 } from '../support/engine/ports.js';
import { anyFiles, anyTranscript } from '../support/engine/randomTranscript.js';
import { RecordedChat, wireOf } from '../support/engine/requests.js';

/** A block of few possible keys and contents, so that lists have much in common. */
const block: fc.Arbitrary<ManifestBlock> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    content: fc.constantFrom('x', 'y'),
    message: fc.integer({ min: -1, max: 1 }),
    tokens: fc.constantFrom(1, 2),
    tier: fc.constantFrom('L0' as const, 'active' as const),
    breakpoint: fc.constantFrom(null, { ttl: '5m' as const }, { ttl: '1h' as const }),
  })
  .map(({ name, content, ...rest }) => ({
    ...rest,
    key: `file:${name}`,
    hash: sha256(content),
    role: 'user',
    category: 'files',
    source: { from: 'snapshot' },
    content: { inline: { type: 'text', text: content } },
  }));

const list = fc.uniqueArray(block, { selector: ({ key }) => key, maxLength: 8 });

/** Two lists that may share a beginning, an end, or a middle. */
const pair = fc.tuple(list, list, fc.nat(8), fc.nat(8)).map(([a, b, from, to]): [ManifestBlock[], ManifestBlock[]] => {
  const kept = a.slice(from, to);
  const keys = new Set(kept.map(({ key }) => key));
  const rest = b.filter(({ key }) => !keys.has(key));
  return [a, [...rest.slice(0, from), ...kept, ...rest.slice(from)]];
});

function putOf(pieces: readonly ManifestPiece[]): ManifestBlock[] {
  return pieces.flatMap((piece) => ('put' in piece ? piece.put : []));
}

describe('the difference between two records', () => {
  it('applied to the first gives the second', () => {
    fc.assert(
      fc.property(pair, ([base, next]) => {
        assert.deepEqual(applyPieces(base, diffManifest(base, next)), next);
      }),
      { numRuns: 1_000 },
    );
  });

  it('puts only what is not in the first', () => {
    fc.assert(
      fc.property(pair, ([base, next]) => {
        const known = new Set(base.map((one) => JSON.stringify(one)));
        const isNew = (one: ManifestBlock): boolean => !known.has(JSON.stringify(one));
        assert.deepEqual(putOf(diffManifest(base, next)).filter(isNew), next.filter(isNew));
        assert.equal(putOf(diffManifest(base, next)).length, next.filter(isNew).length);
      }),
    );
  });

  it('is one piece between equal records', () => {
    fc.assert(
      fc.property(
        list.filter(({ length }) => length > 0),
        (blocks) => {
          assert.deepEqual(diffManifest(blocks, blocks), [{ keep: [0, blocks.length] }]);
        },
      ),
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
    });
    // Later requests add to or cut off the same conversation, as sending and editing do.
    const history = fc.tuple(anyTranscript, fc.array(fc.tuple(content, fc.nat(20)), { minLength: 1, maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(history, async ([messages, requests]) => {
        const chat = new RecordedChat();
        const sent = requests.map(([{ missingResults, ...rest }, length]) =>
          chat.send({ ...rest, resultTexts: resultTextsWithout(missingResults), messages: messages.slice(0, length) }),
        );
        for (const { attempt, prompt } of sent) {
          const rebuilt = await chat.rebuild(attempt);
          assert.deepEqual(rebuilt, prompt);
          assert.equal(sha256(wireOf(rebuilt).body), attempt.manifest.bodyHash);
        }
      }),
    );
  });
});
