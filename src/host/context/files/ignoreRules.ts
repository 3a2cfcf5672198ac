import ignore, { type Ignore } from 'ignore';

/** The rules of one `.gitignore`. */
interface IgnoreLevel {
  /** Its folder's workspace path, '' or ending with a slash. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** The `.gitignore` files that apply in a folder, outermost first. Immutable. */
export type IgnoreRules = readonly IgnoreLevel[];

/** Adds the `.gitignore` with this `content` of `folder`, a workspace path that is '' or ends with a slash. */
export function withIgnoreFile(rules: IgnoreRules, folder: string, content: string): IgnoreRules {
  return [...rules, { folder, rules: ignore().add(content) }];
}

/** Whether `path` is excluded; a folder ends with a slash. As in git, the innermost matching file decides. */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  for (const level of rules.toReversed()) {
    const { ignored, unignored } = level.rules.test(path.slice(level.folder.length));
    if (ignored || unignored) {
      return ignored;
    }
  }
  return false;
}
