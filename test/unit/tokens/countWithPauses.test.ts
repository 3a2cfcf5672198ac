import assert from 'node:assert/strict';
import type { EncodingCounter } from '../../../src/engine/tokens/encodingCounter.js';
import { countWithPauses } from '../../../src/engine/tokens/partTokens.js';
import { replyTokens } from '../../../src/engine/run/replyTokens.js';
import { MOST_AT_ONCE } from '../../../src/engine/tokens/safeCut.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { loadTestCounter } from '../../support/counters.js';
import { CODE } from '../../support/encodings.js';
import { sha256 } from '../../support/engine/ports.js';

const LENGTH = 100_000;

const TEXTS: Readonly<Record<string, string>> = {
  'code and prose': `${CODE}Ein Satz mit 12 Wörtern, “quoted”.\n`.repeat(1_000),
  'one letter over and over': 'a'.repeat(LENGTH),
  'letters of another script': '語'.repeat(LENGTH),
  'halves of surrogate pairs at each cut': `x${'😀'.repeat(LENGTH / 2)}`,
  'line breaks': '\n'.repeat(LENGTH),
};

describe('the count of a long text', () => {
  let counter: EncodingCounter;
  let pauses: number;
  const pause = (): Promise<void> => {
    pauses += 1;
    return Promise.resolve();
  };

  before(async () => {
    counter = await loadTestCounter('o200k_base');
  });

  beforeEach(() => {
    pauses = 0;
  });

  for (const [what, text] of Object.entries(TEXTS)) {
    it(`is the same with pauses and without, and as it arrives, for ${what}`, async () => {
      const fresh = await loadTestCounter('o200k_base');
      assert.equal(await countWithPauses(text, fresh, pause), counter.count(text));
      assert.ok(pauses >= text.length / MOST_AT_ONCE, `${String(pauses)} pauses`);
      const stream = counter.stream();
      for (let at = 0; at < text.length; at += 777) {
        stream.append(text.slice(at, at + 777));
      }
      // The space after a letter is a safe cut: nothing of the end is estimated.
      stream.append('z z');
      assert.deepEqual(stream.read(), { tokens: counter.count(`${text}z z`), isExact: true });
    });
  }

  it('needs no pause for a text of usual length', async () => {
    assert.equal(await countWithPauses(CODE, counter, pause), counter.count(CODE));
    assert.equal(pauses, 0);
  });

  it('of a reply is counted with pauses within its parts and between many of them', async () => {
    const text = TEXTS['code and prose'] ?? '';
    const long = { type: 'text', text } as const;
    assert.equal(await replyTokens([long], await loadTestCounter('o200k_base'), pause), counter.count(text));
    assert.ok(pauses >= text.length / MOST_AT_ONCE);
    pauses = 0;
    const short = { type: 'text', text: 'One word' } as const;
    assert.equal(
      await replyTokens(
        Array.from({ length: 5_000 }, () => short),
        counter,
        pause,
      ),
      10_000,
    );
    assert.equal(pauses, 5);
  });

  it('of a message is that of its block, which is then made without counting again, under a new id, too', async () => {
    let counted = 0;
    const watched = {
      id: 'watched',
      count: (text: string) => {
        counted += 1;
        return counter.count(text);
      },
      countInParts: (text: string) => {
        counted += 1;
        return counter.countInParts(text);
      },
      stream: () => counter.stream(),
    };
    const factory = new BlockFactory(watched, sha256);
    const logged = { messageId: 'm', index: 0, role: 'assistant', part: { type: 'text', text: TEXTS['code and prose'] ?? '' } } as const;
    await factory.measureMessage(logged, new Map(), pause);
    assert.ok(pauses > 0);
    const block = factory.messageBlock(logged, new Map());
    const again = factory.messageBlock({ ...logged, messageId: 'again' }, new Map());
    assert.deepEqual(again, { ...block, key: 'message:again/0', source: { from: 'message', messageId: 'again', part: 0 } });
    assert.equal(counted, 1);
    assert.deepEqual(block, new BlockFactory(counter, sha256).messageBlock(logged, new Map()));
  });
});
