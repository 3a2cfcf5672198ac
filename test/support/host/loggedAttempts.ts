import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chatFolder, segmentWriter } from '../../../src/storage/files/layout.js';
import { decodeLine } from '../../../src/storage/log/line.js';

export interface LoggedAttempt {
  readonly id: string;
  readonly chatId: string;
  readonly purpose: string;
  readonly bodyHash: string;
}

/** Reads the attempts of a chat from its log lines. Works for deleted chats while their files exist. */
export async function loggedAttempts(root: string, chatId: string): Promise<readonly LoggedAttempt[]> {
  const folder = chatFolder(root, chatId);
  const found: LoggedAttempt[] = [];
  for (const name of await readdir(folder)) {
    const writer = segmentWriter(name);
    if (writer !== null) {
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
      found.push(...lines.flatMap((line) => attemptIn(line, writer, chatId)));
    }
  }
  return found;
}

function attemptIn(line: string, writer: string, chatId: string): readonly LoggedAttempt[] {
  const decoded = decodeLine(Buffer.from(line), writer);
  if (!decoded.ok || decoded.event.type !== 'attempt-started') {
    return [];
  }
  const { attemptId: id, purpose, manifest } = decoded.event;
  return [{ id, chatId, purpose, bodyHash: manifest.bodyHash }];
}
