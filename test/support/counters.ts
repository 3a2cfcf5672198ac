import { join } from 'node:path';
import type { TokenCounter } from '../../src/engine/ports.js';
import { loadCounter } from '../../src/host/tokens/counters.js';
import { outFolder } from './paths.mjs';

/** Loads a token counter with the rank tables that the build of the tests has written. */
export function loadTestCounter(id: string): Promise<TokenCounter> {
  return loadCounter(id, join(outFolder, 'ranks'));
}
