import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { PRACTICE_STANDARD } from '../providers/practice/models.js';
import { SettingsReader } from './chat/settingsReader.js';
import { FileQuestions } from './context/fileQuestions.js';
import { findNestedRules, vscodeLocations } from './context/catalog/watchCatalog.js';
import { WorkspaceCatalog } from './context/catalog/workspaceCatalog.js';
import { PageFetches } from './context/pages/pageFetches.js';
import { askForPrivateHost } from './context/pages/pageQuestions.js';
import { WorkspaceFiles } from './context/files/workspaceFiles.js';
import { SkillFiles } from './context/files/skillFiles.js';
import { UserFiles } from './context/files/userFiles.js';
import { editorEncodings } from './context/editorEncodings.js';
import { gitPath } from './window/gitExtension.js';
import { GitIdentity } from './window/gitIdentity.js';
import { folderPaths } from './window/folders.js';
import { WindowToolbox } from './tools/windowToolbox.js';
import { watchFiles } from './tools/windowWatch.js';
import { editorWriter } from './tools/workspace/editorWriter.js';
import { Log } from './window/log.js';
import { sharedStorage } from './window/storageRoot.js';
import { sha256, systemClock } from './window/systemPorts.js';
import { windowRepository } from './repository/repositoryServices.js';
import { editorServices } from './editorServices.js';

export type WindowServices = ReturnType<typeof windowServices>;

export function windowServices(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel) {
  const log = new Log(channel);
  const writerId = randomUUID();
  const logError = log.error.bind(log);
  const logInfo = log.info.bind(log);
  const settings = new SettingsReader(PRACTICE_STANDARD.ref);
  context.subscriptions.push(settings);
  const files = (): WorkspaceFiles => new WorkspaceFiles(folderPaths(), editorEncodings);
  const writer = editorWriter(files);
  const script = context.asAbsolutePath('dist/pageWorker.js');
  const pages = new PageFetches({ clock: systemClock, sha256, script, mayOpenPrivate: askForPrivateHost });
  const fileQuestions = new FileQuestions(context.workspaceState);
  const userFiles = (): UserFiles => new UserFiles(homedir(), settings.userFamilies(), editorEncodings);
  const skills = new SkillFiles({ catalog: () => catalog.read(), user: userFiles });
  const toolbox = new WindowToolbox({ context, files, skills, pages, writer, sha256, fileQuestions, logError, logInfo });
  const catalog = new WorkspaceCatalog({
    files,
    findNested: findNestedRules,
    locations: vscodeLocations,
    servers: () => toolbox.servers(),
    isTrusted: () => vscode.workspace.isTrusted,
    includes: () => settings.includes(),
    ruleFamilies: () => settings.ruleFamilies(),
    userFiles,
    logInfo,
    logError,
  });
  const identity = new GitIdentity({ folders: folderPaths, sha256, gitPath, clock: systemClock, logInfo });
  // Without an open folder, VS Code has no storage for the workspace. Chats are then in the global storage.
  const root = sharedStorage((context.storageUri ?? context.globalStorageUri).fsPath);
  return {
    log,
    logError,
    showLog: log.show.bind(log),
    logInfo,
    notify: (text: string): void => {
      // Do not wait until the user closes the notification.
      void vscode.window.showInformationMessage(text);
    },
    settings,
    files,
    fileQuestions,
    catalog,
    toolbox,
    ...editorServices(context, { files, writer, logError }),
    watchFiles: () => watchFiles({ files, sha256, logInfo, logError }),
    pages,
    writer,
    repository: windowRepository(context, { files, root, logInfo, logError }),
    root,
    writerId,
    me: identity.current.bind(identity),
  };
}
