import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ParseResult } from '../../protocol/parse.js';

export interface ReceiverPorts {
  logError(error: LoupeError): void;
  /** Shows and logs why a message could not be handled. `type`: type of the message. */
  fail(error: LoupeError, type: string): void;
  /** Called before a message is handled. */
  began(type: string): void;
  succeeded(type: string): void;
}

export type Handlers<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { readonly type: Type }>) => unknown;
};

interface ViewHandlersPorts {
  readonly logError: (error: LoupeError) => void;
  readonly showLog: () => void;
}

/** Returns handlers for the messages that all views send. `view`: name of the view at the start of a sentence. */
export function viewHandlers(view: string, channel: { ready(): void; snapshot(): void }, { logError, showLog }: ViewHandlersPorts) {
  return {
    ready() {
      channel.ready();
    },
    resync({ reason }: { readonly reason: string }) {
      logError(failure('internal.viewOutOfStep', { view, reason }));
      channel.snapshot();
    },
    showLog() {
      showLog();
    },
    webviewError({ message }: { readonly message: string }) {
      logError(failure('internal.defect', { text: `${view} reported: ${message}` }));
    },
  };
}

/** Returns a function that handles a webview's messages. Logs and drops invalid messages. Never rejects. */
export function receiver<Message extends { readonly type: string }>(
  parse: (value: unknown) => ParseResult<Message>,
  handlers: Handlers<Message>,
  ports: ReceiverPorts,
): (value: unknown) => Promise<void> {
  return async (value) => {
    const parsed = parse(value);
    if (!parsed.ok) {
      ports.logError(failure('internal.panelMessage', { reason: parsed.reason }));
      return;
    }
    const { message } = parsed;
    ports.began(message.type);
    try {
      // TypeScript cannot relate the type of a message to its handler.
      await (handlers[message.type as Message['type']] as (message: Message) => unknown)(message);
      ports.succeeded(message.type);
    } catch (thrown) {
      ports.fail(toLoupeError(thrown), message.type);
    }
  };
}
