import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { WorkspaceCatalog } from '../../src/host/context/catalog/workspaceCatalog.js';
import { mayBeNested, NESTED_PATTERNS } from '../../src/host/context/files/catalogPlaces.js';
import { catalogLocations } from '../../src/host/context/files/catalogLocations.js';
import { UserFiles } from '../../src/host/context/files/userFiles.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { root } from '../support/paths.mjs';
import { UTF8_EDITOR } from '../support/utf8Editor.js';

/* A workspace with many files, and with rules of many programs. */

export const FILES = 50_000;
const FILES_PER_FOLDER = 100;
const PACKAGES = 45;
/** Loupe's own documentation. */
const DOCUMENTS = ['using', 'architecture', 'decisions', 'models', 'performance']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n');
/** Characters of a rule: some hundred lines of real prose. */
const TEXT = 4_000;

/** Writes the workspace. Returns the paths of its 200 rules. */
export async function writeRuleWorkspace(folder: string): Promise<readonly string[]> {
  const rules = rulesOfPrograms();
  const documents = Array.from({ length: 10 }, (_, at) => [`docs/guide-${String(at)}.md`, prose(200 + at)] as const);
  const code = Array.from(
    { length: FILES - rules.length - documents.length },
    (_, at) => [codePath(at), `export const a${String(at)} = 1;\n`] as const,
  );
  const all = [...rules, ...documents, ...code];
  await Promise.all([...new Set(all.map(([path]) => dirname(path)))].map((each) => mkdir(join(folder, each), { recursive: true })));
  for (let at = 0; at < all.length; at += FILES_PER_FOLDER) {
    await Promise.all(all.slice(at, at + FILES_PER_FOLDER).map(([path, text]) => writeFile(join(folder, path), text)));
  }
  return rules.map(([path]) => path);
}

function codePath(at: number): string {
  const folder = Math.floor(at / FILES_PER_FOLDER);
  return `packages/p${String(folder % PACKAGES)}/src/part-${String(folder)}/file-${String(at)}.ts`;
}

/** Returns the paths and texts of the rules. */
function rulesOfPrograms(): readonly (readonly [string, string])[] {
  let at = 0;
  const rules = (count: number, pathOf: (n: number) => string, frontMatter: (n: number) => string, body: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => {
      at += 1;
      return [pathOf(n), `${frontMatter(n)}${body(n)}\n\n${prose(at)}`] as const;
    });
  const none = (): string => '';
  const yaml = (lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n`;
  const globs = (n: number): string => `packages/p${String(n % PACKAGES)}/**/*.{ts,tsx}`;
  return [
    ...rules(
      1,
      () => 'AGENTS.md',
      none,
      () => '@docs/guide-0.md',
    ),
    ...rules(
      1,
      () => 'CLAUDE.md',
      none,
      () => '@AGENTS.md and @docs/guide-1.md, @docs/guide-2.md',
    ),
    ...rules(1, () => '.github/copilot-instructions.md', none, none),
    ...rules(
      PACKAGES,
      (n) => `packages/p${String(n)}/AGENTS.md`,
      none,
      (n) => `See @../../docs/guide-${String(n % 10)}.md.`,
    ),
    ...rules(
      12,
      (n) => `packages/p${String(n)}/CLAUDE.md`,
      none,
      () => '@AGENTS.md',
    ),
    ...rules(
      30,
      (n) => `.claude/rules/rule-${String(n)}.md`,
      (n) => yaml(['paths:', `  - "${globs(n)}"`, '  - "*.md"']),
      none,
    ),
    ...rules(
      40,
      (n) => `.cursor/rules/rule-${String(n)}.mdc`,
      (n) => yaml([`description: How part ${String(n)} works`, `globs: ${globs(n)},*.mdx`, 'alwaysApply: false']),
      (n) => `[The guide](mdc:docs/guide-${String(n % 10)}.md)`,
    ),
    ...rules(
      30,
      (n) => `.github/instructions/i${String(n)}.instructions.md`,
      (n) => yaml([`applyTo: "${globs(n)}, **/*.css"`]),
      none,
    ),
    ...rules(
      10,
      (n) => `.windsurf/rules/w${String(n)}.md`,
      (n) => yaml(['trigger: glob', `globs: "${globs(n)}"`]),
      none,
    ),
    ...rules(10, (n) => `.clinerules/c${String(n)}.md`, none, none),
    ...rules(
      10,
      (n) => `.kiro/steering/k${String(n)}.md`,
      (n) => yaml(['inclusion: fileMatch', `fileMatchPattern: "${globs(n)}"`]),
      none,
    ),
    ...rules(
      10,
      (n) => `.loupe/rules/l${String(n)}.md`,
      (n) => yaml([`name: L${String(n)}`, 'include: agent', 'description: Rules']),
      none,
    ),
  ];
}

/** Distance of the texts of two rules. Rules share some paragraphs, as in real workspaces. */
const STEP = 1_777;

function prose(at: number): string {
  const begin = (at * STEP) % (DOCUMENTS.length - TEXT);
  return DOCUMENTS.slice(begin, begin + TEXT);
}

/** Opens the catalog. Another program searches for rules in subfolders, as in VS Code. */
export function openCatalog(folder: string): WorkspaceCatalog {
  const fail = (error: Error): void => {
    throw error;
  };
  return new WorkspaceCatalog({
    files: () => new WorkspaceFiles([folder], UTF8_EDITOR),
    findNested: async () => {
      const names = [...new Set(NESTED_PATTERNS.map((pattern) => basename(pattern)))].flatMap((name) => ['-o', '-name', name]).slice(1);
      const { stdout } = await promisify(execFile)('find', [folder, '-mindepth', '2', '-type', 'f', '(', ...names, ')']);
      return stdout.split('\n').filter(mayBeNested);
    },
    locations: () => catalogLocations({}),
    isTrusted: () => true,
    includes: () => new Map(),
    ruleFamilies: () => null,
    userFiles: () => new UserFiles(folder, new Set(), UTF8_EDITOR),
    servers: () => [],
    logInfo: () => undefined,
    logError: fail,
  });
}
