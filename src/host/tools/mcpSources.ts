import { join } from 'node:path';
import { parseMcpFile } from '../../tools/mcp/config/mcpFile.js';
import type { McpMistake, McpSource } from '../../tools/mcp/config/mcpConfig.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import { type EditorEncodings, readTextFile } from '../context/files/readFile.js';

export const MCP_SERVERS_KEY = 'mcpServers';

export const MCP_SETTING = `${SETTINGS_SECTION}.${MCP_SERVERS_KEY}`;

/** Path of the server configuration in a workspace folder. */
export const MCP_FILE = '.vscode/mcp.json';

export interface SourcesRead {
  readonly sources: readonly McpSource[];
  readonly problems: readonly McpMistake[];
}

/** Reads all server configurations, first the user's setting. `folders`: absolute paths. `setting`: its raw value. */
export async function readMcpSources(setting: unknown, folders: readonly string[], encodings: EditorEncodings): Promise<SourcesRead> {
  const own = { place: MCP_SETTING, folder: folders[0] ?? null, isOwn: true, content: plain(setting) };
  const problems: McpMistake[] = [];
  const files: McpSource[] = [];
  for (const folder of folders) {
    const place = fileOf(folder, folders);
    const file = { place: join(folder, MCP_FILE), path: place, folders: [folder] };
    const read = await readTextFile({ ...file, encodings, onStage: () => Promise.resolve() });
    if (read.ok) {
      files.push({ place, folder, isOwn: false, content: parseMcpFile(read.content.replace(/^\uFEFF/, '')) });
    } else if (read.problem.code !== 'missing') {
      problems.push({ place, line: null, text: read.reason });
    }
  }
  return { sources: [own, ...files], problems };
}

/** Returns the name of a folder's file for the user. With several folders, the name includes the folder. */
export function fileOf(folder: string, folders: readonly string[]): string {
  return folders.length === 1 ? MCP_FILE : join(folder, MCP_FILE);
}

/** Copies the setting, because the objects of VS Code's settings cannot be cloned. */
function plain(setting: unknown): unknown {
  return setting === undefined ? undefined : (JSON.parse(JSON.stringify(setting)) as unknown);
}
