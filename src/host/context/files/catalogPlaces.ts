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

/** The folders with catalog files. `CATALOG_FILES` are single files. */
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

/** Files in any folder that are rules for this folder. */
export const NESTED_FILES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/** Returns the format of a file by its path, or null. */
export function catalogFormat(path: string): CatalogFormat | null {
  return FORMATS.find(([, place]) => place.test(path))?.[0] ?? null;
}

export function isCatalogPath(path: string): boolean {
  return catalogFormat(path) !== null;
}

/** A file that may be a rule or a reference. */
export interface CatalogPath {
  /** The workspace path. */
  readonly source: string;
  /** The path within its workspace folder. */
  readonly path: string;
  /** The place on disk with all links resolved: the same for all links to one file. */
  readonly file: string;
}
