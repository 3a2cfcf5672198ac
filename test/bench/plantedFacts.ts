/*
 * What a user says in a long chat and what must survive three summaries. Each was written after the patterns that look for
 * it (`src/engine/compaction`), and none is used anywhere else: they say what the patterns find of sentences that nobody had
 * before their eyes. Patterns are not to be changed because of them; a new pattern wants new sentences.
 */

/** A message, and the part of it that must stand in every later request. */
export interface Planted {
  readonly said: string;
  readonly kept: string;
}

function whole(...sentences: readonly string[]): readonly Planted[] {
  return sentences.map((said) => ({ said, kept: said }));
}

/** What the user demands, in the four languages that the patterns know. */
export const DEMANDS: readonly Planted[] = whole(
  'The invoice numbers must be gapless, the tax office checks that.',
  'Never send an e-mail from the staging system.',
  'All amounts have to be stored in cents.',
  'Please do not use the old report generator any more.',
  'Only administrators may see the salary column.',
  'Make sure that a cancelled order keeps its number.',
  'The nightly job must finish before six in the morning.',
  "Don't touch the tax tables, the accountants own them.",
  'Always round half up, as the contract says.',
  'No personal data in the log files.',
  'Every public method needs a comment that names its units.',
  'Avoid recursion, the embedded target has a small stack.',
  'We only support PostgreSQL from version 14 on.',
  'Customer names must never appear in a URL.',
  'Die Rechnungsnummern dürfen keine Lücken haben.',
  'Bitte niemals Kundendaten in die Testdatenbank kopieren.',
  'Alle Beträge müssen in Cent gespeichert werden.',
  'Der Bericht darf nicht länger als zwei Seiten sein.',
  'Verwende keine externen Schriftarten.',
  'Achte darauf, dass die alte Schnittstelle erhalten bleibt.',
  'Les numéros de facture doivent se suivre sans trou.',
  "N'envoie jamais de courriel depuis le serveur de test.",
  'Il faut garder la compatibilité avec la version 3.',
  'Les montants sont toujours arrondis au centime supérieur.',
  'Interdiction de modifier les tables fiscales.',
  'Los números de factura deben ser consecutivos.',
  'Nunca borres los pedidos cancelados.',
  'Todos los importes se guardan siempre en céntimos.',
  'No uses bibliotecas externas en el módulo de pagos.',
  'Es obligatorio cifrar las copias de seguridad.',
);

/** What was settled, and what must be found again: decisions, paths, errors, figures, names. */
export const FINDINGS: readonly Planted[] = [
  ...whole(
    'We decided to keep the ledger in a table of its own.',
    "Let's go with optimistic locking.",
    'Wir haben uns für die zweite Variante entschieden.',
    "Nous avons choisi d'écrire les exports en XML.",
    'Hemos decidido posponer la migración.',
  ),
  { said: 'The rounding happens in src/billing/rounding/halfUp.ts, as far as I see.', kept: 'src/billing/rounding/halfUp.ts' },
  { said: 'Look at /etc/ledger/export.d/tax.conf first.', kept: '/etc/ledger/export.d/tax.conf' },
  {
    said: 'It stopped with "duplicate key value violates unique constraint" again.',
    kept: 'duplicate key value violates unique constraint',
  },
  {
    said: 'The console shows RangeError: Invalid time zone specified: Mars/Olympus',
    kept: 'RangeError: Invalid time zone specified: Mars/Olympus',
  },
  { said: 'The export takes 417 seconds on the large tenant.', kept: '417 seconds' },
  { said: 'The culprit is `closeFiscalPeriod` I think.', kept: 'closeFiscalPeriod' },
];
