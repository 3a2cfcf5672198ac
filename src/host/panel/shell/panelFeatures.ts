import type { SessionFile } from '../../../engine/chat/slices/sessionFiles.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { DrawableType } from '../../../protocol/images.js';
import type { PanelSearchRole } from '../../../protocol/panel/toWebview.js';
import type { ChatQuestions } from '../../chat/chatQuestions.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { FileRestores } from '../../chat/files/fileRestores.js';
import type { TurnFiles } from '../../chat/files/turnFiles.js';
import type { ReplyFiles } from '../../chat/files/replyFiles.js';
import type { contextActions } from '../../context/contextActions.js';
import type { serverActions } from '../../tools/configureServers.js';
import type { panelPrompts } from '../../tools/prompts/panelPrompts.js';
import type * as editors from '../../window/editors.js';

/** What VS Code and other features do for a panel. */
export interface PanelFeatures {
  readonly context: ReturnType<typeof contextActions>;
  readonly prompts: ReturnType<typeof panelPrompts>;
  readonly editors: typeof editors;
  readonly insertAtCursor: (text: string) => Promise<void>;
  readonly applyCode: (path: string, text: string) => Promise<void>;
  readonly search: { query(text: string, role: PanelSearchRole): Promise<void> };
  readonly inspectors: Readonly<Record<'showRequest' | 'replySelected', (chatId: string, messageId: string) => Promise<void>>> & {
    showNext(chatId: string): Promise<void>;
  };
  readonly results: { open(chatId: string, messageId: string, callId: string): Promise<void> };
  readonly toolTexts: Readonly<Record<'showTool' | 'showResource', (key: string) => Promise<void>>> & {
    showLog(server: string): Promise<void>;
  };
  readonly pageTexts: { show(chatId: string, key: string): Promise<void> };
  readonly openImage: (image: { readonly chatId: string; readonly blob: string; readonly mimeType: DrawableType }) => Promise<void>;
  readonly sessionFileActions: {
    create(session: ChatSession): Promise<void>;
    open(session: ChatSession, name: string): Promise<void>;
    /** Asks which earlier version of a session file to restore. Null after a cancel. */
    pickVersion(name: string, versions: readonly SessionFile[]): Promise<SessionFile | null>;
  };
  readonly restores: Pick<FileRestores, 'show'>;
  readonly turnFiles: Pick<TurnFiles, 'show' | 'undo'>;
  readonly replyFiles: Pick<ReplyFiles, 'show' | 'undo' | 'showUnapplied'>;
  /** Shows the change that an edit would make. `args` are the arguments of its call. */
  readonly viewEdit: (args: string) => Promise<void>;
  /** Compares a tool now with its state when the user allowed it. */
  readonly compareTool: (state: ChatState, callId: string) => Promise<void>;
  readonly servers: ReturnType<typeof serverActions>;
  readonly questions: ChatQuestions;
  readonly providers: {
    add(): Promise<unknown>;
    /** Asks the user for the context size of a model. */
    editModel(providerId: string, model: string): Promise<unknown>;
    /** Asks the user for the key of a provider. Resolves to whether the user entered one. */
    setKey(providerId: string): Promise<boolean>;
    /** Asks the user for all values of a provider. */
    edit(providerId: string): Promise<unknown>;
    setCountsTokens(providerId: string, isOn: boolean): Promise<void>;
    showSettings(): Promise<void>;
  };
  readonly otherChats: { importOffered(): Promise<void> };
  /** Writes a chat to a file that the user chooses. */
  readonly exportChat: (session: ChatSession) => Promise<unknown>;
  /** Imports the chat that the user picks. */
  readonly importChat: (chat: undefined) => Promise<unknown>;
  readonly usage: { show(chatId: string): void };
  readonly openInEditor: (chatId: string) => Promise<void>;
  readonly showLog: () => void;
}
