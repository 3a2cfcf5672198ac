import { join } from 'node:path';
import type { EncodingCounter } from '../../src/engine/tokens/encodingCounter.js';
import { loadCounter } from '../../src/host/models/tokens/counters.js';
import { outFolder } from './paths.mjs';

/** Loads a token counter with the rank tables of the test build. */
export function loadTestCounter(id: string): Promise<EncodingCounter> {
  return loadCounter(id, join(outFolder, 'ranks'));
}
