import * as vscode from 'vscode';
import type { ChatState } from '../../../engine/chat/state.js';
import type { LoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import type { Mentions } from '../../../protocol/panel/toWebview.js';
import type { WorkspaceCatalog } from '../../context/catalog/workspaceCatalog.js';
import type { WorkspaceFiles } from '../../context/files/workspaceFiles.js';
import type { EditorSource } from '../../context/editorState/editorSource.js';
import type { ModelRegistry } from '../../models/registry.js';
import { VscodeWizard } from '../../models/providers/vscodeWizard.js';
import { type Banners, DISMISS } from '../../window/banners.js';
import { showBusy } from '../../window/chatView.js';
import { offerCancel } from '../../window/offerCancel.js';
import type { FindEditor } from '../../window/openFile.js';
import { slowWork } from '../../window/slowWork.js';
import type { WindowToolbox } from '../windowToolbox.js';
import type { PromptText } from './filePrompt.js';
import { failedPrompt, PROMPT_NOTES } from './failedPrompt.js';
import { PromptFinder } from './promptFinder.js';
import { promptOffers } from './promptOffers.js';
import { promptVariables } from './promptVariables.js';

export interface PanelPromptsPorts {
  readonly toolbox: Pick<WindowToolbox, 'mcp' | 'mcpServers'>;
  readonly catalog: Pick<WorkspaceCatalog, 'prompts' | 'profiles'>;
  readonly models: Pick<ModelRegistry, 'list' | 'ready'>;
  readonly files: () => Pick<WorkspaceFiles, 'read'>;
  readonly activeFile: EditorSource['active'];
  readonly openEditor: FindEditor;
  readonly clock: Clock;
  readonly tell: (mentions: Mentions) => void;
  readonly banners: Pick<Banners, 'show' | 'hide'>;
  readonly logError: (error: LoupeError) => void;
}

interface PromptChat {
  readonly state: Pick<ChatState, 'chatId' | 'config'>;
}

/** Returns what the panel does with prompts of the workspace and of MCP servers. */
export function panelPrompts(ports: PanelPromptsPorts) {
  const { toolbox, catalog, files, activeFile, openEditor, clock, tell, banners, logError } = ports;
  const finder = new PromptFinder({
    configured: () => toolbox.mcp.read(),
    servers: () => toolbox.mcpServers(),
    files: () => catalog.prompts(),
    read: (path) => files().read(path),
    variables: async () => promptVariables(await activeFile(), folderOf(openEditor())),
    clock,
    tell,
    failed(server, error) {
      logError(error);
      banners.show(failedPrompt(server, error));
    },
    // Never aborts. A question stays open until the user or the end of the window closes it.
    questions: new VscodeWizard(new AbortController().signal),
    slowly: (work) => slowWork(work, { clock, showBusy, offerCancel: offerCancel('Getting the prompt from the server') }),
  });
  return {
    find: finder.find.bind(finder),
    fill(key: string): Promise<PromptText | null> {
      banners.hide(PROMPT_NOTES);
      return finder.fill(key);
    },
    /** Shows a banner with the notes of a prompt, and offers what the prompt names. Waits for the lists of models. */
    async showNotes({ state }: PromptChat, made: Pick<PromptText, 'name' | 'notes' | 'names'>): Promise<void> {
      const offers = await promptOffers(made, state, ports);
      const text = [...made.notes, ...offers.map((offer) => offer.text)].join(' ');
      if (text !== '') {
        const actions = offers.flatMap(({ action }) => action ?? []);
        banners.show({ id: PROMPT_NOTES, severity: 'info', text, actions: [...actions, DISMISS] });
      }
    },
  };
}

/** Returns the absolute path of the folder of the open file, else of the first folder. Null without a folder. */
function folderOf(editor: ReturnType<FindEditor>): string | null {
  const ofFile = editor === undefined ? undefined : vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const [first] = vscode.workspace.workspaceFolders ?? [];
  return (ofFile ?? first)?.uri.fsPath ?? null;
}
