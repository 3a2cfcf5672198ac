import assert from 'node:assert/strict';
import { BlockFactory, FormedBlocks } from '../../../src/engine/request/blockFactory.js';
import { characters, sha256 } from '../../support/engine/ports.js';

const factory = new BlockFactory(characters, sha256);

describe('blocks made of a text in several forms', () => {
  let made: string[] = [];
  beforeEach(() => {
    made = [];
  });

  function find(blocks: FormedBlocks, key: string, source: string, form: string): string {
    const { part } = blocks.find({ key, source, form }, () => {
      made.push(`${key} ${form}`);
      return factory.snapshotBlock(
        { key, role: 'user', category: 'files', item: key },
        { type: 'text', text: source.slice(0, Number(form)) },
      );
    });
    return part.type === 'text' ? part.text : '';
  }

  it('are made once for each form, and anew when the text changes', () => {
    const blocks = new FormedBlocks();
    const of = (source: string): string[] => ['3', '1', '3', '1'].map((form) => find(blocks, 'a', source, form));
    assert.deepEqual(of('one'), ['one', 'o', 'one', 'o']);
    assert.deepEqual(of('two'), ['two', 't', 'two', 't']);
    assert.deepEqual(made, ['a 3', 'a 1', 'a 3', 'a 1']);
  });

  it('are forgotten where there are many, those that were not used for the longest time first', () => {
    const blocks = new FormedBlocks();
    const large = 'x'.repeat(6 * 1024 * 1024);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b', 'c']) {
      find(blocks, key, large, '1');
    }
    // With c there are 18 million characters, so b is removed. When b returns, c is.
    assert.deepEqual(made, ['a 1', 'b 1', 'c 1', 'b 1', 'c 1']);
    for (const form of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '2', '1']) {
      find(blocks, 'd', 'text', form);
    }
    assert.deepEqual(
      made.filter((each) => each.startsWith('d')),
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', '1'].map((form) => `d ${form}`),
    );
  });
});
