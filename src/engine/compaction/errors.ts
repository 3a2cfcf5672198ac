import type { FoundFact, Piece } from './fact.js';
import type { Line } from './facts/lines.js';

/** Maximum characters kept of an error text. Its beginning identifies the error; its end is usually a stack trace. */
const LONGEST_ERROR = 300;

/** Minimum number of characters in a quoted error message. Shorter quotations are usually names. */
const SHORTEST_MESSAGE = 8;

/** Maximum number of characters between a quoted message and its error word, such as "fails with". */
const REACH = 80;

/** Maximum number of characters in the file location before an error: a path with line and column. */
const LONGEST_LOCATION = 160;

const LOCATION = /(?<![^\s"'`(])[^\s"'`():]{2,150}(?:\(\d{1,7}(?:,\d{1,5})?\)|:\d{1,7}(?::\d{1,5})?)(?:: | - )$/;

/** A quick check of each line: a line without a match has no error text. */
const SIGN =
  /err|:\d+:\d+: |\b[45]\d\d [A-Z]|[A-Z]-\d{3,6}:|not found|denied|refused|no such|undefined|unable|cannot|invalid|timed|killed|conflict|unexpected|exception|fatal|panic|fail|crash|exit|throw|status|http|fehler|fallo|plant|wirft|lanza|abort|fault|\bE[A-Z]{3,}/i;

const ERROR_STARTS = [
  // "TypeError: …", "java.io.IOException: …", "error TS2345: …", "Error [ERR_X]: …", "error[E0382]: …", "Fehler: …"
  /(?<![\p{L}\p{N}_.$])(?:[\p{L}\p{N}_.$]{0,100}(?:Error|Exception|Fehler|Erreur|Failure|Panic)|error|erreur|fatal|panic|fehler)(?: ?\[[\w-]{1,40}\]| [A-Z]{1,6}\d{1,6})? ?:(?= |$)/gu,
  // "[ERROR] …", "ERROR …", "npm ERR! …"
  /(?<![\p{L}\p{N}_])(?:\[?(?:ERROR|FATAL|CRITICAL)\]?(?= [^,.;:])|(?:npm )?ERR!)/gu,
  // "./run.sh: line 3: jq: command not found", "curl: (7) Failed to connect", "ld: undefined reference to `f'"
  /(?<![^\s"'`(])(?:[\w./\\~-]{1,120}: ?(?=\S| ))(?:[\w./ ()*-]{1,60}: ){0,4}(?=[^:\n]{0,60}(?:not found|[Nn]o such|[Dd]enied|refused|[Cc]annot|[Uu]nable to|[Ff]ailed|undefined|[Uu]nexpected|[Uu]nrecognized|not recognized|timed out|[Kk]illed|[Ii]nvalid|panicked at|\*\*\* ))/gu,
  // "main.go:14:2: undefined: load"
  /(?<![^\s"'`(])[^\s"'`():]{2,150}:\d{1,7}:\d{1,5}: (?=\S)/gu,
  // "thread 'main' panicked at …", "CONFLICT (content): …", "SQLSTATE[23000]: …"
  /(?<![\p{L}\p{N}_])(?:thread '[^'\n]{1,60}' panicked at|CONFLICT \([^)\n]{1,40}\):|SQLSTATE\[\w{1,10}\]|Error (?:from|response from) [\w ().-]{1,40}:|Unhandled [\w ]{1,40}[.:](?= )|[A-Z]{2,6}-\d{3,6}:|e: (?=\S))/gu,
  // "ENOENT: no such file"
  /(?<![\p{L}\p{N}_])E[A-Z]{3,20}:(?= )/gu,
];

const CODES = [
  /\b(?:exit(?:ed)?|exits|return(?:ed)?) (?:with )?(?:code|status) -?\d{1,10}\b/gi,
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?: code)?) [45]\d\d\b(?: [A-Z][\w'-]{1,30}){0,5}/g,
  /\b(?:http|Status|STATUS|Http|status code:?) [45]\d\d\b/g,
  /(?<![\w.,])[45]\d\d (?:[A-Z][a-z][\w'-]{1,30})(?: [A-Z][\w'-]{1,30}){0,4}(?= ?(?:[.,;:!?)"'\n]|$|[a-z]))/g,
  /\b(?:SIG(?:SEGV|KILL|ABRT|TERM|BUS|FPE)|E(?:CONN\w+|TIMEDOUT|NOENT|ACCES|PERM|ADDRINUSE|NOTFOUND|PIPE|MFILE|NOSPC))\b(?: [\w.:-]+:\d{2,5})?/g,
  /\b(?:segmentation fault|segfault|out of memory|stack overflow)\b(?: \(core dumped\))?/gi,
];

const ERROR_WORD =
  /(?<![\p{L}])(?:errors?|exceptions?|fail(?:s|ed|ure|ing)?|crash(?:es|ed)?|throws?|threw|says?|said|fehler|meldung|wirft|erreur|échoue|plante|falla|lanza)(?![\p{L}])/iu;
const QUOTED = /"([^"\n]{1,400})"|`([^`\n]{1,400})`|“([^”\n]{1,400})”|„([^“\n]{1,400})“|«([^»\n]{1,400})»/g;

/** Returns the error texts: lines such as `TypeError: …`, quoted messages next to error words, exit codes. */
export function errorFacts(lines: readonly Line[]): FoundFact[] {
  return lines.flatMap((line) => (SIGN.test(line.text) ? errorsOf(line) : []));
}

function errorsOf(line: Line): FoundFact[] {
  const named = startsOf(line.text);
  const taken = named.map(({ text, at }) => ({ from: at, to: at + text.length }));
  const others = [
    ...quotedOf(line.text),
    ...CODES.flatMap((code) => [...line.text.matchAll(code)].map((match) => ({ text: match[0], at: match.index }))),
  ];
  const free = others.filter(({ at }) => !taken.some(({ from, to }) => at >= from && at < to));
  return [...named, ...free].map(({ text, at }) => ({ kind: 'error', text, at: at + line.at }));
}

/** Returns the errors in a line. A quoted error ends at the closing quotation mark, other errors at the line's end. */
function startsOf(text: string): Piece[] {
  const starts = ERROR_STARTS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match.index)).sort((a, b) => a - b);
  const found: Piece[] = [];
  let end = 0;
  for (const at of starts) {
    if (at < end) {
      continue;
    }
    const mark = text.charAt(at - 1);
    const rest = text.slice(at, at + LONGEST_ERROR + 1);
    const closed = at > 0 && /["'`]/.test(mark) ? rest.indexOf(mark) : -1;
    const error = bounded(closed === -1 ? rest : rest.slice(0, closed));
    end = at + error.length;
    // Skips an error word without a message, such as "Error:".
    if (/\s\S/.test(error)) {
      const location = locationBefore(text, at);
      found.push({ text: `${location}${error}`, at: at - location.length });
    }
  }
  return found;
}

/** Returns the place in a file that a compiler writes before its error, such as "src/a.ts(4,2): ", or an empty text. */
function locationBefore(text: string, at: number): string {
  return LOCATION.exec(text.slice(Math.max(0, at - LONGEST_LOCATION), at))?.[0] ?? '';
}

function quotedOf(text: string): Piece[] {
  if (!ERROR_WORD.test(text)) {
    return [];
  }
  return [...text.matchAll(QUOTED)]
    .map((match) => ({ text: match[0].slice(1, -1), at: match.index + 1 }))
    .filter(({ text: quoted, at }) => {
      const around = `${text.slice(Math.max(0, at - REACH), at)} ${text.slice(at + quoted.length, at + quoted.length + REACH)}`;
      return quoted.length >= SHORTEST_MESSAGE && /\S\s\S/.test(quoted) && quoted.trim() === quoted && ERROR_WORD.test(around);
    })
    .map(({ text: quoted, at }) => ({ text: bounded(quoted), at }));
}

function bounded(text: string): string {
  if (text.length <= LONGEST_ERROR) {
    return text.trimEnd();
  }
  const space = text.lastIndexOf(' ', LONGEST_ERROR);
  return text.slice(0, space > 0 ? space : LONGEST_ERROR).trimEnd();
}
