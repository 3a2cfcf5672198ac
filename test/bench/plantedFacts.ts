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

export const DEMANDS: readonly Planted[] = [
  // English (20)
  {
    said: 'Do not log request bodies on the checkout route, they contain card data.',
    kept: 'Do not log request bodies on the checkout route, they contain card data.',
  },
  {
    said: "the app can't take up over 40 MB on disk, that's the deal with the carrier",
    kept: "the app can't take up over 40 MB on disk, that's the deal with the carrier",
  },
  {
    said: "Thanks, that's a neat trick. One rule for the rest of this session though: you show me the diff before anything gets written.",
    kept: 'One rule for the rest of this session though: you show me the diff before anything gets written.',
  },
  {
    said: 'Anything user-facing goes through the translation files, hard-coded strings get rejected in review.',
    kept: 'Anything user-facing goes through the translation files, hard-coded strings get rejected in review.',
  },
  {
    said: 'It is mandatory that infusion rates are displayed with their unit.',
    kept: 'It is mandatory that infusion rates are displayed with their unit.',
  },
  {
    said: "I profiled the lobby yesterday and it's mostly fine. Even under load the matchmaking queue must never block the render thread. Everything else we can tune later.",
    kept: 'Even under load the matchmaking queue must never block the render thread.',
  },
  { said: 'Hands off the terraform state, please.', kept: 'Hands off the terraform state, please.' },
  { said: 'We have to stay compatible with Postgres 12.', kept: 'We have to stay compatible with Postgres 12.' },
  {
    said: 'only the billing service is permitted to write to the ledger',
    kept: 'only the billing service is permitted to write to the ledger',
  },
  {
    said: "Please refrain from reformatting files you don't otherwise change.",
    kept: "Please refrain from reformatting files you don't otherwise change.",
  },
  {
    said: 'I need the CLI to exit with a non-zero status whenever a single row fails.',
    kept: 'I need the CLI to exit with a non-zero status whenever a single row fails.',
  },
  { said: 'Backups: keep thirty days, then purge.', kept: 'Backups: keep thirty days, then purge.' },
  { said: 'if in doubt, fail closed', kept: 'if in doubt, fail closed' },
  {
    said: 'Passwords are to be hashed with argon2id and nothing weaker.',
    kept: 'Passwords are to be hashed with argon2id and nothing weaker.',
  },
  {
    said: 'quick note before you start, the sensor bus is shared with the display, so nothing may hold the lock longer than 2 ms, apart from that do what you like',
    kept: 'nothing may hold the lock longer than 2 ms',
  },
  { said: "Don't ever merge your own branch.", kept: "Don't ever merge your own branch." },
  {
    said: "The nightly import is supposed to be idempotent; running it twice shouldn't double a single row.",
    kept: "The nightly import is supposed to be idempotent; running it twice shouldn't double a single row.",
  },
  {
    said: "Nice, grouping works now. I'd rather you didn't bring lodash into this package, though.",
    kept: "I'd rather you didn't bring lodash into this package, though.",
  },
  {
    said: "Let's not introduce another state library, redux is plenty.",
    kept: "Let's not introduce another state library, redux is plenty.",
  },
  {
    said: 'Use the existing `Money` type everywhere instead of raw integers.',
    kept: 'Use the existing `Money` type everywhere instead of raw integers.',
  },

  // German (7)
  { said: 'Die Tests müssen auch unter Windows grün sein.', kept: 'Die Tests müssen auch unter Windows grün sein.' },
  { said: 'Ohne meine Freigabe wird nichts ausgerollt.', kept: 'Ohne meine Freigabe wird nichts ausgerollt.' },
  {
    said: 'Das neue JSON-Format gefällt mir. Die alte XML-Ausgabe bleibt unverändert, da hängen drei Behörden dran.',
    kept: 'Die alte XML-Ausgabe bleibt unverändert, da hängen drei Behörden dran.',
  },
  { said: 'Nie wieder Sleep-Aufrufe in den Integrationstests!', kept: 'Nie wieder Sleep-Aufrufe in den Integrationstests!' },
  {
    said: 'also grundsätzlich passt das, aber es dürfen pro minute nur 60 anfragen an die bank rausgehen',
    kept: 'es dürfen pro minute nur 60 anfragen an die bank rausgehen',
  },
  {
    said: 'Vermeide dynamische Speicherallokation nach der Initialisierung.',
    kept: 'Vermeide dynamische Speicherallokation nach der Initialisierung.',
  },
  {
    said: 'Mir ist wichtig, dass Spielstände beim Update erhalten bleiben.',
    kept: 'Mir ist wichtig, dass Spielstände beim Update erhalten bleiben.',
  },

  // French (7)
  {
    said: 'Aucune donnée personnelle ne doit apparaître dans les traces.',
    kept: 'Aucune donnée personnelle ne doit apparaître dans les traces.',
  },
  { said: 'Demande-moi toujours avant de supprimer un fichier.', kept: 'Demande-moi toujours avant de supprimer un fichier.' },
  {
    said: "J'ai regardé la fiche du composant hier soir. Le micrologiciel doit tenir dans 64 Ko, bootloader compris. Ça va être serré.",
    kept: 'Le micrologiciel doit tenir dans 64 Ko, bootloader compris.',
  },
  {
    said: 'laisse tomber les mocks, je prefere de vrais appels sur une base jetable',
    kept: 'laisse tomber les mocks, je prefere de vrais appels sur une base jetable',
  },
  {
    said: "Seul le service de paie a le droit d'écrire dans cette table.",
    kept: "Seul le service de paie a le droit d'écrire dans cette table.",
  },
  { said: 'On est obligés de conserver les journaux pendant dix ans.', kept: 'On est obligés de conserver les journaux pendant dix ans.' },
  {
    said: 'ok pour le reste, mais pas question de casser la lecture des anciennes sauvegardes',
    kept: 'pas question de casser la lecture des anciennes sauvegardes',
  },

  // Spanish (6)
  { said: 'Debes preguntar antes de instalar cualquier cosa.', kept: 'Debes preguntar antes de instalar cualquier cosa.' },
  { said: 'ni se te ocurra desactivar los tests que fallan', kept: 'ni se te ocurra desactivar los tests que fallan' },
  { said: 'El binario ha de correr en ARM y en x86 por igual.', kept: 'El binario ha de correr en ARM y en x86 por igual.' },
  {
    said: 'Ya vi el plan de ejecución, gracias. Evita las consultas sin índice, la tabla tiene noventa millones de filas.',
    kept: 'Evita las consultas sin índice, la tabla tiene noventa millones de filas.',
  },
  {
    said: 'Sin excepciones: toda devolución queda registrada con el usuario que la hizo.',
    kept: 'Sin excepciones: toda devolución queda registrada con el usuario que la hizo.',
  },
  { said: 'vale, pero los menores de 13 años no deberían ver el chat jamás', kept: 'los menores de 13 años no deberían ver el chat jamás' },
];

export const FINDINGS: readonly Planted[] = [
  // decisions (7)
  {
    said: 'Agreed, feature flags live in the database and the yaml file goes away.',
    kept: 'Agreed, feature flags live in the database and the yaml file goes away.',
  },
  {
    said: "I compared both on the dev kit this morning. We'll stick with FreeRTOS for this board revision. Zephyr can wait.",
    kept: "We'll stick with FreeRTOS for this board revision.",
  },
  { said: "ok i'm picking option B, one queue per region", kept: "ok i'm picking option B, one queue per region" },
  {
    said: 'Die Entscheidung ist gefallen, wir migrieren auf Kotlin Multiplatform.',
    kept: 'Die Entscheidung ist gefallen, wir migrieren auf Kotlin Multiplatform.',
  },
  {
    said: 'Nach dem Termin mit dem Labor steht fest: Befunde werden als FHIR ausgeliefert, HL7 v2 entfällt.',
    kept: 'Nach dem Termin mit dem Labor steht fest: Befunde werden als FHIR ausgeliefert, HL7 v2 entfällt.',
  },
  { said: "C'est tranché, les remises se calculent côté serveur.", kept: "C'est tranché, les remises se calculent côté serveur." },
  { said: 'Lo hablé con el equipo y vamos a usar Parquet para los históricos.', kept: 'vamos a usar Parquet para los históricos.' },

  // open questions (3)
  {
    said: 'The export itself is done. What should happen to subscriptions that are paused in the middle of a billing period? Nobody has answered that so far.',
    kept: 'What should happen to subscriptions that are paused in the middle of a billing period?',
  },
  {
    said: 'Ungeklärt: Brauchen wir für die Uhr-App eine eigene Zulassung?',
    kept: 'Ungeklärt: Brauchen wir für die Uhr-App eine eigene Zulassung?',
  },
  {
    said: 'todavía no sabemos si el proveedor soporta webhooks firmados',
    kept: 'todavía no sabemos si el proveedor soporta webhooks firmados',
  },

  // file paths (3)
  {
    said: 'The wrong dll gets picked up from "D:\\Build Output\\x64\\Release\\sensor_hub.core.dll" on my machine.',
    kept: 'D:\\Build Output\\x64\\Release\\sensor_hub.core.dll',
  },
  {
    said: 'regarde src/routes/[[lang]]/account/+page.server.ts, la redirection est là',
    kept: 'src/routes/[[lang]]/account/+page.server.ts',
  },
  { said: 'Das Zertifikat wird aus ../infra/tls.d/edge-gw.v3.chain.pem geladen.', kept: '../infra/tls.d/edge-gw.v3.chain.pem' },

  // errors (3)
  {
    said: 'container starts, then immediately:\n  File "/app/ingest/reader.py", line 3, in <module>\n    import pydicom\nModuleNotFoundError: No module named \'pydicom\'',
    kept: "ModuleNotFoundError: No module named 'pydicom'",
  },
  {
    said: "Scrolling up in the stack trace there is\nCaused by: java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms.\nso it's the pool after all",
    kept: 'java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms.',
  },
  {
    said: 'Seit heute früh liefert der Healthcheck nur noch curl: (22) The requested URL returned error: 503',
    kept: 'curl: (22) The requested URL returned error: 503',
  },

  // numbers with units (2)
  { said: 'On the old console we only reach 57 fps in the cave level.', kept: '57 fps' },
  { said: 'El lote más grande ocupa 740 MB sin comprimir.', kept: '740 MB' },

  // identifiers in backticks (2)
  { said: 'The leak is in `SessionReaper::sweep_expired`, it keeps a handle per tenant.', kept: 'SessionReaper::sweep_expired' },
  { said: 'der grenzwert steckt in `MAX_INFLIGHT_UPLOADS` und greift auch für thumbnails', kept: 'MAX_INFLIGHT_UPLOADS' },
];
