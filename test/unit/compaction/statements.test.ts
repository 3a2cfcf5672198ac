import assert from 'node:assert/strict';
import { type SentMessage, textMessage } from '../../../src/engine/chat/message/message.js';
import { factsOf, type FactKind, missingLines } from '../../../src/engine/compaction/facts/facts.js';
import { MessageFacts } from '../../../src/engine/compaction/facts/messageFacts.js';
import { KEPT_HEADING, keptLines, survivorsOf, withSurvivors } from '../../../src/engine/compaction/facts/survivors.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { assistant } from '../../support/engine/messages.js';

const STATED = [
  'the dashboard is read by people with a slow line',
  'ok, but our designers work with Figma exports of 2 GB',
  'Die Kasse läuft auf einem alten Kassenrechner mit Windows 7.',
  'Le client lit le rapport sur papier.',
  'Los ficheros llegan en Latin-1 desde el banco.',
  'Add a test with every fix.',
  'The timer lives in `Clock.tick` and fires 60 times a second.',
];

const NOT_STATED = [
  'Show me the test again.',
  'please rename it to reader',
  'Thanks, that works now.',
  'looks good',
  'why is it slow',
  'Is it green?',
  'Erklär mir bitte die zweite Schleife.',
  'Montre-moi le fichier.',
  'Explícame este bucle otra vez.',
  'const total = items.reduce((sum, item) => sum + item.price, 0);',
  '[12:03:44] GET /health 200 in 3 ms',
  '2026-01-02 12:03:44 worker started with four threads',
  'at Object.run (/app/main.js:3:1)',
];

function statements(message: SentMessage): readonly string[] {
  return factsOf([message], new MessageFacts())
    .filter(({ kind }) => kind === 'statement')
    .map(({ text }) => text);
}

describe('what the user states', () => {
  for (const text of STATED) {
    it(`is ${JSON.stringify(text)}`, () => {
      const facts = factsOf([textMessage('1-a', text)], new MessageFacts());
      assert.ok(
        facts.some((fact) => fact.text === text && (['statement', 'constraint'] satisfies FactKind[]).some((kind) => kind === fact.kind)),
        JSON.stringify(facts),
      );
    });
  }

  for (const text of NOT_STATED) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.deepEqual(statements(textMessage('1-a', text)), []);
    });
  }

  it('is what the user says, not what the model says', () => {
    assert.deepEqual(statements(assistant('1-b', STATED[0] ?? '')), []);
  });

  it('is one sentence where an editor has wrapped it', () => {
    const text = 'the reports are printed on a machine in the cellar that nobody has\nseen for years';
    assert.deepEqual(statements(textMessage('1-a', text)), [text.replace('\n', ' ')]);
  });

  it('stands before or behind what is pasted, not in it', () => {
    const pasted = 'Somebody else wrote this long page about gardens.\n'.repeat(100);
    const [before, after] = ['our garden is on a roof in the north', 'the page is from a friend of mine'];
    const found = statements(textMessage('1-a', `${before}\n${pasted}${'It ends here with a word.\n'.repeat(200)}${after}`));
    assert.ok(found.includes(before) && found.includes(after));
    assert.equal(found.length, 4);
  });

  it('leaves half of the tokens to errors, paths and figures while they want them', () => {
    const said = Array.from({ length: 40 }, (_, at) =>
      textMessage(`1-${String(at)}`, `the room number ${String(at)} has a green door and a bell`),
    );
    const paths = textMessage('2-a', Array.from({ length: 40 }, (_, at) => `src/room/part${String(at)}/door.ts`).join('\n'));
    const facts = factsOf([...said, paths], new MessageFacts());
    const kinds = (tokens: number): number[] => {
      const lines = missingLines(facts, '', { tokens, counter: ROUGH_COUNTER });
      return (['statement', 'path'] as const).map((kind) => lines.filter((fact) => fact.kind === kind).length);
    };
    const [few, many] = [kinds(300), kinds(100_000)];
    assert.ok((few[0] ?? 0) > 3 && (few[1] ?? 0) > 3, String(few));
    assert.deepEqual(many, [40, 40]);
  });

  it('survives a second and a third summary as what it is', () => {
    const budget = { tokens: 500, counter: ROUGH_COUNTER };
    const read = new MessageFacts();
    let lines: readonly string[] = [];
    let messages = [textMessage('1-a', `${STATED.join('\n')}\nRules:\n- Node 20 and newer`)];
    for (let round = 0; round < 3; round += 1) {
      const { text, lines: kept } = withSurvivors('They talked.', survivorsOf(messages, lines, read), budget);
      assert.ok(text.includes(KEPT_HEADING));
      assert.deepEqual(keptLines(text), kept);
      if (round > 0) {
        assert.deepEqual(kept, lines);
      }
      lines = kept;
      messages = [textMessage(`2-${String(round)}`, 'Thanks.')];
    }
    assert.ok(lines.includes('“Le client lit le rapport sur papier.”') && lines.includes('Node 20 and newer'), JSON.stringify(lines));
  });
});
