import { WORKSPACE_TEXT } from '../../../engine/chat/slices/fragments.js';
import type { SessionFile } from '../../../engine/chat/slices/sessionFiles.js';
import { READ_SESSION_FILE, sessionFileEntry } from '../../../engine/context/sessionFiles.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ChatTexts } from '../../../protocol/panel/chatTexts.js';
import { countedOnce, type ManagedContext } from './managed.js';

/** Number of bytes per token to estimate a text that is a blob, because the pane reads no files. */
const BYTES_PER_TOKEN = 4;

/** Returns the session files and the custom fragments of a chat for the context pane. */
export function chatTexts(
  { sessionFiles, earlierSessionFiles, fragments }: Pick<ChatState, 'sessionFiles' | 'earlierSessionFiles' | 'fragments'>,
  { counter, composed }: Pick<ManagedContext, 'counter' | 'composed'>,
): ChatTexts {
  return {
    files: [...sessionFiles.values()].map((file) => {
      const { name, mimeType, summary, isText } = sessionFileEntry(file);
      return { name, mimeType, summary, tokens: isText ? tokensOf(file, counter) : null, hasEarlier: earlierSessionFiles.has(name) };
    }),
    deletedFiles: [...earlierSessionFiles.keys()].filter((name) => !sessionFiles.has(name)),
    fragments: [...fragments].filter(([id]) => id !== WORKSPACE_TEXT).map(([id, text]) => ({ id, text, tokens: counter.count(text) })),
    lacksTools: !composed.context.tools.some(({ name, serverName }) => serverName === WORKSPACE_SERVER && name === READ_SESSION_FILE),
  };
}

function tokensOf(file: SessionFile, counter: TokenCounter): number {
  const { content } = file;
  if ('blob' in content) {
    return Math.ceil(content.bytes / BYTES_PER_TOKEN);
  }
  return countedOnce(file, counter, () => counter.count(content.inline));
}
