import type * as vscode from 'vscode';
import { systemClock } from '../window/systemPorts.js';
import type { Chats } from '../chat/chats.js';
import type { Drafts } from '../chat/drafts.js';
import type { EditDocuments } from '../tools/editDocuments.js';
import type { WindowToolbox } from '../tools/windowToolbox.js';
import type { LoupeError } from '../../engine/errors.js';
import { showChangedTool } from './changedTool.js';
import { ImageDocuments, openImage } from './imageDocuments.js';
import { newSessionFile } from './newSessionFile.js';
import { PageDocuments } from './pageDocuments.js';
import { pickSessionFileVersion } from './pickSessionFileVersion.js';
import { RequestDocuments } from './requestDocuments.js';
import { ResultDocuments } from './resultDocuments.js';
import { RuleLens, type RuleLensPorts } from './ruleLens.js';
import { openSessionFile, SessionFileSystem } from './sessionFileSystem.js';
import { ToolDocuments } from './toolDocuments.js';

interface ChatDocumentsPorts extends Omit<RuleLensPorts, 'clock'> {
  readonly chats: Chats;
  readonly drafts: Drafts;
  readonly toolbox: WindowToolbox;
  readonly edits: Pick<EditDocuments, 'show'>;
  readonly logError: (error: LoupeError) => void;
}

/** Creates what VS Code's editors show of chats: requests, results, tools, pages, images, session files, rule facts. */
export function chatDocuments({ subscriptions }: Pick<vscode.ExtensionContext, 'subscriptions'>, ports: ChatDocumentsPorts) {
  const { chats, toolbox, edits, logError } = ports;
  const shown = {
    documents: new RequestDocuments(chats, ports.drafts),
    results: new ResultDocuments(chats),
    toolTexts: new ToolDocuments(toolbox),
    pageTexts: new PageDocuments(chats),
  };
  const lens = new RuleLens({ ...ports, clock: systemClock });
  subscriptions.push(...Object.values(shown), new ImageDocuments(chats, logError), lens.register());
  return {
    ...shown,
    lens,
    sessionFiles: new SessionFileSystem({ chats, logError, now: systemClock.now.bind(systemClock) }),
    sessionFileActions: { create: newSessionFile, open: openSessionFile, pickVersion: pickSessionFileVersion },
    openImage: (image: Parameters<typeof openImage>[1]) => openImage(chats, image),
    compareTool: (state: Parameters<typeof showChangedTool>[0], callId: string) =>
      showChangedTool(state, callId, { toolbox, show: edits.show }),
  };
}
