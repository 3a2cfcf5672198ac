import type { Found } from './fact.js';
import type { Line } from './lines.js';

/** Numbers of this length are data, not figures. */
const LONGEST_NUMBER = 24;

const NUMBER = /\d[\d.,]*/g;
const CURRENCY_BEFORE = /(?:US\$|[$€£¥])\s?$/;

/** Units as they are written: their case tells MB from mb, and s from S. */
const SYMBOLS =
  'ms s sec secs min mins h hr hrs ns µs μs us B kB KB MB GB TB kb Mb Gb KiB MiB GiB TiB Mo Go Ko Mbit kbit px em rem pt dpi fps rpm Hz kHz MHz GHz °C °F W kW V mV A mA m km cm mm kg g mg l ml USD EUR GBP CHF € $ £ % ‰'.split(
    ' ',
  );
const NAMES =
  'second minute hour day week month year byte bit token line character char request row column message user connection thread worker core retrie retry percent dollar euro cent sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate jahr jahre zeichen zeile zeilen prozent anfragen nachrichten seconde heure jour semaine mois année ligne caractère octet requête segundo minuto hora día semana mes meses año línea carácter caracteres solicitude'.split(
    ' ',
  );
const UNITS = new Set([...SYMBOLS, ...NAMES, ...NAMES.map((name) => `${name}s`)]);

/** The word after a number, and what it is counted per. Anchored, so it is read once for each number. */
const UNIT = /^[ \u00A0\u202F-]?([\p{L}µμ]{1,12}|°[CF]|[%‰€$£])(?![\p{L}\p{N}_])(\/(?:[\p{L}]{1,8})(?![\p{L}\p{N}_]))?/u;

/** The longest text that `UNIT` reads. */
const LONGEST_UNIT = 24;

/** The numbers with a unit or a currency in the lines that are not code. */
export function figureFacts(lines: readonly Line[]): Found[] {
  return lines.filter((line) => !line.isCode).flatMap(figuresOf);
}

function figuresOf({ text, at }: Line): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const number = match[0].replace(/[.,]$/, '');
    const before = text.slice(Math.max(0, match.index - 4), match.index);
    const after = text.slice(match.index + number.length, match.index + number.length + LONGEST_UNIT);
    const currency = CURRENCY_BEFORE.exec(before)?.[0] ?? '';
    const unit = UNIT.exec(after);
    const isUnit = unit !== null && UNITS.has(isSymbol(unit[1] ?? '') ? (unit[1] ?? '') : (unit[1] ?? '').toLowerCase());
    // "$1" is a variable of a shell or a pattern more often than a price.
    const isPrice = currency !== '' && (number.length > 1 || !currency.endsWith('$')) && !/^[\p{L}\p{N}_]/u.test(after);
    if (number.length > LONGEST_NUMBER || (currency === '' && /[\p{L}\p{N}_.,#$]$/u.test(before)) || !(isUnit || isPrice)) {
      continue;
    }
    const start = match.index - currency.length;
    const end = match.index + number.length + (isUnit ? unit[0].length : 0);
    found.push({ kind: 'figure', text: text.slice(start, end), at: at + start });
  }
  return found;
}

function isSymbol(unit: string): boolean {
  return SYMBOLS.includes(unit);
}
