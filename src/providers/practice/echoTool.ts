import type { CallableTool } from '../../engine/tools/offered.js';

/** A tool that the practice model calls without a definition. Returns `text` of its arguments, or all arguments. */
export const ECHO_TOOL: CallableTool & { readonly name: string } = {
  name: 'echo',
  // The tool changes nothing, so it needs no approval.
  asks: null,
  allowed: null,
  call: (args) =>
    Promise.resolve({
      content: [{ type: 'text', text: typeof args['text'] === 'string' ? args['text'] : JSON.stringify(args) }],
      isError: false,
      edits: [],
    }),
};
