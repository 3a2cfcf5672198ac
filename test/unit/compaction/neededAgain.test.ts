import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { Fact } from '../../../src/engine/compaction/fact.js';
import { FactReuseCounter } from '../../../src/engine/compaction/facts/neededAgain.js';
import { comparedForm } from '../../../src/engine/compaction/facts/keptIn.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';

const MEASURE = { text: (one: string) => one.length, content: (one: { type: string }) => ('text' in one ? String(one.text).length : 0) };

function fact(kind: Fact['kind'], of: string): Fact {
  return { kind, text: of, form: comparedForm(kind, of), messageId: 'm', isOfUser: false };
}

function countOf(dropped: readonly Fact[], ...later: SentMessage[]): unknown {
  const count = new FactReuseCounter(dropped);
  for (const message of later) {
    count.add(message, MEASURE);
  }
  return count.figures;
}

describe('What was needed again of what a summary dropped', () => {
  const dropped = [fact('path', 'src/old.ts'), fact('identifier', 'readGauge')];

  it('is nothing while nobody names it', () => {
    assert.deepEqual(countOf(dropped, user('u', 'Go on'), assistant('a', text('See src/older.ts and readGauges.'))), {
      paths: 0,
      identifiers: 0,
      tokens: 0,
    });
  });

  it('is what a user or a reply names, each once', () => {
    const later = [
      user('u', 'What of src/old.ts?'),
      assistant('a', text('In src/old.ts, readGauge waits.')),
      user('v', 'src/old.ts again'),
    ];
    assert.deepEqual(countOf(dropped, ...later), { paths: 1, identifiers: 1, tokens: 0 });
  });

  it('took the results of the calls that name it, and no others', () => {
    const later = [
      assistant('a', call('c', { file: { path: 'src/old.ts' }, note: 'line\nend' }), call('d', { path: 'src/new.ts' })),
      results('r', result('c', text('12345')), result('d', text('1234567'))),
    ];
    assert.deepEqual(countOf(dropped, ...later), { paths: 1, identifiers: 0, tokens: 5 });
  });

  it('is named in an argument with line breaks, too', () => {
    const later = [assistant('a', call('c', { script: 'cat\nsrc/old.ts' })), results('r', result('c', text('123')))];
    assert.deepEqual(countOf(dropped, ...later), { paths: 1, identifiers: 0, tokens: 3 });
  });

  it('took the fenced blocks of the user that name it', () => {
    const block = '```\n// src/old.ts\nlet a;\n```';
    assert.deepEqual(countOf(dropped, user('u', `Here:\n${block}\nand\n\`\`\`\nother\n\`\`\``)), {
      paths: 1,
      identifiers: 0,
      tokens: block.length,
    });
  });

  it('counts what is looked up anew: paths and names in code', () => {
    assert.deepEqual(countOf([fact('figure', '30 s')], user('u', 'It takes 30 s.')), { paths: 0, identifiers: 0, tokens: 0 });
  });
});
