import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import launch from '../../../.vscode/launch.json' with { type: 'json' };
import tasks from '../../../.vscode/tasks.json' with { type: 'json' };
import { watchReport } from '../../../build/watchReport.mjs';
import extension from '../../../package.json' with { type: 'json' };
import { root } from '../../support/paths.mjs';
import { TemporaryFolder } from '../files/temporaryFolder.js';

const [debugExtension, debugTest] = launch.configurations;
const watch = tasks.tasks.find(({ label }) => label === debugExtension?.preLaunchTask);
const matcher = watch?.problemMatcher;
assert.ok(typeof matcher === 'object' && 'background' in matcher);

/** Reads a task's lines as VS Code does: start, end, and the problems between them. */
function read(lines: readonly string[]): string[] {
  const { background, pattern } = matcher as Extract<typeof matcher, { background: unknown }>;
  const seen: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (new RegExp(background.beginsPattern).test(line)) seen.push('begins');
    if (new RegExp(background.endsPattern).test(line)) seen.push('ends');
    const [head, gap, place] = pattern.map(({ regexp }, at) => new RegExp(regexp).exec(lines[index + at] ?? 'none'));
    if (head && gap && place) seen.push([place[1], place[2], head[1], head[2]].join(' '));
  }
  return seen;
}

describe('F5', () => {
  const folder = new TemporaryFolder();
  after(() => {
    folder.remove();
  });

  it('waits for lines that the watching build prints, and finds its errors', async () => {
    const lines: string[] = [];
    const report = watchReport(['one', 'two'], (text) => lines.push(...text.split('\n')));
    const contexts = await Promise.all(
      ['one', 'two'].map((name) =>
        esbuild.context({
          absWorkingDir: folder.path,
          entryPoints: [folder.write(`${name}.ts`, 'export {};')],
          write: false,
          logLevel: 'silent',
          plugins: [report(name)],
        }),
      ),
    );
    const [one, two] = contexts;
    assert.ok(one && two);
    try {
      await one.rebuild();
      assert.deepEqual(read(lines), ['begins']);
      await two.rebuild();
      assert.deepEqual(read(lines), ['begins', 'ends']);
      folder.write('two.ts', 'export {};\nlet a b;');
      await assert.rejects(two.rebuild());
      assert.deepEqual(read(lines).slice(2), ['begins', 'two.ts 2 ERROR Expected ";" but found "b"', 'ends']);
    } finally {
      await Promise.all(contexts.map((context) => context.dispose()));
    }
  });

  it('names what is there', () => {
    assert.ok(Object.hasOwn(extension.scripts, watch?.script ?? ''));
    const places = [...(debugExtension?.args ?? []).map((arg) => arg.replace('--extensionDevelopmentPath=', '')), debugTest?.program ?? ''];
    for (const place of places) assert.ok(existsSync(join(place.replace('${workspaceFolder}', root))), place);
  });
});
