import type { Ttl } from '../../engine/cache/cacheRules.js';
import type { PartField, RequestPart } from '../request/requestParts.js';
import { fieldNumber, requestForm } from './requestForm.js';
import type { Json } from '../../engine/json.js';

/*
 * The readable document of a request: sections under headings. A heading is a line that begins with a rule and a space.
 * The rule is longer than any that a line of the content begins with, so that no content looks like a heading. The first
 * line is a heading, and tells how long the rule is.
 */

const RULE = '━';
const SHORTEST_RULE = 3;
const FIRST_LINE = new RegExp(`^${RULE}{${String(SHORTEST_RULE)},}(?= )`);
/** Beginnings of lines as VS Code has them. */
const RULED_LINES = new RegExp(`(?<=^|[\\r\\n])${RULE}+(?= )`, 'g');

/** Of a heading and the text below it; null for no text. */
export interface Section {
  readonly heading: string;
  readonly text: string | null;
}

export interface ReadableRequest {
  readonly title: string;
  /** Lines below the title. */
  readonly head: readonly string[];
  readonly parts: readonly RequestPart[];
  /** The wire body. */
  readonly body: string;
  /** Tokens that the wire format adds to those of the parts. */
  readonly framingTokens: number;
  /** Lines about the response; empty for a request that is not sent yet. */
  readonly response: readonly string[];
}

const LIFETIMES = { '5m': '5 minutes', '30m': '30 minutes', '1h': '1 hour' } as const satisfies Readonly<Record<Ttl, string>>;

/** The sections of a request: its head, its parts as they are sent, all else that is sent, and the response. */
export function requestSections({ title, head, parts, body, framingTokens, response }: ReadableRequest): Section[] {
  return [
    { heading: title, text: head.join('\n') },
    ...parts.flatMap(partSections),
    {
      heading: `Everything else · ${tokenText(framingTokens)}`,
      text: `${FORM_NOTE}\n${requestForm(body, parts)}`,
    },
    ...responseSection(response),
  ];
}

/** The first line is the heading. */
function responseSection([heading, ...lines]: readonly string[]): Section[] {
  return heading === undefined ? [] : [{ heading, text: lines.join('\n') }];
}

const FORM_NOTE = 'The form in which the parts above are sent: ⟨1⟩ stands for part 1.';

function partSections({ title, tokens, fields, cached }: RequestPart, part: number): Section[] {
  const [first, ...others] = fields;
  return [
    {
      heading: [fieldNumber(part, 0), title, ...named(first), tokenText(tokens)].join(' · '),
      text: first === undefined ? null : valueText(first.value),
    },
    ...others.map((field, index) => ({
      heading: [fieldNumber(part, index + 1), ...named(field)].join(' · '),
      text: valueText(field.value),
    })),
    ...(cached === null ? [] : [{ heading: `— cache mark, for ${LIFETIMES[cached]} —`, text: null }]),
  ];
}

function named(field: PartField | undefined): string[] {
  return field === undefined || field.name === null ? [] : [field.name];
}

/** A text as it is sent, another value as indented JSON. */
function valueText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The document of these sections; the first one has its title. */
export function readablePage(sections: readonly Section[]): string {
  const rules = sections.flatMap(({ text }) => text?.match(RULED_LINES) ?? []);
  const rule = RULE.repeat(Math.max(SHORTEST_RULE - 1, ...rules.map(({ length }) => length)) + 1);
  const lines = sections.flatMap(({ heading, text }) => [
    // A path may hold a line break.
    `${rule} ${heading.replace(/[\r\n]+/g, ' ')}`,
    ...(text === null ? [] : [text]),
    // Room before the next heading: one empty line more than the text has.
    '',
  ]);
  return lines.join('\n');
}

/** A heading of a readable document. */
export interface Heading {
  /** From 0. */
  readonly line: number;
  readonly text: string;
}

/** The headings of a readable document, given its lines. */
export function headings(lines: readonly string[]): Heading[] {
  const rule = FIRST_LINE.exec(lines[0] ?? '')?.[0];
  return rule === undefined
    ? []
    : lines.flatMap((text, line) => (text.startsWith(`${rule} `) ? [{ line, text: text.slice(rule.length + 1) }] : []));
}

export function tokenText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'token' : 'tokens'}`;
}
