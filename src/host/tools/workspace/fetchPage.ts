import * as z from 'zod/mini';
import { toLoupeError } from '../../../engine/errors.js';
import type { LoadedPage } from '../../context/pages/pageFetches.js';
import { numbered } from './readFile.js';
import { withArgs } from './toolArguments.js';
import { type WorkspaceTool, failedCall, succeededCall } from './workspaceTool.js';

const ARGS = z.object({ url: z.string().check(z.minLength(1)), from_line: z.optional(z.int().check(z.gte(1))) });

/** Returns the tool that fetches a web page. `load` fetches a page with the limits for the pages of users. */
export function fetchPageTool(load: (address: string, signal: AbortSignal) => Promise<LoadedPage>): WorkspaceTool {
  return {
    name: 'fetch_page',
    title: 'Fetch web page',
    description:
      'Fetches a web page, PDF or text file from the web and gives its text as Markdown, with line numbers. A long page is cut, and the answer says where to read on.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'Address with https:// or http://' },
        from_line: { type: 'integer', minimum: 1, description: 'To read on in a long page' },
      },
      required: ['url'],
      additionalProperties: false,
    },
    // The address itself can carry data of the chat to a server.
    saysItOnlyReads: false,
    run: withArgs(ARGS, async ({ url, from_line: from }, { signal }) => {
      try {
        return succeededCall(shown(await load(url, signal), from ?? 1));
      } catch (thrown) {
        signal.throwIfAborted();
        return failedCall(toLoupeError(thrown).message);
      }
    }),
  };
}

function shown({ address, text, warning }: LoadedPage, from: number): string {
  return `${address}\n\n${numbered(text, [from, Infinity], 'page')}${warning === 'login' ? '\n(This is probably a form to log in, not the page.)' : ''}`;
}
