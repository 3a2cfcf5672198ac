import assert from 'node:assert/strict';
import { refusePlanted } from '../../../src/tools/mcp/transport/plantedProgram.js';
import { useTemporaryFolder } from '../files/temporaryFolder.js';

describe('A program in the folder of a server, with the name of its command', () => {
  const folder = useTemporaryFolder();
  const start = (command: string, env: Readonly<Record<string, string>>, platform: NodeJS.Platform): Promise<void> =>
    refusePlanted({ type: 'stdio', command, args: [], cwd: folder.path, env }, platform);

  it('is refused on Windows, where it would start instead of the installed program', async () => {
    folder.write('NPX.cmd', '@echo planted');
    folder.write('uvx.py', 'print()');
    await assert.rejects(start('npx', {}, 'win32'), /would start NPX\.cmd in the folder/);
    await assert.rejects(start('npx.cmd', {}, 'win32'), /would start NPX\.cmd/);
    await assert.rejects(start('uvx', { Pathext: '.EXE;.PY' }, 'win32'), /would start uvx\.py/);
    await start('uvx', {}, 'win32');
    folder.write('docker/Dockerfile', '');
    folder.write('deno.exe/readme', '');
    folder.write('node', 'no program');
    for (const other of ['docker', 'deno', 'node']) {
      await start(other, {}, 'win32');
    }
  });

  it('may start by its path, and never starts by its name on other systems', async () => {
    folder.write('npx.cmd', '@echo mine');
    await start('C:\\tools\\npx.cmd', {}, 'win32');
    await start(folder.at('npx.cmd'), {}, 'win32');
    await start('npx', {}, 'linux');
  });

  it('is not looked for in a folder that is missing', async () => {
    await refusePlanted({ type: 'stdio', command: 'npx', args: [], cwd: folder.at('none'), env: {} }, 'win32');
  });
});
