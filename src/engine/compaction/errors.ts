import type { Found, Piece } from './fact.js';
import type { Line } from './lines.js';

/** So much of an error tells it from others; the rest is a dump. */
const LONGEST_ERROR = 300;

/** A shorter quotation is a name, not a message. */
const SHORTEST_MESSAGE = 8;

/** How far from its word ("fails with") a quoted message stands. */
const REACH = 80;

/** Any of these, or the line has no error: one quick look at most lines. */
const SIGN =
  /err|exception|fatal|panic|fail|crash|exit|throw|status|http|fehler|fallo|plant|wirft|lanza|abort|fault|not found|denied|no such|refused|timed out|cannot|\bE[A-Z]{3,}/i;

const ERROR_STARTS = [
  // "TypeError: …", "java.io.IOException: …", "error TS2345: …", "Error [ERR_X]: …", "error[E0382]: …", "Fehler: …"
  /(?<![\p{L}\p{N}_.$])(?:[\p{L}\p{N}_.$]{0,100}(?:Error|Exception|Fehler|Erreur|Failure|Panic)|error|erreur|fatal|panic|fehler)(?: ?\[[\w-]{1,40}\]| [A-Z]{1,6}\d{1,6})? ?:(?= |$)/gu,
  // "[ERROR] …", "ERROR …", "npm ERR! …"
  /(?<![\p{L}\p{N}_])(?:\[?(?:ERROR|FATAL|CRITICAL)\]?(?= [^,.;:])|ERR!)/gu,
  // "src/a.ts(42,17): error TS2345: …", "main.c:12:5: error: …"
  /(?<!\S)[^\s:()]{1,200}(?:\(\d{1,7},\d{1,5}\)|:\d{1,7}(?::\d{1,5})?):? ?-? ?(?:fatal )?error(?=[ :])/gi,
  // "./deploy.sh: line 23: kubectl: command not found"
  /(?<!\S)[\w./~-]{1,100}: (?:line \d{1,7}: )?(?:[\w./~-]{1,100}: )?(?:command not found|no such file|permission denied|connection refused|operation not permitted|not a directory|is a directory)/gi,
  // "ENOENT: no such file"
  /(?<![\p{L}\p{N}_])E[A-Z]{3,20}:(?= )/gu,
];

const CODES = [
  /\b(?:exit(?:ed)?|exits|return(?:ed)?) (?:with )?(?:code|status) -?\d{1,10}\b/gi,
  /\bHTTP(?:\/[\d.]{1,3})? [45]\d\d(?: [A-Z][a-z'-]{1,20}(?: [A-Z][a-z'-]{1,20}){0,5})?/g,
  /\bstatus(?: code)? [45]\d\d\b/gi,
  /\b(?:segmentation fault|segfault|out of memory|stack overflow)\b/gi,
];

const ERROR_WORD =
  /(?<![\p{L}])(?:errors?|exceptions?|fail(?:s|ed|ure|ing)?|crash(?:es|ed)?|throws?|threw|says?|said|fehler|meldung|wirft|erreur|échoue|plante|falla|lanza)(?![\p{L}])/iu;
const QUOTED = /"([^"\n]{1,400})"|`([^`\n]{1,400})`|“([^”\n]{1,400})”|„([^“\n]{1,400})“|«([^»\n]{1,400})»/g;

/** The error texts of the lines: lines such as `TypeError: …`, quoted messages next to words of failing, exit codes. */
export function errorFacts(lines: readonly Line[]): Found[] {
  return lines.flatMap((line) => (SIGN.test(line.text) ? errorsOf(line) : []));
}

function errorsOf(line: Line): Found[] {
  const named = startsOf(line.text);
  const taken = named.map(({ text, at }) => ({ from: at, to: at + text.length }));
  const others = [
    ...quotedOf(line.text),
    ...CODES.flatMap((code) => [...line.text.matchAll(code)].map((match) => ({ text: match[0], at: match.index }))),
  ];
  const free = others.filter(({ at }) => !taken.some(({ from, to }) => at >= from && at < to));
  return [...named, ...free].map(({ text, at }) => ({ kind: 'error', text, at: at + line.at }));
}

/** Each error that begins in the line, up to the next quotation mark that closes it, or the line's end. */
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
    // "Error:" alone says nothing.
    if (/\s\S/.test(error)) {
      found.push({ text: error, at });
    }
  }
  return found;
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

/** At most `LONGEST_ERROR` characters, cut at a space if there is one. */
function bounded(text: string): string {
  if (text.length <= LONGEST_ERROR) {
    return text.trimEnd();
  }
  const space = text.lastIndexOf(' ', LONGEST_ERROR);
  return text.slice(0, space > 0 ? space : LONGEST_ERROR).trimEnd();
}
