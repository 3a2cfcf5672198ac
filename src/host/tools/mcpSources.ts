import { basename, dirname, join } from 'node:path';
import { parseMcpFile } from '../../tools/mcp/config/mcpFile.js';
import type { McpMistake, McpSource } from '../../tools/mcp/config/mcpConfig.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import { type EditorEncodings, readTextFile } from '../context/files/readFile.js';

export const MCP_SERVERS_KEY = 'mcpServers';

export const MCP_SETTING = `${SETTINGS_SECTION}.${MCP_SERVERS_KEY}`;

/** Paths of server configurations in a workspace folder: of VS Code, Claude Code and Cursor. The first one counts. */
export const MCP_FILES = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json'] as const;

/** The name of the user's file of VS Code in sentences for the user. */
const USER_PLACE = "VS Code's user file mcp.json";

export interface McpPlaces {
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Absolute path of VS Code's file with the servers of the user. The file may be missing. */
  readonly userFile: string;
}

interface ConfigurationFile extends Omit<McpSource, 'content'> {
  readonly path: string;
}

/** Returns the files that can have servers: the user's file, then those of the workspace folders. */
export function configurationFiles({ folders, userFile }: McpPlaces): readonly ConfigurationFile[] {
  const own = { place: USER_PLACE, path: userFile, folder: folders[0] ?? null, isOwn: true };
  const files = folders.flatMap((folder) =>
    MCP_FILES.map((file) => {
      const path = join(folder, file);
      return { place: folders.length === 1 ? file : path, path, folder, isOwn: false };
    }),
  );
  return [own, ...files];
}

export interface SourcesRead {
  readonly sources: readonly McpSource[];
  readonly problems: readonly McpMistake[];
}

/** Reads all server configurations, first the user's setting. `setting`: its raw value. */
export async function readMcpSources(setting: unknown, places: McpPlaces, encodings: EditorEncodings): Promise<SourcesRead> {
  const own = { place: MCP_SETTING, folder: places.folders[0] ?? null, isOwn: true, content: plain(setting) };
  const problems: McpMistake[] = [];
  const sources: McpSource[] = [];
  for (const { path, ...file } of configurationFiles(places)) {
    const inside = file.isOwn || file.folder === null ? dirname(path) : file.folder;
    const read = await readTextFile({
      ...{ place: path, path: file.isOwn ? basename(path) : file.place, folders: [inside], encodings },
      onStage: () => Promise.resolve(),
    });
    if (read.ok) {
      sources.push({ ...file, content: parseMcpFile(read.content.replace(/^\uFEFF/, '')) });
    } else if (read.problem.code !== 'missing') {
      problems.push({ place: file.place, line: null, text: read.reason });
    }
  }
  return { sources: [own, ...sources], problems };
}

/** Copies the setting, because the objects of VS Code's settings cannot be cloned. */
function plain(setting: unknown): unknown {
  return setting === undefined ? undefined : (JSON.parse(JSON.stringify(setting)) as unknown);
}
