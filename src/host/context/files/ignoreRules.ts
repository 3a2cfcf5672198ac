import ignore, { type Ignore } from 'ignore';

/** The rules of one `.gitignore`. */
interface Level {
  /** Its folder's workspace path, '' or ending with a slash. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** The `.gitignore` files that apply in a folder, outermost first. An immutable value. */
export type IgnoreRules = readonly Level[];

/** The rules inside `folder` (a workspace path, '' or ending with a slash), whose own `.gitignore` has `content`. */
export function withIgnoreFile(rules: IgnoreRules, folder: string, content: string): IgnoreRules {
  return [...rules, { folder, rules: ignore().add(content) }];
}

/** Whether `path` is excluded; a folder's path ends with a slash. As in git, the innermost file with a matching rule decides. */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  for (const level of rules.toReversed()) {
    const { ignored, unignored } = level.rules.test(path.slice(level.folder.length));
    if (ignored || unignored) {
      return ignored;
    }
  }
  return false;
}
