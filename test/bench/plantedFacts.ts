/*
 * Sentences of a long chat, and what must survive three summaries. Their author had not read the patterns that look for
 * them (`src/engine/compaction`), and they have no other use: they measure the patterns on unknown sentences. Never
 * change a pattern because of them. A new pattern needs new sentences.
 */

/** Patterns for rules and for the model's sentences are English. */
export interface Planted {
  readonly english: readonly string[];
  readonly others: readonly string[];
}

/** Demands of the user: to be kept word for word. */
export const DEMANDS: Planted = {
  english: [
    'our CI kills anything over 14 minutes, so keep the integration suite under that',
    'The `billing_v2` schema is frozen until the audit on 9 October.',
    'whatever you do, leave `/etc/haproxy/haproxy.cfg` on the edge boxes alone, ops edits it by hand',
    "I'd rather have three plain functions than one clever generic one in `src/routing`.",
    "We agreed with Marta's team that order ids stay 26-character ULIDs, no UUIDs.",
    'The customer insists on CSV with semicolons, their SAP import chokes on commas.',
    'no new npm dependencies please, legal takes about six weeks to clear each one',
    "prod runs Postgres 12.17 on RDS and that won't change this year",
    'All money values are integers in hundredths of a cent, see `lib/money/Amount.ts`.',
    'Never log the `X-Patient-Ref` header, not even at debug level.',
    'the sensors only have 96 KB of RAM, and about 30 of those are already taken by the BLE stack',
    'Commit messages go in the form `PAY-1234: verb object`, the hook rejects the rest.',
    'Demo for Kestrel Logistics is Thursday 15:30, the map view has to work by then.',
    'Use tabs in the Makefiles and two spaces everywhere else.',
    "let's stick with Svelte 4, the upgrade is a separate project",
    'Half of our users are on Safari 15.4, so no `structuredClone` without a fallback.',
    'Retries on the Adyen webhook: 5 at most, with jitter, and nothing longer than 40 s between two.',
    "Don't touch anything below `vendor/openjpeg`, we pull it in as a subtree from upstream.",
    'the staging DB is shared with the data science folks, they get really angry when somebody truncates `events_raw`',
    "Decision from this morning's call: we drop Windows Server 2016 and keep 2019.",
    'Only Priya can approve changes to `terraform/network`, so put those in their own PR.',
    'p99 for `/v3/quote` is contractually 180 ms. Today we sit at 165, so there is not much headroom.',
    'I want every public method in the `ledger` package to return a Result, no throwing across that boundary.',
    'Old Android clients (4.8 and below) still send `userID` with a capital D, keep accepting it.',
    'Timestamps in the export are Europe/Lisbon local time, not UTC. Weird, but the regulator wants it that way.',
    'forget about Redis, we go with the `pg_notify` approach',
    'Feature flag for the new checkout is `chk_onepage`, off by default for everybody except tenant 7713',
    'Please answer me without code unless I ask for it, I read these on my phone during the commute.',
  ],
  others: [
    // German (4)
    'Die Schnittstelle zu DATEV bleibt bei ISO-8859-1, UTF-8 nehmen die nicht an.',
    'bitte keine Migrationen zwischen 22 und 4 Uhr, da läuft der Nachtlauf von `lagerabgleich`',
    'Wir haben uns mit dem Betriebsrat geeinigt, dass Klarnamen nach 90 Tagen aus `zeiterfassung` verschwinden.',
    'Der Kunde aus Graz hat noch 32-Bit-Terminals im Einsatz, der Client wird also weiter für x86 gebaut.',
    // French (4)
    "On reste sur Symfony 5.4 jusqu'à la fin du contrat avec la mairie de Rennes, en mars.",
    "pas question de toucher à `src/Tarif/Grille.php`, c'est le code certifié par l'organisme",
    "Les messages d'erreur affichés au client sont en français et vouvoient toujours, y compris dans l'appli mobile.",
    "Le proxy de l'hôpital coupe toute connexion au bout de 25 secondes, donc les imports doivent passer par morceaux.",
    // Spanish (4)
    'El campo `nif_cliente` no puede salir nunca del servidor de Zaragoza, es cosa de protección de datos.',
    'prefiero consultas SQL a mano en `informes/`, nada de ORM ahí',
    'La entrega a Correos es el 17 de noviembre y no se mueve.',
    'En las tiendas la impresora térmica solo admite 42 columnas, los tickets tienen que caber ahí.',
  ],
};

/** Findings of the model. Keep each name in backticks, path, error, and figure with a unit. */
export const FINDINGS: Planted = {
  english: [
    'The leak comes from `SocketPool.acquire()`: the `close` listener is added on every checkout and removed on none.',
    'I measured the cold start: 2.31 s before, 840 ms after moving the Prisma client out of the handler.',
    'The build on arm64 stops with `ld: symbol(s) not found for architecture arm64: _SSL_CTX_new`, so the bundled libssl is x86 only.',
    "I went with a partial index on `shipments(status) WHERE status <> 'done'` because the full one was 11 GB and hardly ever used.",
    'Changed files: `pkg/auth/session.go`, `pkg/auth/session_test.go` and `deploy/helm/values.yaml`.',
    'Still open: does the warehouse in Tilburg expect pallets or single cartons in field `QTY_UOM`? I assumed cartons for now.',
    "The flaky `CalendarSpec` fails only when it runs after 23:00, since `startOfWeek` takes the host's clock instead of the injected one.",
    'Of the 48,212 rows in the March dump, 317 have a null `tenant_id`, all of them written by the importer v0.9.3.',
    'Root cause of the double emails: two Celery beat instances are alive, one in `worker-a` and a forgotten one in `cron-legacy`.',
    'Switching from gzip to zstd level 3 cuts the nightly backup from 62 GB to 41 GB at about the same CPU time.',
    'The `ECONNRESET` shows up exactly 350 s after the last byte, which matches the idle timeout of the AWS NLB.',
    'I kept `decodeFrame` synchronous: the async variant lost 18% throughput in the 64-byte packet case.',
    'The test server answers `422 {"error":"iban_country_mismatch"}` for Maltese accounts, while the sandbox docs claim a 400.',
    '`useInvoiceList` refetches on every keystroke because the filter object gets a new identity on each render of `InvoicePage.tsx`.',
    'All 1,904 unit tests pass now, but `e2e/returns.spec.ts` is skipped until the mock for DHL labels exists.',
    'The GPU path is slower for images under 512x512: 9.7 ms against 6.2 ms on the CPU, the upload dominates.',
    'Commit `e41b07c` introduced the regression, it swapped the operands in `compareSemver` so 1.10 sorts before 1.9.',
  ],
  others: [
    // German (1)
    'Die Ursache ist gefunden: `Rundung.kaufmaennisch()` rundet negative Beträge zur Null hin, daher fehlen im Abschluss 0,03 Euro.',
    // French (1)
    "Le blocage vient d'un verrou sur la table `stock_depot` : la tâche `recalculNuit` le garde pendant 7 minutes.",
    // Spanish (1)
    'El fallo está en `src/mapas/proyeccion.ts`: usa EPSG:4326 y las parcelas del catastro vienen en EPSG:25830.',
  ],
};

export const DISTRACTORS: readonly string[] = [
  // English (26)
  'Can you rename this variable to `total`?',
  'thanks, that looks great!',
  'hm, that looks odd',
  'I had a look this morning and then went for lunch, sorry for the delay.',
  'could you explain what a covering index is?',
  'ok go ahead',
  'What does the second argument of `reduce` do again?',
  'show me the diff please',
  'wow, that was quick',
  'Good morning! Coffee first, then we continue.',
  'run it again and paste the output',
  'I was in meetings all day, where were we?',
  'Sounds good to me.',
  'can you open `README.md` and tell me what it says in the intro',
  'no idea, what do you think?',
  'My cat just walked over the keyboard, ignore that last line.',
  'Please sort the imports in this file.',
  'still reading, give me a minute',
  "I pulled the branch and started the dev server, it's compiling right now.",
  'is there a shorter way to write that loop?',
  'ha, I made the same mistake last year',
  'Let me try that on my laptop and come back to you.',
  'Add a comment above that function, would you?',
  'ok, I see it now, the brace was on the wrong line',
  'why is it called a monad anyway?',
  "That's enough for today, have a nice evening!",
  // German (3)
  'super, danke dir!',
  'Kannst du mir kurz erklären, was ein Mutex ist?',
  'Ich hab mir gerade einen Tee geholt und schau es mir jetzt an.',
  // French (3)
  'parfait, merci beaucoup',
  'Tu peux me montrer le début du fichier ?',
  "Bizarre, je ne m'attendais pas à ça.",
  // Spanish (3)
  'vale, gracias, voy a probarlo',
  '¿Me puedes explicar otra vez qué hace esa expresión regular?',
  'Perdona, estaba al teléfono, ya he vuelto.',
];

export const CHATTER: readonly string[] = [
  // English (16)
  'I will now open the file and have a look.',
  "You're welcome! Let me know if there is anything else.",
  'Sure, happy to help with that.',
  'A hash map stores key-value pairs and finds a value by hashing its key.',
  'Let me search the repository for other uses of it.',
  'Good question! In general, promises are a way to represent a value that arrives later.',
  'Here is the output of the command:',
  "I'm going to run the tests again to see whether anything changed.",
  "Great, then let's move on to the next step.",
  'Sorry for the confusion, let me rephrase that.',
  'Closures capture variables from the scope they are defined in, which makes them handy for callbacks.',
  'Done, the variable is renamed.',
  "First I'll read through the code, then I'll make a suggestion.",
  'That is a nice way to put it.',
  'There are usually several ways to write such a loop, and most of them read about equally well.',
  'Shall I go on, or would you like to look at it yourself first?',
  // German (3)
  'Gern, ich sehe mir die Datei gleich an.',
  'Ein Deadlock entsteht ganz allgemein, wenn zwei Threads gegenseitig aufeinander warten.',
  'Freut mich, dass es jetzt klappt!',
  // French (3)
  'Très bien, je lance la commande.',
  "De façon générale, une file d'attente sert les éléments dans l'ordre de leur arrivée.",
  "Avec plaisir, n'hésitez pas si vous avez d'autres questions.",
  // Spanish (3)
  'Claro, ahora mismo lo miro.',
  'Una función pura devuelve siempre lo mismo para las mismas entradas.',
  'De nada, aquí estoy para lo que haga falta.',
];
