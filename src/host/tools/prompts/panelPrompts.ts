import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.js';
import type { Mentions } from '../../../protocol/panel/toWebview.js';
import type { WorkspaceCatalog } from '../../context/catalog/workspaceCatalog.js';
import type { WorkspaceFiles } from '../../context/files/workspaceFiles.js';
import type { EditorSource } from '../../context/editorState/editorSource.js';
import { VscodeWizard } from '../../models/providers/vscodeWizard.js';
import { type Banners, CHOOSE_MODEL, DISMISS } from '../../window/banners.js';
import { showBusy } from '../../window/chatView.js';
import { offerCancel } from '../../window/offerCancel.js';
import type { FindEditor } from '../../window/openFile.js';
import { slowWork } from '../../window/slowWork.js';
import type { WindowToolbox } from '../windowToolbox.js';
import type { PromptText } from './filePrompt.js';
import { PromptFinder } from './promptFinder.js';
import { promptVariables } from './promptVariables.js';

export interface PanelPromptsPorts {
  readonly toolbox: Pick<WindowToolbox, 'mcp' | 'mcpServers'>;
  readonly catalog: Pick<WorkspaceCatalog, 'prompts'>;
  readonly files: () => Pick<WorkspaceFiles, 'read'>;
  readonly activeFile: EditorSource['active'];
  readonly openEditor: FindEditor;
  readonly clock: Clock;
  readonly tell: (mentions: Mentions) => void;
  readonly banners: Pick<Banners, 'show' | 'hide'>;
}

/** Id of the banner about the prompt in the message box: what the text lacks, and what Loupe ignores. */
const PROMPT_NOTES = 'promptNotes';

/** Returns what the panel does with prompts of the workspace and of MCP servers. */
export function panelPrompts({ toolbox, catalog, files, activeFile, openEditor, clock, tell, banners }: PanelPromptsPorts) {
  const finder = new PromptFinder({
    configured: () => toolbox.mcp.read(),
    servers: () => toolbox.mcpServers(),
    files: () => catalog.prompts(),
    read: (path) => files().read(path),
    variables: async () => promptVariables(await activeFile(), folderOf(openEditor())),
    clock,
    tell,
    // Never aborts. A question stays open until the user or the end of the window closes it.
    questions: new VscodeWizard(new AbortController().signal),
    slowly: (work) => slowWork(work, { clock, showBusy, offerCancel: offerCancel('Getting the prompt from the server') }),
  });
  return {
    find: finder.find.bind(finder),
    async fill(key: string): Promise<Pick<PromptText, 'text' | 'files'> | null> {
      banners.hide(PROMPT_NOTES);
      const made = await finder.fill(key);
      if (made !== null && made.notes.length > 0) {
        const actions = [...(made.asksForModel ? [CHOOSE_MODEL] : []), DISMISS];
        banners.show({ id: PROMPT_NOTES, severity: 'info', text: made.notes.join(' '), actions });
      }
      return made;
    },
  };
}

/** Returns the absolute path of the folder of the open file, else of the first folder. Null without a folder. */
function folderOf(editor: ReturnType<FindEditor>): string | null {
  const ofFile = editor === undefined ? undefined : vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const [first] = vscode.workspace.workspaceFolders ?? [];
  return (ofFile ?? first)?.uri.fsPath ?? null;
}
