import { LoupeError } from '../../src/engine/errors.js';

export async function rejection(promise: Promise<unknown>): Promise<LoupeError> {
  try {
    await promise;
  } catch (thrown) {
    if (thrown instanceof LoupeError) {
      return thrown;
    }
    throw thrown;
  }
  throw new Error('It did not fail.');
}
