import assert from 'node:assert/strict';
import type { FactKind } from '../../../src/engine/compaction/fact.js';
import { factsOf } from '../../../src/engine/compaction/facts.js';
import { MessageFacts } from '../../../src/engine/compaction/messageFacts.js';
import { textMessage } from '../../../src/engine/chat/message.js';

function found(text: string, kind: FactKind): string[] {
  return factsOf([textMessage('1-a', text)], new MessageFacts())
    .filter((fact) => fact.kind === kind)
    .map((fact) => fact.text);
}

/** Forms of sentences: some that are of the kind, and some that look like them and are not. */
const FORMS: readonly (readonly [string, FactKind, readonly string[], readonly string[]])[] = [
  [
    'wishes',
    'constraint',
    [
      "I'd be grateful if the headings stayed in sentence case.",
      'Legal wants every export to be signed.',
      'We insist on two reviewers.',
      'Wir möchten, dass die Masken einsprachig sind.',
      'Nous voulons que les noms restent courts.',
      'Necesitamos que cada pantalla cargue sin red.',
    ],
    ["I'd like to know more about this file.", 'They expect a visitor at noon.', 'Ich will wissen, wer das war.', 'Quiero un café ahora.'],
  ],
  [
    'what cannot be had',
    'constraint',
    [
      'A second database is out of the question.',
      "Downtime isn't an option here.",
      'The wire format is set in stone.',
      'Ein Neustart kommt nicht in Frage.',
      'Une panne est hors de question.',
      'El formato no es negociable.',
    ],
    ['The table has an option column.', 'Die Frage steht im Formular.', 'La question est en haut de la page.'],
  ],
  [
    'orders',
    'constraint',
    [
      'Stop renaming the fixtures.',
      'Ask me before you run the importer.',
      'Write the dates as ISO strings.',
      'Verwende Tabulatoren im Makefile.',
      'Utilisez les icônes existantes.',
      'Utiliza los iconos existentes.',
    ],
    ['They use it at work.', 'The stop button is red.', 'Je regarde les icônes.', 'Los iconos son azules.'],
  ],
  [
    'what matters',
    'constraint',
    [
      "It's vital that the pump stops in time.",
      'Es ist entscheidend, dass die Reihenfolge stimmt.',
      'Il est essentiel que le tri soit stable.',
      'Es fundamental que el orden no cambie.',
    ],
    ['The vital signs are on page two.', 'Das war ein wichtiger Tag.', 'Le fichier essentiel est vide.'],
  ],
  [
    'conditions',
    'constraint',
    ['Fine with me, as long as the old links work.', 'Gern, solange die alten Links gehen.', "D'accord, à condition que rien ne change."],
    ['It took as much time as before.', 'Die Lampe ist rot.'],
  ],
  [
    'polite questions that ask for something',
    'constraint',
    [
      'Would you mind using spaces in the tables?',
      'Könntest du die Namen künftig ausschreiben?',
      'Pourriez-vous éviter les abréviations, stp, et ne jamais couper les noms ?',
    ],
    ['Would you mind explaining this?', 'Könntest du mir das erklären?', 'Peux-tu regarder ce fichier ?'],
  ],
  [
    'decisions',
    'decision',
    [
      'Dann nehmen wir zwei Tabellen.',
      'Finalement on reste sur deux tables.',
      'Nos quedamos con dos tablas.',
      'The root cause was a stale lock.',
    ],
    ['Die Tabelle hat zwei Spalten.', 'Deux tables sont vides.', 'Dos tablas están vacías.'],
  ],
  [
    'what is not known yet',
    'question',
    [
      "We haven't decided yet whether the list is sorted.",
      'Offen ist noch, ob die Liste sortiert ist.',
      'Reste à savoir si la liste est triée.',
    ],
    ['The door was open all day.', 'Das offene Fenster klappert.'],
  ],
  [
    'errors of compilers, shells and servers',
    'error',
    ['src/list.ts(7,3): error TS1005: a comma is missing', './run.sh: line 4: jq: command not found', 'HTTP/1.1 404 Not Found'],
    ['The run of line 4 was fine.', 'HTTP/1.1 is the version.'],
  ],
  ['folders in parentheses', 'path', ['app/(admin)/[id]/page.tsx'], ['and (or) not']],
];

describe('the forms of what must survive a summary', () => {
  for (const [form, kind, yes, no] of FORMS) {
    it(`${form}: ${kind}s are found, and what looks like them is not`, () => {
      for (const sentence of yes) {
        assert.deepEqual(found(sentence, kind), [sentence]);
      }
      for (const sentence of no) {
        assert.deepEqual(found(sentence, kind), [], sentence);
      }
    });
  }
});
