import type { BlobContent } from '../../../src/engine/model/part.js';
import { utf8ForModel, type ResultTexts } from '../../../src/engine/request/resultText.js';

/** Results that are too large for the log, by blob name. Two are sent whole, the third is not. */
export const WHOLE_RESULTS: ReadonlyMap<string, string> = new Map([
  ['dd', 'a line\n'.repeat(2_400)],
  ['ee', `\ufeff${'\u{1f30a}é'.repeat(3_000)}`],
  ['ff', `begin ${'\u20ac\u{1f30a}x'.repeat(40_000)} end`],
]);

export const RESULT_TEXTS: ResultTexts = new Map([...WHOLE_RESULTS].map(([name, text]) => [name, utf8ForModel(Buffer.from(text))]));

/** Returns the results that can be read. Properties name the missing ones, because they print their input. */
export function resultTextsWithout(missing: readonly string[]): ResultTexts {
  return new Map([...RESULT_TEXTS].filter(([name]) => !missing.includes(name)));
}

export const NO_RESULTS: ResultTexts = new Map();

export const LARGE_RESULTS: readonly BlobContent[] = [...WHOLE_RESULTS].map(([name, text]) => kept(name, text));

export function kept(name: string, text: string): BlobContent {
  return { type: 'blob', blob: name, bytes: Buffer.byteLength(text), preview: text.slice(0, 7) };
}
