import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { root } from '../../support/paths.mjs';

/** How many chats of each kind are judged. */
const COUNT = 3;

/** What the random chats of a run come from. */
export interface Seeds {
  readonly seeds: readonly number[];
  /** The end of a sentence. */
  readonly origin: string;
}

/**
 * The first words of 32 bits of the SHA-256 of HEAD's commit id: nobody can have tuned anything on the chats of a commit before it
 * was made, and everybody gets the same. Outside a repository they are 1, 2 and 3.
 */
export async function seedsOfCommit(): Promise<Seeds> {
  const commit = await headCommit();
  if (commit === null) {
    return { seeds: Array.from({ length: COUNT }, (_, at) => at + 1), origin: 'this is no git repository with a commit' };
  }
  return { seeds: seedsOf(commit), origin: `from commit ${commit.slice(0, 10)}` };
}

/** The seeds that the id of a commit gives. */
export function seedsOf(commit: string): readonly number[] {
  const hash = createHash('sha256').update(commit).digest();
  return Array.from({ length: COUNT }, (_, at) => hash.readUInt32BE(at * 4));
}

async function headCommit(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--verify', 'HEAD'], { cwd: root });
    return stdout.trim();
  } catch {
    return null;
  }
}
