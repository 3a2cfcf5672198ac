import assert from 'node:assert/strict';
import type { FactKind } from '../../../src/engine/compaction/facts/facts.js';
import { MessageFacts } from '../../../src/engine/compaction/facts/messageFacts.js';
import { textMessage } from '../../../src/engine/chat/message/message.js';

/** Form of sentences, kind, an example, and a similar sentence of no kind. */
const FORMS: readonly (readonly [string, FactKind, string, string])[] = [
  ['an order to stop', 'constraint', 'Stop adding comments to the config.', 'We stopped the old server last year.'],
  ['a rule of three words', 'constraint', 'Use single quotes.', 'Use this one.'],
  ['what not to do', 'constraint', 'Do not seed the production database.', "I don't see the database."],
  ['a polite request to leave things', 'constraint', 'Would you mind leaving the tests alone?', 'Would you mind telling me the name?'],
  ['the form of what is written', 'constraint', 'Write the names in lowercase.', 'Write the names again.'],
  ['one thing and not another', 'constraint', 'Tabs, not spaces.', 'Sorry, not today.'],
  ['a thing that needs to be so', 'constraint', 'The import needs to be resumable.', 'I need to leave now.'],
  ['all of a kind', 'constraint', 'Commit messages start with the ticket number.', 'The messages start at noon.'],
  ['no more than', 'constraint', 'No more than 80 columns.', 'It has more columns now.'],
  [
    'a polite request for all that follows',
    'constraint',
    'Would you mind using tabs instead of spaces?',
    'Would you mind using a smaller file?',
  ],
  ['a request in German', 'constraint', 'Könnten Sie künftig auf Englisch antworten?', 'Könnten Sie mir den Fehler erklären?'],
  ['a request in French', 'constraint', 'Pourriez-vous toujours garder les accents ?', "Pourriez-vous m'expliquer ce message ?"],
  ['a request in Spanish', 'constraint', '¿Podrías usar siempre tabuladores?', '¿Podrías explicarme este error?'],
  ['a choice', 'decision', "I've settled on cursors.", 'The dust settled slowly.'],
  ['what turned out', 'decision', 'It turned out that the key lacks the tenant.', 'I turned the page.'],
  ['a cause', 'decision', 'The export fails because the locale is wrong.', 'I came because of the export.'],
  ['what nobody knows yet', 'question', "We haven't figured out yet whether it needs a login.", 'We figured it out.'],
  ['a folder in parentheses', 'path', 'app/(shop)/[slug]/page.tsx', '(shop) and more'],
  ['the home folder', 'path', '~/.config/app/a.service', '~~gone~~'],
  ['an error with its place', 'error', "src/a.ts(4,2): error TS2345: Type 'x' is wrong.", 'It is at src/a.ts(4,2) too.'],
  ['an error of a compiler that does not say so', 'error', 'cmd/main.go:14:2: undefined: load', 'It is 14:20 now.'],
  ['an error of a shell', 'error', './run.sh: line 3: jq: command not found', 'I found the command: it works'],
  ['a code with its reason', 'error', '503 Service Unavailable', '503 rows of Berlin'],
  ['a unit of physics', 'figure', '40 dB', '40 doors'],
  ['a call with arguments', 'identifier', '`submit(event)`', '`a (b c)`'],
];

/** The user's demands, choices and doubts without a sign. Each is kept as a statement. */
const WITHOUT_SIGN: readonly string[] = [
  'Use the bundled parser.',
  'Cap the queue at 1000 items.',
  'Ask before you delete anything.',
  'Give every migration a down script.',
  'Names of columns are lowercase.',
  'I want every commit signed.',
  "I'd appreciate it if the output stayed sorted.",
  'Fine by me, as long as the URLs stay.',
  'The customer insists on PDF/A.',
  'The page is expected to load in a second.',
  "Bumping the version isn't an option.",
  'The file format is frozen.',
  "We're stuck on Node 16 until spring.",
  'Nobody but the lead gets to tag.',
  "It's crucial that the lock is released.",
  'Passwords belong in the vault.',
  'Verzichte auf globale Variablen.',
  'Ich möchte, dass du nachfragst.',
  'Der Code soll ohne Netz baubar sein.',
  'Dann nehmen wir SQLite.',
  'Offen ist noch, ob der Import das kann.',
  'Merci de garder les noms.',
  'Je veux que tout soit réversible.',
  'On ne peut utiliser que Java 11.',
  'Reste à savoir si le capteur tient.',
  'Respeta el orden de las columnas.',
  'La respuesta no puede tardar más de un segundo.',
  'asegurate de cerrar la conexion',
  'Al final nos quedamos con Godot.',
  'Queda por definir qué pasa.',
];

function found(text: string, kind: FactKind): readonly string[] {
  const facts = new MessageFacts().of(textMessage('1-a', text));
  return facts.filter((fact) => fact.kind === kind && !fact.isPlainQuestion).map((fact) => fact.text);
}

describe('forms of sentences that must survive a summary', () => {
  for (const [form, kind, is, isNot] of FORMS) {
    it(`${form}: ${JSON.stringify(is)}, not ${JSON.stringify(isNot)}`, () => {
      assert.deepEqual(found(is, kind), [kind === 'identifier' ? is.slice(1, -1) : is]);
      assert.deepEqual(found(isNot, kind), []);
    });
  }

  for (const said of WITHOUT_SIGN) {
    it(`a statement of the user: ${JSON.stringify(said)}`, () => {
      assert.deepEqual(found(said, 'statement'), [said]);
    });
  }

  it('a question that nobody could answer stays open with what says so, another does not', () => {
    const open = 'Do we charge it twice? No idea, finance is away.';
    assert.deepEqual(found(open, 'question'), [open]);
    assert.deepEqual(found('Do we charge it twice? Yes, we do.', 'question'), []);
  });
});
