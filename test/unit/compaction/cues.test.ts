import assert from 'node:assert/strict';
import type { FactKind } from '../../../src/engine/compaction/facts.js';
import { MessageFacts } from '../../../src/engine/compaction/messageFacts.js';
import { textMessage } from '../../../src/engine/chat/message.js';

/** Form of sentences, kind, one that is of the kind, and one that looks alike and is not. */
const FORMS: readonly (readonly [string, FactKind, string, string])[] = [
  ['an order to stop', 'constraint', 'Stop adding comments to the config.', 'We stopped the old server last year.'],
  ['an order to use something', 'constraint', 'Use the bundled parser.', 'Use case number two fails.'],
  ['an order to limit', 'constraint', 'Cap the queue at 1000 items.', 'The queue has a cap and a name.'],
  ['an order to ask first', 'constraint', 'Ask before you delete anything.', 'They asked me for the log.'],
  ['an order on each', 'constraint', 'Give every migration a down script.', 'It runs every time.'],
  ['the form of what is written', 'constraint', 'Names of columns are lowercase.', 'The column has a name.'],
  ['one thing and not another', 'constraint', 'Tabs, not spaces.', 'Sorry, not today.'],
  ['a wish for all', 'constraint', 'I want every commit signed.', 'I want to see the commit.'],
  ['a wish that depends', 'constraint', "I'd appreciate it if the output stayed sorted.", 'I appreciate your help.'],
  ['leave on a condition', 'constraint', 'Fine by me, as long as the URLs stay.', 'As long as it runs, the page hangs.'],
  ['what others demand', 'constraint', 'The customer insists on PDF/A.', 'The customer called on Monday.'],
  ['what is expected', 'constraint', 'The page is expected to load in a second.', 'I expected a list here.'],
  ['what is no option', 'constraint', "Bumping the version isn't an option.", 'The option is on the second page.'],
  ['what is frozen', 'constraint', 'The file format is frozen.', 'The page is frozen.'],
  ['what binds us', 'constraint', "We're stuck on Node 16 until spring.", "I'm stuck on line 16."],
  ['nobody but one', 'constraint', 'Nobody but the lead gets to tag.', 'Nobody answered my mail.'],
  ['what is crucial', 'constraint', "It's crucial that the lock is released.", 'It crucially looks nice.'],
  ['a thing that needs to be so', 'constraint', 'The import needs to be resumable.', 'I need to leave now.'],
  ['all of a kind', 'constraint', 'Commit messages start with the ticket number.', 'The messages start at noon.'],
  ['a place of its own', 'constraint', 'Passwords belong in the vault.', 'The car belonged to my aunt.'],
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
  ['a German order', 'constraint', 'Verzichte auf globale Variablen.', 'Der Verzicht fiel ihm schwer.'],
  ['a German wish', 'constraint', 'Ich möchte, dass du nachfragst.', 'Ich möchte wissen, wie das geht.'],
  ['a German norm', 'constraint', 'Der Code soll ohne Netz baubar sein.', 'Es soll ein neues Feld geben.'],
  ['a French order', 'constraint', 'Merci de garder les noms.', 'Merci beaucoup pour tout.'],
  ['a French wish', 'constraint', 'Je veux que tout soit réversible.', 'Je veux comprendre la suite.'],
  ['a duty in French', 'constraint', 'Tu dois garder les noms.', 'Nous devons partir demain.'],
  ['only, in French', 'constraint', 'On ne peut utiliser que Java 11.', 'Je ne pense pas que ce soit ça.'],
  ['a Spanish order', 'constraint', 'Respeta el orden de las columnas.', 'El orden es raro.'],
  ['a Spanish wish', 'constraint', 'Quiero que los nombres estén juntos.', 'Quiero entender los nombres.'],
  ['what cannot be, in Spanish', 'constraint', 'La respuesta no puede tardar más de un segundo.', 'No puedo abrir la página.'],
  ['words without their accents', 'constraint', 'asegurate de cerrar la conexion', 'estaba seguro de la conexion'],
  ['a choice', 'decision', "I've settled on cursors.", 'The dust settled slowly.'],
  ['a choice in German', 'decision', 'Dann nehmen wir SQLite.', 'Dann kommen wir später.'],
  ['a choice in French', 'decision', 'On abandonne GraphQL.', 'On regarde GraphQL demain.'],
  ['a choice in Spanish', 'decision', 'Al final nos quedamos con Godot.', 'Al final no vino.'],
  ['what turned out', 'decision', 'It turned out that the key lacks the tenant.', 'I turned the page.'],
  ['a cause', 'decision', 'The export fails because the locale is wrong.', 'I came because of the export.'],
  ['what nobody knows yet', 'question', "We haven't figured out yet whether it needs a login.", 'We figured it out.'],
  ['what nobody knows yet, in German', 'question', 'Offen ist noch, ob der Import das kann.', 'Die Tür ist auf.'],
  ['what nobody knows yet, in French', 'question', 'Reste à savoir si le capteur tient.', 'Le reste marche.'],
  ['what nobody knows yet, in Spanish', 'question', 'Queda por definir qué pasa.', 'Se queda en casa.'],
  ['a folder in parentheses', 'path', 'app/(shop)/[slug]/page.tsx', '(shop) and more'],
  ['the home folder', 'path', '~/.config/app/a.service', '~~gone~~'],
  ['an error with its place', 'error', "src/a.ts(4,2): error TS2345: Type 'x' is wrong.", 'It is at src/a.ts(4,2) too.'],
  ['an error of a compiler that does not say so', 'error', 'cmd/main.go:14:2: undefined: load', 'It is 14:20 now.'],
  ['an error of a shell', 'error', './run.sh: line 3: jq: command not found', 'I found the command: it works'],
  ['a code with its reason', 'error', '503 Service Unavailable', '503 rows of Berlin'],
  ['a unit of physics', 'figure', '40 dB', '40 doors'],
  ['a call with arguments', 'identifier', '`submit(event)`', '`a (b c)`'],
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

  it('a question that nobody could answer stays open with what says so, another does not', () => {
    const open = 'Do we charge it twice? No idea, finance is away.';
    assert.deepEqual(found(open, 'question'), [open]);
    assert.deepEqual(found('Do we charge it twice? Yes, we do.', 'question'), []);
  });
});
