import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/paths.mjs';

/** A public project, downloaded from the npm registry. None of its code is in this repository. */
export interface CodeBase {
  readonly package: string;
  readonly version: string;
  /** As in a `package-lock.json`. */
  readonly integrity: string;
  /** The folder with the sources: '' for the whole package. Other folders have generated copies. */
  readonly folder: string;
  readonly questions: readonly Question[];
}

/** The first message of a chat. */
export interface Question {
  readonly text: string;
  /** The files that a developer would open first: one, or several that are equally right. */
  readonly right: readonly string[];
  /** Whether it can have influenced the ranking (`tune`), or only measures it (`test`). */
  readonly set: 'tune' | 'test';
}

/** Three code bases with 20 questions each. Written before the ranking was measured or changed. */
export function codeBases(): readonly CodeBase[] {
  return JSON.parse(readFileSync(join(root, 'test/bench/repositories/questions.json'), 'utf8')) as readonly CodeBase[];
}
