import { parseDocument, visit, type Document } from 'yaml';
import { separated } from '../filePatterns.js';

/*
 * The YAML of front matter as people write it: one key that is no YAML does not take the others along.
 */

/** What is no YAML in front matter. */
export interface FrontMatterFault {
  /** In the file, from 1. */
  readonly line: number;
  readonly reason: string;
  /** Whether the value is read all the same, as it is written. */
  readonly isRead: boolean;
}

export interface FrontMatterKeys {
  readonly values: ReadonlyMap<string, unknown>;
  readonly faults: readonly FrontMatterFault[];
}

/** The reason of a line that begins no key. */
export const NO_KEY = 'it is no key with a value';

const NOT_YAML = 'anchors, aliases and tags are not read. Put the value in quotes';

/** Keys for glob patterns, which other editors let people write as they are: `globs: *.ts` is an alias in YAML. */
const PATTERN_KEYS: ReadonlySet<string> = new Set(['globs', 'applyTo', 'paths']);

/** Before each line that is neither indented nor an entry of a list, a comment, or the end of a bracket: a key begins there. */
const KEYS = /^(?=[^\s#\-\]}])/m;

/** In characters: more than people write, and few enough for the parser, whose time grows with the square where brackets nest. */
export const LONGEST_FRONT_MATTER = 10_000;

/** Reads the keys one by one. Never throws. */
export function readKeys(yaml: string): FrontMatterKeys {
  const values = new Map<string, unknown>();
  if (yaml.length > LONGEST_FRONT_MATTER) {
    const reason = `it is longer than ${LONGEST_FRONT_MATTER.toLocaleString('en')} characters`;
    return { values, faults: [{ line: 2, reason, isRead: false }] };
  }
  const faults: FrontMatterFault[] = [];
  // The fence is the first line of the file.
  let line = 2;
  for (const lines of yaml.split(KEYS)) {
    const { entries, fault } = readKey(lines);
    for (const [key, value] of entries) {
      if (values.has(key)) {
        faults.push({ line, reason: `${key} is there twice`, isRead: false });
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
  /** Its line counts from 0 here. */
  readonly fault: FrontMatterFault | null;
}

function readKey(lines: string): KeyRead {
  const document = parseDocument(lines);
  const [error] = document.errors;
  if (error === undefined && !hasReferences(document)) {
    return entriesOf(document.toJS());
  }
  const [reason = NOT_YAML] = error?.message.split(/ at line |:?\n/) ?? [];
  // What does not end is an error behind its last line.
  const line = Math.min((error?.linePos?.[0].line ?? 1) - 1, lines.trimEnd().split('\n').length - 1);
  const written = asWritten(lines);
  if (written === null) {
    return { entries: [], fault: { line, reason, isRead: false } };
  }
  const isUsual = PATTERN_KEYS.has(written[0]);
  return { entries: [written], fault: isUsual ? null : { line, reason, isRead: true } };
}

function entriesOf(value: unknown): KeyRead {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return { entries: Object.entries(value), fault: null };
  }
  // Comments and empty lines in front of the first key are nothing.
  return { entries: [], fault: value === null ? null : { line: 0, reason: NO_KEY, isRead: false } };
}

/** `*`, `&` and `!` begin patterns here far more often than what YAML has them for. */
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
const KEY_AND_LIST = /^([\w.-]+):\s*\n((?:[ \t]*-[ \t][^\n]*(?:\n|$))+)$/;
const ENTRY = /^[ \t]*-[ \t]+/gm;
/** What begins an alias, a block, a list or a quotation that does not end. */
const NO_TEXT = /^[*&!|>{"]|^'(?!.*'$)|^\[(?!.*\][^\]]+$)/;
const COMMENT = /(?:^|[ \t])#[^\n]*|\r/g;

/** A key with a value on its line, or of patterns a list, as people mean it; null for all else. */
function asWritten(lines: string): readonly [string, unknown] | null {
  const text = lines.replaceAll(COMMENT, '').trimEnd();
  const [, key = '', value = ''] = KEY_AND_VALUE.exec(text) ?? [];
  if (PATTERN_KEYS.has(key)) {
    return [key, patterns(separated(value.replace(/^\[(.*)\]$/, '$1')))];
  }
  const [, ofList = '', entries = ''] = KEY_AND_LIST.exec(text) ?? [];
  if (PATTERN_KEYS.has(ofList)) {
    return [ofList, patterns(entries.replaceAll(ENTRY, '').split('\n'))];
  }
  const isText = value !== '' && !NO_TEXT.test(value);
  return isText ? [key, unquoted(value)] : null;
}

function patterns(written: readonly string[]): readonly string[] {
  return written.map((each) => unquoted(each.trim())).filter((each) => each !== '');
}

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, '$2');
}
