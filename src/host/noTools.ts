import { failure } from '../engine/errors.js';
import type { ToolExecutor } from '../engine/ports.js';

/** The executor while no tool server is connected: it knows no tool, so every call is answered with that. */
export const NO_TOOLS: ToolExecutor = {
  has: () => false,
  call: ({ name }) => Promise.reject(failure('tool.unknown', { name })),
};
