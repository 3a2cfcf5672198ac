import { failure } from '../../../src/engine/errors.js';
import type { ToolExecutor } from '../../../src/engine/ports.js';

/** No tool exists. */
export const NO_TOOLS: ToolExecutor = {
  has: () => false,
  call: ({ name }) => Promise.reject(failure('tool.unknown', { name })),
};
