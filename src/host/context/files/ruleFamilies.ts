import { catalogFormat, type CatalogFormat } from './catalogPlaces.js';

/* The programs whose rule files Loupe reads, and the formats of each program. */

interface Family {
  readonly label: string;
  readonly formats: readonly CatalogFormat[];
}

/** By the name in the setting `loupe.rules.formats`. Loupe's own rules belong to no family and are always read. */
export const RULE_FAMILIES = {
  agents: { label: 'AGENTS.md', formats: ['agents', 'agentsOverride'] },
  claude: { label: 'Claude Code', formats: ['claude', 'claudeRules'] },
  copilot: { label: 'GitHub Copilot', formats: ['copilot', 'instructions'] },
  cursor: { label: 'Cursor', formats: ['cursorFile', 'cursor'] },
  cline: { label: 'Cline', formats: ['cline'] },
  windsurf: { label: 'Windsurf', formats: ['windsurf'] },
  antigravity: { label: 'Antigravity', formats: ['antigravity'] },
  kiro: { label: 'Kiro', formats: ['kiro'] },
  gemini: { label: 'Gemini CLI', formats: ['gemini'] },
  roo: { label: 'Roo Code', formats: ['roo'] },
  kilo: { label: 'Kilo Code', formats: ['kilo'] },
  continue: { label: 'Continue', formats: ['continue'] },
  junie: { label: 'Junie', formats: ['junie'] },
  trae: { label: 'Trae', formats: ['trae'] },
  amazonq: { label: 'Amazon Q', formats: ['amazonq'] },
  augment: { label: 'Augment', formats: ['augment'] },
  zed: { label: 'Zed', formats: ['zed'] },
  warp: { label: 'Warp', formats: ['warp'] },
} as const satisfies Readonly<Record<string, Family>>;

export type RuleFamily = keyof typeof RULE_FAMILIES;

export const RULE_FAMILY_NAMES = Object.keys(RULE_FAMILIES) as readonly RuleFamily[];

const FAMILY_OF = new Map<CatalogFormat, RuleFamily>(
  RULE_FAMILY_NAMES.flatMap((name) => RULE_FAMILIES[name].formats.map((format) => [format, name] as const)),
);

export function isRuleFamily(value: unknown): value is RuleFamily {
  return typeof value === 'string' && Object.hasOwn(RULE_FAMILIES, value);
}

/** Returns the family of a rule by its path in the workspace folder. Null for Loupe's own rules and other files. */
export function ruleFamily(path: string): RuleFamily | null {
  const format = catalogFormat(path);
  return format === null ? null : (FAMILY_OF.get(format) ?? null);
}
