import { parseDocument, visit, type Document } from 'yaml';
import { separated } from '../filePatterns.js';

/* Parses front matter key by key, so that an error in one key does not affect other keys. */

export interface FrontMatterFault {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly reason: string;
  /** Whether Loupe uses the value in spite of the error, exactly as written in the file. */
  readonly isRead: boolean;
}

export interface FrontMatterKeys {
  readonly values: ReadonlyMap<string, unknown>;
  readonly faults: readonly FrontMatterFault[];
}

/** The reason of an error: a line without a key. */
export const NO_KEY = 'the line is not a key with a value';

const NOT_YAML = 'Loupe does not read anchors, aliases and tags. Put the value in quotes';

/** Keys with patterns. Other editors accept them without quotes: `globs: *.ts` and `tools: *` are YAML aliases. */
const PATTERN_KEYS: ReadonlySet<string> = new Set(['globs', 'applyTo', 'paths', 'fileMatchPattern', 'tools']);

/** Keys with a text that people write without quotes, such as `argument-hint: [issue] [priority]`. */
const TEXT_KEYS: ReadonlySet<string> = new Set(['argument-hint']);

/** Matches the start of each line that begins a key: no indentation, list entry, comment or closing bracket. */
const KEYS = /^(?=[^\s#\-\]}])/m;

/** Maximum number of characters, far above usual. The parse time grows with the square of the nesting depth. */
export const LONGEST_FRONT_MATTER = 10_000;

/** Reads the keys one by one. `firstLine`: the line of the file at which `yaml` begins. Never throws. */
export function readKeys(yaml: string, firstLine: number): FrontMatterKeys {
  const values = new Map<string, unknown>();
  if (yaml.length > LONGEST_FRONT_MATTER) {
    const reason = `the front matter is longer than ${LONGEST_FRONT_MATTER.toLocaleString('en')} characters`;
    return { values, faults: [{ line: firstLine, reason, isRead: false }] };
  }
  const faults: FrontMatterFault[] = [];
  let line = firstLine;
  for (const lines of yaml.split(KEYS)) {
    const { entries, fault } = readKey(lines);
    for (const [key, value] of entries) {
      if (values.has(key)) {
        faults.push({ line, reason: `${key} appears twice, and Loupe uses the first one`, isRead: false });
      } else {
        values.set(key, value);
      }
    }
    if (fault !== null) {
      faults.push({ ...fault, line: line + fault.line });
    }
    line += lines.split('\n').length - 1;
  }
  return { values, faults };
}

interface KeyRead {
  readonly entries: readonly (readonly [string, unknown])[];
  /** The error of this key. Its line is counted from 0, starting at the key. */
  readonly fault: FrontMatterFault | null;
}

function readKey(lines: string): KeyRead {
  const document = parseDocument(lines);
  const [error] = document.errors;
  if (error === undefined && !hasReferences(document)) {
    return entriesOf(document.toJS());
  }
  const [reason = NOT_YAML] = error?.message.split(/ at line |:?\n/) ?? [];
  // For an unclosed value, the parser reports a line after the end.
  const line = Math.min((error?.linePos?.[0].line ?? 1) - 1, lines.trimEnd().split('\n').length - 1);
  const written = asWritten(lines);
  if (written === null) {
    return { entries: [], fault: { line, reason, isRead: false } };
  }
  const isUsual = PATTERN_KEYS.has(written[0]) || TEXT_KEYS.has(written[0]);
  return { entries: [written], fault: isUsual ? null : { line, reason, isRead: true } };
}

function entriesOf(value: unknown): KeyRead {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return { entries: Object.entries(value), fault: null };
  }
  // Comments and empty lines before the first key are not an error.
  return { entries: [], fault: value === null ? null : { line: 0, reason: NO_KEY, isRead: false } };
}

/** Whether a value has a YAML alias, anchor or tag. In rule files, `*`, `&` and `!` usually start glob patterns. */
function hasReferences(document: Document): boolean {
  let has = false;
  visit(document, {
    Alias: () => {
      has = true;
      return visit.BREAK;
    },
    Value: (_, { anchor, tag }) => {
      has = anchor !== undefined || tag !== undefined;
      return has ? visit.BREAK : undefined;
    },
  });
  return has;
}

const KEY_AND_VALUE = /^([\w.-]+):[ \t]+(.+)$/;
/** As `KEY_AND_VALUE`, with a value of several lines. */
const KEY_AND_LINES = /^([\w.-]+):(?=\s)(.*)$/s;
const LIST = /^(?:\s*\n)?(?:[ \t]*-[ \t][^\n]*(?:\s*\n|$))+$/;
const ENTRY = /^[ \t]*-[ \t]+/gm;
/** Matches the start of a value that is not plain text: an alias, a block, a list or an unclosed quotation. */
const NO_TEXT = /^[*&!|>{"]|^'(?!.*'$)|^\[(?!.*\][^\]]+$)/;
const COMMENT = /(?:^|[ \t])#[^\n]*|\r/g;

/** Returns a key with the value that the author probably meant: a text or patterns (no map). Null if unclear. */
function asWritten(written: string): readonly [string, unknown] | null {
  const text = written.replaceAll(COMMENT, '').trimEnd();
  const [, ofPatterns = '', lines = ''] = KEY_AND_LINES.exec(text) ?? [];
  if (PATTERN_KEYS.has(ofPatterns)) {
    const value = lines.trim().replace(/^\[(.*)\]$/s, '$1');
    const found = patterns(LIST.test(lines) ? lines.replaceAll(ENTRY, '').split('\n') : separated(value));
    return found.some((pattern) => /:\s/.test(pattern)) ? null : [ofPatterns, found];
  }
  const [, key = '', value = ''] = KEY_AND_VALUE.exec(text) ?? [];
  return isText(key, value) ? [key, unquoted(value)] : null;
}

function isText(key: string, value: string): boolean {
  return value !== '' && (TEXT_KEYS.has(key) || !NO_TEXT.test(value));
}

function patterns(written: readonly string[]): readonly string[] {
  return written.map((each) => unquoted(each.trim())).filter((each) => each !== '');
}

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, '$2');
}
