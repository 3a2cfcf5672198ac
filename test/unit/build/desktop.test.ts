import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchDesktop } from '../../support/desktop.mjs';

describe('the tests in desktop VS Code', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loupe-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** A replacement of VS Code that saves its arguments and ends with this exit code. */
  function fakeCode(exitCode: number): string {
    const file = join(folder, 'code');
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/arguments'\nexit ${exitCode}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  const launch = (executable: string): Promise<string | null> =>
    launchDesktop({
      executable,
      extensions: ['/files/extension', '/files/driver'],
      testsPath: '/files/extension/test/hostRunner.js',
      workspace: '/files/tides and gauges',
      userFolder: '/files/user',
    });

  it('open the workspace, with Loupe and the driver alone, in a user folder of their own', async () => {
    assert.equal(await launch(fakeCode(0)), null);
    const given = readFileSync(join(folder, 'arguments'), 'utf8').trimEnd().split('\n');
    assert.equal(given[0], '/files/tides and gauges');
    for (const expected of [
      '--disable-extensions',
      '--extensionTestsPath=/files/extension/test/hostRunner.js',
      '--extensionDevelopmentPath=/files/extension',
      '--extensionDevelopmentPath=/files/driver',
    ]) {
      assert.ok(given.includes(expected), `${expected} is missing in ${given.join(' ')}`);
    }
    assert.equal(given[given.indexOf('--user-data-dir') + 1], '/files/user');
  });

  it('say what to check when the program ends with an error, or is none', async () => {
    for (const program of [fakeCode(3), join(folder, 'missing')]) {
      const problem = (await launch(program)) ?? '';
      assert.match(problem, /did not run the tests \(.+\): check that it is VS Code's own program/);
      assert.ok(problem.startsWith(program), problem);
    }
  });
});
