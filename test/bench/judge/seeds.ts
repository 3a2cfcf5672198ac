import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { root } from '../../support/paths.mjs';

export interface Seeds {
  readonly seeds: readonly number[];
  readonly isOfCommit: boolean;
  /** The end of a sentence. */
  readonly origin: string;
}

/**
 * Returns `count` seeds from the commit id of HEAD: the same for everyone, and unknown while the commit was made.
 * Outside a repository they are 1, 2, 3 and so on.
 */
export async function seedsOfCommit(count: number): Promise<Seeds> {
  const commit = await headCommit();
  if (commit === null) {
    return {
      seeds: Array.from({ length: count }, (_, at) => at + 1),
      isOfCommit: false,
      origin: 'this is no git repository with a commit',
    };
  }
  return { seeds: seedsOf(commit, count), isOfCommit: true, origin: `from commit ${commit.slice(0, 10)}` };
}

/** The 32-bit words of the SHA-256 of the id, then of the SHA-256 of that, and so on. */
function seedsOf(commit: string, count: number): readonly number[] {
  const sha256 = (of: string | Buffer): Buffer => createHash('sha256').update(of).digest();
  const words: number[] = [];
  for (let hash = sha256(commit); words.length < count; hash = sha256(hash)) {
    for (let at = 0; at < hash.length; at += 4) {
      words.push(hash.readUInt32BE(at));
    }
  }
  return words.slice(0, count);
}

async function headCommit(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--verify', 'HEAD'], { cwd: root });
    return stdout.trim();
  } catch {
    return null;
  }
}
