import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { isRuleFamily, RULE_FAMILIES, RULE_FAMILY_NAMES, ruleFamily, type RuleFamily } from '../files/ruleFamilies.js';
import { USER_FAMILY_NAMES, type UserFamily } from '../files/userFiles.js';

/** The setting with the programs whose rule files Loupe uses. */
export const RULE_FORMATS_KEY = 'rules.formats';

/** The setting with the programs whose rules in the home folder chats use. */
export const USER_FILES_KEY = 'rules.userFiles';

/** The programs whose rules chats use. Null for all programs. */
export type UsedFamilies = ReadonlySet<RuleFamily> | null;

interface FormatsSetting {
  readonly families: UsedFamilies;
  /** A sentence for each invalid name. Loupe ignores these names. */
  readonly problems: readonly string[];
}

export function ruleFormatsSetting(value: unknown, name: string): FormatsSetting {
  if (value === null) {
    return { families: null, problems: [] };
  }
  if (!Array.isArray(value)) {
    return { families: null, problems: [`${name} is invalid; expected a list of names, or null. Loupe uses the rules of all programs.`] };
  }
  const given: readonly unknown[] = value;
  return {
    families: new Set(given.filter(isRuleFamily)),
    problems: given
      .filter((each) => !isRuleFamily(each))
      .map((each) => `${name} has the unknown name ${JSON.stringify(each)}. Write ${RULE_FAMILY_NAMES.join(', ')}.`),
  };
}

/** Reads the programs whose rules in the home folder chats use. None without the setting. */
export function userFilesSetting(
  value: unknown,
  name: string,
): { readonly families: ReadonlySet<UserFamily>; readonly problems: readonly string[] } {
  if (!Array.isArray(value)) {
    return { families: new Set(), problems: [`${name} is invalid; expected a list of names. Loupe reads no files of your home folder.`] };
  }
  const given: readonly unknown[] = value;
  const isKnown = (each: unknown): each is UserFamily => USER_FAMILY_NAMES.some((family) => family === each);
  return {
    families: new Set(given.filter(isKnown)),
    problems: given
      .filter((each) => !isKnown(each))
      .map((each) => `${name} has the unknown name ${JSON.stringify(each)}. Write ${USER_FAMILY_NAMES.join(', ')}.`),
  };
}

/** A program with the rule files of the workspace, for the user's choice. */
export interface FamilyRow {
  readonly family: RuleFamily;
  readonly label: string;
  readonly description: string;
  readonly isUsed: boolean;
}

/** Number of files to name for a program. */
const MOST_NAMED = 3;

/** Returns a row for each program, first those with files. `pathOf`: the path of a rule in its workspace folder. */
export function familyRows(
  items: Iterable<Pick<CatalogItem, 'source'>>,
  used: UsedFamilies,
  pathOf: (source: string) => string,
): readonly FamilyRow[] {
  const found = Array.from(items, ({ source }) => ({ source, family: ruleFamily(pathOf(source)) }));
  const rows = RULE_FAMILY_NAMES.map((family) => {
    const sources = found.filter((each) => each.family === family).map(({ source }) => source);
    const more = sources.length > MOST_NAMED ? ' …' : '';
    const description =
      sources.length === 0
        ? 'no files'
        : `${String(sources.length)} ${sources.length === 1 ? 'file' : 'files'}: ${sources.slice(0, MOST_NAMED).join(', ')}${more}`;
    return { family, label: RULE_FAMILIES[family].label, description, isUsed: used?.has(family) ?? true, count: sources.length };
  });
  return [...rows.filter(({ count }) => count > 0), ...rows.filter(({ count }) => count === 0)].map(({ count: _count, ...row }) => row);
}
