/*
 * Where people keep rules, references, skills and agents. Paths are those within a workspace folder.
 */

/** The files of each format. */
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

/** Their folders, and the files that stand alone. */
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

/** Files in any folder that are rules for what is in it. */
export const NESTED_FILES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/** The format of a file by its path; null for a file that is none of these. */
export function catalogFormat(path: string): CatalogFormat | null {
  return FORMATS.find(([, place]) => place.test(path))?.[0] ?? null;
}

/** Whether a file may be a rule, a reference or a skill. */
export function isCatalogPath(path: string): boolean {
  return catalogFormat(path) !== null;
}

/** A file that may be a rule or a reference. */
export interface CatalogPath {
  /** Its workspace path. */
  readonly source: string;
  /** That within its workspace folder. */
  readonly path: string;
  /** Its place on the disk, with all links resolved: the same for paths that lead to one file. */
  readonly file: string;
}
