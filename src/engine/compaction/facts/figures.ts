import type { FoundFact } from '../fact.js';
import type { Line } from './lines.js';

/** Longer numbers are data, not figures. */
const LONGEST_NUMBER = 24;

const NUMBER = /\d[\d.,]*/g;
const CURRENCY_BEFORE = /(?:US\$|[$€£¥])\s?$/;

/** Units as written: their case distinguishes MB from mb, and s from S. */
const SYMBOLS =
  'ms s sec secs min mins h hr hrs ns µs μs us B kB KB MB GB TB kb Mb Gb KiB MiB GiB TiB Mo Go Ko Mbit kbit px em rem pt dpi fps rpm Hz kHz MHz GHz °C °F W kW V mV A mA m km cm mm kg g mg l ml Mio Gio Kio dB dBm rps qps tps req ops mol mmHg bar mbar Pa hPa kPa MPa N Nm J kJ kcal ppm lx lm K mAh Ah Wh kWh MW GW µA mW µm nm kΩ Ω µF cl dl ha USD EUR GBP CHF € $ £ % ‰'.split(
    ' ',
  );
const NAMES =
  'event frame packet sample pixel volt watt ampere degree meter metre kilometer gram grad gramm liter litre degré mètre gramme grado metro gramo second minute hour day week month year byte bit token line character char request row column message user connection thread worker core retrie retry percent dollar euro cent sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate jahr jahre zeichen zeile zeilen prozent anfragen nachrichten seconde heure jour semaine mois an ans queries année ligne caractère octet requête segundo minuto hora día semana mes meses año línea carácter caracteres solicitude'.split(
    ' ',
  );
const UNITS = new Set([...SYMBOLS, ...NAMES, ...NAMES.map((name) => `${name}s`)]);

/** The unit after a number, with an optional "per" unit. Anchored, so it is read once for each number. */
const UNIT = /^[ \u00A0\u202F-]?([\p{L}µμΩ]{1,12}|°[CF]|[%‰€$£])(?![\p{L}\p{N}_])(\/(?:[\p{L}]{1,8})(?![\p{L}\p{N}_]))?/u;

const LONGEST_UNIT = 24;

/** Returns the numbers with a unit or a currency outside code. */
export function figureFacts(lines: readonly Line[]): FoundFact[] {
  return lines.filter((line) => !line.isCode).flatMap(figuresOf);
}

function figuresOf({ text, at }: Line): FoundFact[] {
  return [...text.matchAll(NUMBER)].flatMap((match) => {
    const figure = figureAt(text, match.index, match[0].replace(/[.,]$/, ''));
    return figure === null ? [] : [{ kind: 'figure', text: text.slice(figure.start, figure.end), at: at + figure.start } as const];
  });
}

/** Returns the bounds of the figure around a number, or null for a number without unit and currency. */
function figureAt(text: string, index: number, number: string): { readonly start: number; readonly end: number } | null {
  const before = text.slice(Math.max(0, index - 4), index);
  const after = text.slice(index + number.length, index + number.length + LONGEST_UNIT);
  const currency = CURRENCY_BEFORE.exec(before)?.[0] ?? '';
  const isPartOfWord = currency === '' && /[\p{L}\p{N}_.,#$]$/u.test(before);
  const unit = unitOf(after);
  if (number.length > LONGEST_NUMBER || isPartOfWord || (unit === '' && !isPrice(currency, number, after))) {
    return null;
  }
  return { start: index - currency.length, end: index + number.length + unit.length };
}

function unitOf(text: string): string {
  const unit = UNIT.exec(text);
  const name = unit?.[1] ?? '';
  return unit !== null && UNITS.has(SYMBOLS.includes(name) ? name : name.toLowerCase()) ? unit[0] : '';
}

/** "$1" is usually a variable of a shell or a pattern, not a price. */
function isPrice(currency: string, number: string, after: string): boolean {
  return currency !== '' && (number.length > 1 || !currency.endsWith('$')) && !/^[\p{L}\p{N}_]/u.test(after);
}
