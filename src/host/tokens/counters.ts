import { LoupeError } from '../../engine/errors.js';
import type { TokenCounter } from '../../engine/ports.js';

/** Loads a token counter by the id that a model's capability data name. */
export async function loadCounter(id: string): Promise<TokenCounter> {
  if (id !== 'o200k_base') {
    throw new LoupeError('invalidInput', `There is no token counter named ${id}.`);
  }
  const { loadO200k } = await import('./tiktokenCounter.js');
  return loadO200k();
}
