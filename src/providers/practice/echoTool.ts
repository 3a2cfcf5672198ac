import type { CallableTool } from '../../engine/tools/offered.js';

/** A tool for the practice model to call unasked: it gives back the text of its arguments, or all of them. */
export const ECHO_TOOL: CallableTool & { readonly name: string } = {
  name: 'echo',
  // It does nothing that anybody would have to allow.
  asks: null,
  allowed: null,
  call: (args) =>
    Promise.resolve({
      content: [{ type: 'text', text: typeof args['text'] === 'string' ? args['text'] : JSON.stringify(args) }],
      isError: false,
      edits: [],
    }),
};
