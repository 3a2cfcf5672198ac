/*
 * Recognizes statements of the user. There are too many ways to state something for a list of patterns. So a user
 * sentence is a statement unless it is a question, an instruction for one task, thanks or pasted text. The word lists
 * cover four languages. In other languages, Loupe keeps too many sentences. The lists have no accents, like plain
 * sentences.
 */

/** Minimum number of words in a statement. A shorter sentence means nothing without its context: "That looks right." */
const FEWEST_WORDS = 4;

/** Maximum number of words in thanks or agreement. Longer sentences say more: "ok, but the old names stay valid". */
const LONGEST_REACTION = 7;

/** Words to skip at the beginning of a sentence, to find its first meaningful word. */
const FILLERS = new Set(
  words(`. , ; : ! ( ) please now then also so and ok okay well hey hi hello great good nice perfect cool thanks thank you
    bitte jetzt dann auch also und gut danke super hallo s'il te vous plait maintenant puis et aussi merci bien bon
    por favor ahora luego tambien y bueno vale gracias hola`),
);

/** First words of one-time instructions, and of questions without a question mark: "Show me the file." */
const TASKS = new Set(
  words(`why how where who what warum wieso weshalb wie wo pourquoi comment como
    show explain run rerun open give tell list print look check try fix add write create build implement refactor rename remove delete
    move update change continue go help find search review translate summarize summarise generate compare draft let's describe read rewrite
    let convert apply revert undo finish start walk sketch put debug investigate figure bump extract split merge commit push install
    zeig zeige schau schaue mach mache schreib schreibe fuge fueg fug bau baue erklar erklare pruf prufe losch losche nenn nenne gib offne
    starte fuhr fuhre lass andere andre korrigiere benenne verschiebe such suche finde vergleiche ubersetze erstelle implementiere ergange
    erganze teste behebe versuch versuche wiederhole lies hilf
    montre montre-moi explique explique-moi ajoute ecris cree fais lance ouvre corrige verifie regarde supprime renomme cherche trouve donne
    donne-moi mets compare traduis implemente essaie lis relance continue resume teste deplace
    muestra muestrame explica explicame anade agrega escribe crea haz ejecuta abre corrige arregla revisa mira borra elimina renombra cambia
    busca encuentra dame pon compara traduce implementa prueba sigue lee mueve actualiza`),
);

/** Words that make an instruction a lasting rule: "Write every message in English." */
const LASTING =
  / (?:every|each|all|always|any|only|never|no|not|without|don't|whenever|from now on|instead|before|after|unless|must|jede[rsnm]?|alle[nrs]?|immer|nur|kein(?:e|en|er)?|nicht|ohne|nie|statt|bevor|chaque|tous|toutes|toujours|seulement|jamais|sans|avant|uniquement|cada|todos|todas|siempre|solo|nunca|sin|antes) /;

const REACTION =
  / [.] (?:thanks|thank|thx|great|perfect|nice|good|cool|awesome|excellent|looks|look|sounds|works|worked|got|yes|yep|no|nope|sure|ok|okay|right|done|hm+|ah|oh|wow|sorry|danke|super|prima|perfekt|gut|schon|genau|ja|nein|klar|passt|stimmt|merci(?! de \S+(?:er|ir|re) )|parfait|super|oui|non|d'accord|bien|gracias|perfecto|genial|si|claro|vale|bueno) /;

/** Minimum share of letters, spaces and simple punctuation in prose. Logs, code and tables have a smaller share. */
const LEAST_PROSE = 0.8;

const NO_PROSE =
  /^(?:[[{<(|$@#]|\d{2,4}[-:/.]\d|at \S+\s?\(|(?:const|let|var|import|export|function|class|def|return|if|for|while)\b.*[;:{)=]|(?:debug|info|warn|warning|error|trace)\b\s*[:[\]|])/i;

const CODE_END = /[;{}]$/;

/** Whether a user sentence of no other kind is a statement. `plain` is the sentence's plain form (`plainSentence`). */
export function isStatement(sentence: string, plain: string): boolean {
  const said = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return said >= FEWEST_WORDS && !isTask(plain) && !(said <= LONGEST_REACTION && REACTION.test(plain)) && isProse(sentence);
}

function isTask(plain: string): boolean {
  const verb = plain
    .trim()
    .split(' ')
    .find((word) => !FILLERS.has(word));
  return verb !== undefined && TASKS.has(verb) && !LASTING.test(plain);
}

function isProse(sentence: string): boolean {
  const prose = sentence.match(/[\p{L}\s,.'’-]/gu)?.length ?? 0;
  return prose >= sentence.length * LEAST_PROSE && !NO_PROSE.test(sentence) && !CODE_END.test(sentence);
}

function words(list: string): string[] {
  return list.split(/\s+/);
}
