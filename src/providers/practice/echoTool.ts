import { failure } from '../../engine/errors.js';
import type { ToolExecutor } from '../../engine/ports.js';

const ECHO = 'echo';

/** The only tool so far, for the practice model to call: it gives back the text of its arguments, or all of them. */
export const ECHO_TOOL: ToolExecutor = {
  has: (name) => name === ECHO,
  call: ({ name, args }) =>
    name === ECHO
      ? Promise.resolve({
          content: [{ type: 'text', text: typeof args['text'] === 'string' ? args['text'] : JSON.stringify(args) }],
          isError: false,
        })
      : Promise.reject(failure('tool.unknown', { name })),
};
