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

/** Names of rule files that may be in any folder. Each file applies to the files of its folder. */
export const NESTED_FILES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/** Returns the format of a file by its path, or null. */
export function catalogFormat(path: string): CatalogFormat | null {
  return FORMATS.find(([, place]) => place.test(path))?.[0] ?? null;
}

export function isCatalogPath(path: string): boolean {
  return catalogFormat(path) !== null;
}

/** A file that may be a rule, reference, skill or agent, judged by its path. */
export interface CatalogPath {
  /** The workspace path. With several workspace folders, it begins with the folder's name. */
  readonly source: string;
  /** The path relative to the file's workspace folder. */
  readonly path: string;
  /** The absolute path with all links resolved. Links to the same file have the same value. */
  readonly file: string;
}
