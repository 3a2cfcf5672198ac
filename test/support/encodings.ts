import fc from 'fast-check';
import { Tiktoken, type TiktokenBPE } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import gpt2 from 'js-tiktoken/ranks/gpt2';
import o200k from 'js-tiktoken/ranks/o200k_base';
import p50kBase from 'js-tiktoken/ranks/p50k_base';
import p50kEdit from 'js-tiktoken/ranks/p50k_edit';
import r50k from 'js-tiktoken/ranks/r50k_base';
import { CODE_POINT } from './codePoint.js';

/** js-tiktoken's data by counter id. It knows the harmony encoding only by its ranks, which are those of o200k. */
export const ENCODING_DATA: Readonly<Record<string, TiktokenBPE>> = {
  o200k_base: o200k,
  o200k_harmony: o200k,
  cl100k_base: cl100k,
  p50k_base: p50kBase,
  p50k_edit: p50kEdit,
  r50k_base: r50k,
  gpt2,
};

const oracles = new Map<TiktokenBPE, Tiktoken>();

/** js-tiktoken with these ranks, created once per process, because that takes most of a second. */
export function oracleOf(ranks: TiktokenBPE): Tiktoken {
  const oracle = oracles.get(ranks) ?? new Tiktoken(ranks);
  oracles.set(ranks, oracle);
  return oracle;
}

const unit = fc.oneof(
  fc.constantFrom('a', 'b', 'A', 'Z', 'é', 'ß', 'ǅ', '\u0301', "'s", "'LL", 'the', ' the', '日', '語', 'ไทย', 'العربية'),
  fc.constantFrom(' ', ' ', '\n', '\r\n', '\t', '\u00a0', '\u2003', '1', '42', '1234', '/', '.', '{', '};', '==', '\ufeff'),
  fc.constantFrom('😀', '👩‍👩‍👧', '\ud83d', '\ude00', '𝟛', '𐐨', '\u0000', '<|endoftext|>', '<|im_start|>'),
  fc.string({ maxLength: 4, unit: CODE_POINT }),
);

/** Texts on which encodings differ and wrong counts show. */
export const tokenText: fc.Arbitrary<string> = fc.array(unit, { maxLength: 60, size: 'max' }).map((units) => units.join(''));

export const CODE = 'export function count(text: string): number {\n\treturn text.length >> 2; // "quarter"\n}\n';
