import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, type FactKind, factsOf, missingLines } from '../../../src/engine/compaction/facts/facts.js';
import { comparedForm, factTest } from '../../../src/engine/compaction/facts/keptIn.js';
import { MessageFacts } from '../../../src/engine/compaction/facts/messageFacts.js';
import { type SentMessage, textMessage } from '../../../src/engine/chat/message/message.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { column } from '../../support/columns.js';
import { depth } from '../../support/depth.mjs';

/** Characters. Quadratic work takes minutes. */
const MANY = depth({ short: 200_000, deep: 10_000_000 });

/** No pattern was built on them. */
interface Sentences {
  readonly constraints: readonly string[];
  readonly ordinary: readonly string[];
}

const FIXTURE = join(process.cwd(), 'test/fixtures/compaction/sentences.json');
const { constraints, ordinary } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Sentences;

function factsIn(messages: readonly SentMessage[]): readonly Fact[] {
  return factsOf(messages, new MessageFacts());
}

function found(text: string, kind: FactKind): string[] {
  return factsIn([textMessage('1-a', text)])
    .filter((fact) => fact.kind === kind)
    .map((fact) => fact.text);
}

function result(text: string): SentMessage {
  const content = [{ type: 'text' as const, text }];
  return {
    role: 'tool-results',
    id: '2-b',
    parts: [{ type: 'toolResult', callId: 'c', name: 'read', content, isError: false, synthetic: false }],
  };
}

function fact(kind: FactKind, text: string): Fact {
  return { kind, text, form: comparedForm(kind, text), messageId: '1-a', isOfUser: true };
}

const TABLE: readonly (readonly [FactKind, string, readonly string[]])[] = [
  ['path', 'See src/a.ts:12, ./b/c and /usr/local/bin.', ['src/a.ts:12', './b/c', '/usr/local/bin']],
  ['path', 'Open C:\\Users\\me\\x.txt or src\\engine\\a.ts', ['C:\\Users\\me\\x.txt', 'src\\engine\\a.ts']],
  ['path', 'In `src/engine`, `package.json` and (docs/b.md)', ['src/engine', 'package.json', 'docs/b.md']],
  ['path', 'and/or, TCP/IP, 1.2.3, 2024/01/02, https://x.y/a/b.ts, Node.js, console.log', []],
  ['identifier', 'Call `foo()` with `user.id` and `--no-setup`, not foo', ['foo', 'user.id', '--no-setup']],
  ['identifier', '`true`, `12`, `a b` and `src/a.ts`', []],
  ['figure', 'At most 512 MB, 30 s, 80 %, $0.31 and 8,192 tokens.', ['512 MB', '30 s', '80 %', '$0.31', '8,192 tokens']],
  ['figure', 'Version 2 has 20 files since 2024, $1 is a variable', []],
  ['error', 'TypeError: x is not a function\n at a', ['TypeError: x is not a function']],
  ['error', 'It fails with "no such table: users" and exit code 137', ['no such table: users', 'exit code 137']],
  ['constraint', 'Rules:\n- Node 20 and newer\n- offline', ['Node 20 and newer', 'offline']],
  ['constraint', 'Never use tabs, e.g. in YAML. It runs.', ['Never use tabs, e.g. in YAML.']],
  ['constraint', '```\nnever do this\n```', []],
  ['decision', "We decided to use SQLite. Let's go with tabs.", ['We decided to use SQLite.', "Let's go with tabs."]],
  ['question', 'TODO: find a better name', ['TODO: find a better name']],
];

describe('what must survive a summary', () => {
  for (const [kind, text, expected] of TABLE) {
    it(`${kind}: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(found(text, kind), expected);
    });
  }

  it('constraints that the patterns were not built on are found, ordinary sentences are no constraints', () => {
    const isConstraint = (text: string): boolean => found(text, 'constraint').length > 0;
    const lost = constraints.filter((text) => !isConstraint(text) && found(text, 'statement').length === 0);
    assert.ok(lost.length <= 0.05 * constraints.length, `lost: ${lost.join(' | ')}`);
    assert.ok(ordinary.filter(isConstraint).length <= 0.05 * ordinary.length, 'false alarms');
  });

  it('each fact stands once, and the user owns what the user said too', () => {
    const [first, ...others] = factsIn([result('src/a.ts'), textMessage('3-c', 'src/a.ts'), textMessage('4-d', 'src/a.ts')]);
    assert.deepEqual([first?.messageId, first?.isOfUser, others.length], ['2-b', true, 0]);
  });

  it('tool results give paths and errors of their beginning only', () => {
    const facts = factsIn([result(`Never use src/a.ts in 5 ms\n${'x'.repeat(10_000)}\nsrc/late.ts`)]);
    assert.deepEqual(column(facts, 'text'), ['src/a.ts']);
  });

  it('only the last exchanges give plain questions', () => {
    const asked = ['Is A right?', 'Is B right?', 'Is C right?', 'Is D right?'].map((text, index) =>
      textMessage(`${String(index)}-a`, text),
    );
    assert.deepEqual(column(factsIn(asked), 'text'), ['Is B right?', 'Is C right?', 'Is D right?']);
  });

  it('what a message was read for once is the same whatever messages stand around it', () => {
    const read = new MessageFacts();
    const asked = ['Is A right?', 'Is B right?', 'Is C right?', 'Is D right?'].map((text, index) =>
      textMessage(`${String(index)}-a`, text),
    );
    for (let count = 1; count <= asked.length; count += 1) {
      const all = asked.slice(0, count);
      assert.deepEqual(factsOf(all, read), factsIn(all));
      assert.ok(all.every((message) => read.has(message)));
    }
  });

  it('a long message is read in parts, and gives the same with pauses', async () => {
    const line = 'Never use eval in src/a.ts, it takes 12 MB. We chose SQLite. ';
    const ends = ['No rule may say Qux.', 'Always call foo_bar().'];
    for (const between of ['\n', ' ', '\n\n']) {
      const text = [ends[0], ...Array<string>(2_000).fill(line), ends[1]].join(between);
      const message = textMessage('m', text);
      let pauses = 0;
      const read = new MessageFacts();
      await read.read(message, () => {
        pauses += 1;
        return Promise.resolve();
      });
      assert.ok(pauses >= 3, `${String(pauses)} pauses`);
      const facts = factsIn([message]);
      assert.deepEqual(factsOf([message], read), facts);
      const found = facts.map((each) => each.text);
      for (const end of ends) {
        const isFound = found.some((each) => each.includes(end));
        assert.ok(isFound, `${end} in ${found.join(' | ')}`);
      }
    }
  });

  it('a long message is not cut between a list and its introduction', () => {
    const item = '- Page numbers are below.';
    for (let length = 7_800; length < 8_400; length += 20) {
      const before = Array<string>(Math.ceil(length / 20))
        .fill('So much before it...')
        .join('\n')
        .slice(0, length);
      const rules = ['Hard rules:', item, item.replace('below', 'above')].join('\n\n');
      const found = factsIn([textMessage('m', `${before}\n\n${rules}\n\nThe rest follows.`)]);
      const constraints = found.filter(({ kind }) => kind === 'constraint').map(({ text }) => text);
      assert.ok(
        constraints.some((text) => text.includes('below')) && constraints.some((text) => text.includes('above')),
        `${String(length)}: ${constraints.join(' | ')}`,
      );
    }
  });

  it('a copy with other case, spaces and marks keeps a sentence; a path and a figure are whole words', () => {
    assert.ok(factTest('- **never**  use eval\nhere')(fact('constraint', 'Never use `eval` here.')));
    assert.ok(!factTest('Avoid eval.')(fact('constraint', 'Never use eval.')));
    assert.ok(factTest('Changed `src/a.ts`.')(fact('path', 'src/a.ts')));
    assert.ok(!factTest('lib/src/a.ts, src/a.tsx and src/a.ts.bak')(fact('path', 'src/a.ts')));
    assert.ok(factTest('12MB')(fact('figure', '12 MB')) && !factTest('512 MB')(fact('figure', '12 MB')));
  });

  it("the user's constraints are appended over any budget, the rest within it", () => {
    const facts = [fact('path', 'src/a.ts'), fact('constraint', 'Never use eval.'), fact('decision', 'We chose SQLite.')];
    const missing = (tokens: number): string[] => missingLines(facts, '', { tokens, counter: ROUGH_COUNTER }).map(({ text }) => text);
    assert.deepEqual(missing(0), ['Never use eval.']);
    assert.deepEqual(missing(10), ['Never use eval.', 'We chose SQLite.']);
    assert.deepEqual(missing(100), ['src/a.ts', 'Never use eval.', 'We chose SQLite.']);
  });

  for (const piece of [
    '`',
    '/',
    '.',
    'Error',
    '"a',
    'a:1',
    '1,',
    '[',
    '```\n',
    'never ',
    'no x ever ',
    'exit code ',
    '€1',
    'a: b denied: ',
    '/(a)',
    'err 1:1: ',
    'use to no ',
  ]) {
    it(`${String(MANY)} characters of ${JSON.stringify(piece)} are few facts, and take time in proportion`, () => {
      const facts = factsIn([textMessage('1-a', piece.repeat(MANY / piece.length))]);
      assert.ok(facts.length < 20 && facts.every(({ text }) => text.length <= 600), JSON.stringify(facts));
    });
  }
});
