import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { MemoryFiles, type Window, type WindowOptions, type Windows } from './window.js';

export interface ChatAmongFiles {
  readonly window: Window;
  readonly session: ChatSession;
  readonly files: MemoryFiles;
}

export async function chatAmongFiles(
  windows: Pick<Windows, 'open'>,
  texts: Readonly<Record<string, string>>,
  options: WindowOptions,
): Promise<ChatAmongFiles> {
  const files = new MemoryFiles();
  for (const [path, text] of Object.entries(texts)) {
    files.texts.set(path, text);
  }
  const window = windows.open({ ...options, files });
  return { window, files, session: await window.chats.create() };
}
