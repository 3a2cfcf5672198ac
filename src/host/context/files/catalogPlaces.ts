/* The places of rules, references, skills and agents. Paths are relative to a workspace folder. */

const PLACES = {
  agents: /^AGENTS\.md$/,
  claude: /^(?:\.claude\/)?CLAUDE\.md$/,
  copilot: /^\.github\/copilot-instructions\.md$/,
  instructions: /^\.github\/instructions\/.+\.instructions\.md$/,
  cursorFile: /^\.cursorrules$/,
  cursor: /^\.cursor\/rules\/.+\.mdc$/,
  cline: /^\.clinerules(?:\/.+\.(?:md|txt))?$/,
  loupeRule: /^\.loupe\/rules\/.+\.md$/,
  loupeReference: /^\.loupe\/references\/.+\.md$/,
  // https://agentskills.io/specification
  skill: /^\.(?:agents|claude|github)\/skills\/[^/]+\/SKILL\.md$/,
  agent: /^(?:\.loupe\/agents\/[^/]+\.md|\.github\/agents\/[^/]+\.agent\.md)$/,
  nestedAgents: /^(?!\.).+\/AGENTS\.md$/,
  nestedClaude: /^(?!\.).+\/CLAUDE\.md$/,
} as const;

export type CatalogFormat = keyof typeof PLACES;

const FORMATS = Object.entries(PLACES) as readonly [CatalogFormat, RegExp][];

/** The folders with catalog files. The paths of single catalog files are in `CATALOG_FILES`. */
export const CATALOG_FOLDERS: readonly string[] = [
  '.github/instructions',
  '.cursor/rules',
  '.clinerules',
  '.loupe/rules',
  '.loupe/references',
  '.loupe/agents',
  '.github/agents',
  '.agents/skills',
  '.claude/skills',
  '.github/skills',
];
export const CATALOG_FILES: readonly string[] = [
  'AGENTS.md',
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.clinerules',
];

/** Names of rule files that can be in any folder. Such a file applies to the files of its folder. */
export const NESTED_FILES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/** Returns the format of a file by its path. Null for a file that does not belong to the catalog. */
export function catalogFormat(path: string): CatalogFormat | null {
  return FORMATS.find(([, place]) => place.test(path))?.[0] ?? null;
}

export function isCatalogPath(path: string): boolean {
  return catalogFormat(path) !== null;
}

/** A file at a place of rules, references, skills or agents. */
export interface CatalogPath {
  /** Workspace path. With several workspace folders, starts with the name of the folder. */
  readonly source: string;
  /** The path relative to the file's workspace folder. */
  readonly path: string;
  /** Absolute path with resolved links. Links to the same file have the same value. */
  readonly file: string;
}
