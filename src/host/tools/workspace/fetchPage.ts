import * as z from 'zod/mini';
import { toLoupeError } from '../../../engine/errors.js';
import type { LoadedPage } from '../../context/pages/pageFetches.js';
import { withArgs } from './toolArguments.js';
import { type WorkspaceTool, failedCall, succeededCall } from './workspaceTool.js';

const ARGS = z.object({ url: z.string().check(z.minLength(1)), from_line: z.optional(z.int().check(z.gte(1))) });

/** Maximum number of characters in a result: about 12,000 tokens. For more of a long page, the model asks for lines. */
const MOST_CHARACTERS = 50_000;

/** Returns the tool that fetches a web page. `load` fetches a page with the limits for the pages of users. */
export function fetchPageTool(load: (address: string, signal: AbortSignal) => Promise<LoadedPage>): WorkspaceTool {
  return {
    name: 'fetch_page',
    title: 'Fetch web page',
    description: 'Fetches a web page, PDF or text file from the web and gives its text as Markdown. A long page is cut.',
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

const WARNINGS = {
  empty: '\n(The page has no text.)',
  login: '\n(This is probably a form to log in, not the page.)',
};

function shown({ address, text, warning }: LoadedPage, from: number): string {
  const lines = text.split('\n');
  let length = 0;
  const end = lines.findIndex((line, at) => {
    length += at < from - 1 ? 0 : line.length + 1;
    return at >= from && length > MOST_CHARACTERS;
  });
  const part = lines.slice(from - 1, end === -1 ? undefined : end).join('\n');
  const more = end === -1 ? '' : `\n(The page has ${String(lines.length)} lines. Read on with from_line ${String(end + 1)}.)`;
  return `${address}\n\n${part.slice(0, MOST_CHARACTERS)}${more}${warning === null ? '' : WARNINGS[warning]}`;
}
