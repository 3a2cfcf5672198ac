import type * as vscode from 'vscode';
import type { Sha256 } from '../../../engine/ports.js';
import type { ToolServer } from '../../../engine/tools/tool.js';
import { OrphanReaper } from '../../../tools/mcp/transport/orphanReaper.js';
import { editedFiles } from '../../context/editedFiles.js';
import type { FileQuestions } from '../../context/fileQuestions.js';
import { SecretFiles } from '../../context/secretFiles.js';
import { promptFiles } from '../../context/promptFiles.js';
import type { SkillFiles } from '../../context/files/skillFiles.js';
import type { FileWriter } from '../../context/files/fileWriter.js';
import type { WorkspaceFiles } from '../../context/files/workspaceFiles.js';
import type { PageFetches } from '../../context/pages/pageFetches.js';
import { CommandTerminals } from './commandTerminals.js';
import { editFileTool } from './editFile.js';
import { fetchPageTool } from './fetchPage.js';
import { listFilesTool } from './listFiles.js';
import { readFileTool } from './readFile.js';
import { runCommandTool } from './runCommand.js';
import { searchTextTool } from './searchText.js';
import { SESSION_FILE_TOOLS } from './sessionFileTools.js';
import { withReading } from './readingSubject.js';
import { withSetupCheck } from './setupFiles.js';
import { WorkspaceServer } from './workspaceServer.js';

export interface OwnServerPorts {
  readonly context: Pick<vscode.ExtensionContext, 'subscriptions'>;
  readonly files: () => WorkspaceFiles;
  readonly skills: SkillFiles;
  readonly pages: Pick<PageFetches, 'load'>;
  readonly writer: FileWriter;
  readonly sha256: Sha256;
  readonly fileQuestions: FileQuestions;
  /** Returns the URIs of the workspace folders. */
  readonly folders: () => readonly string[];
}

/** Creates the server of Loupe's own tools. */
export function ownServer({ context, files, skills, pages, writer, sha256, fileQuestions, folders }: OwnServerPorts): ToolServer {
  const reader = editedFiles(files);
  const prompts = promptFiles(files);
  const resolved = (path: string): Promise<string> => files().resolved(path);
  const secrets = new SecretFiles({
    questions: fileQuestions,
    resolved: async (path) => (await skills.resolved(path)) ?? (await resolved(path)),
  });
  const terminals = new CommandTerminals();
  context.subscriptions.push(terminals);
  const tools = [
    withReading(listFilesTool(files), 'folder', resolved),
    withReading(readFileTool(skills.reader(prompts), skills.reader(reader), secrets), 'path', resolved),
    withReading(searchTextTool({ files, reader: prompts, secrets }), 'folder', resolved),
    withSetupCheck(editFileTool({ files: reader, writer, sha256 }), { resolved }),
    fetchPageTool(pages.load.bind(pages)),
    runCommandTool({ folder: (path) => files().folder(path), reaper: new OrphanReaper(), show: terminals.show.bind(terminals) }),
  ];
  return new WorkspaceServer(tools, SESSION_FILE_TOOLS, folders);
}
