import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ChatView, PanelState } from '../../../src/protocol/panel/view.js';

export interface Suggestion {
  readonly icon: string;
  readonly label: string;
  readonly about: string;
  /** The text for the message box, or null. Only the user sends it. */
  readonly text: string | null;
  /** The message to the host, or null. */
  readonly message: ToHost | null;
}

/** A command of the practice model. Sent to another model, it would be nonsense that costs money. */
const COMMAND = typed('tools', '/tool echo {"text":"hi"}', 'Watch a tool call and its exact arguments');

export function suggestions(
  { openFile, hasFolder }: Pick<PanelState, 'openFile' | 'hasFolder'>,
  { id, isPractice }: Pick<ChatView, 'id' | 'isPractice'>,
): Suggestion[] {
  const showRequest: Suggestion = {
    icon: 'inspect',
    label: 'Show the request before I send it',
    about: 'Part by part, with its tokens; raw bytes are one click away',
    text: null,
    message: { type: 'previewNextRequest', chatId: id },
  };
  return [
    openFile === null ? withoutFile(id, hasFolder && !isPractice) : explain(openFile, id),
    ...(isPractice ? [COMMAND] : []),
    showRequest,
  ];
}

function explain({ name, uri }: NonNullable<PanelState['openFile']>, chatId: string): Suggestion {
  return {
    icon: 'file-code',
    label: 'Explain the open file',
    about: `Adds ${name} to the chat`,
    text: `Explain ${name}.`,
    message: { type: 'dropFiles', chatId, uris: [uri] },
  };
}

function withoutFile(chatId: string, asksAboutFiles: boolean): Suggestion {
  return asksAboutFiles
    ? {
        icon: 'add',
        label: 'Ask about files',
        about: 'Choose files, and see what they cost',
        text: 'What do these files do?',
        message: { type: 'addFiles', chatId },
      }
    : typed('comment', 'Hello, what did I just send you?', 'See what one request holds and costs');
}

function typed(icon: string, text: string, about: string): Suggestion {
  return { icon, label: text, about, text, message: null };
}
