import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { FileRead } from '../../src/engine/context/fileContents.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { type TemporaryFolder, useTemporaryFolder } from '../unit/files/temporaryFolder.js';
import { UTF8_EDITOR } from '../support/utf8Editor.js';

const naughty = createRequire(import.meta.url)('big-list-of-naughty-strings/blns.json') as readonly string[];

/** UTF-8 cannot express lone surrogates. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text;
}

function assertRefused(result: FileRead, reason: RegExp): void {
  assert.ok(!result.ok, 'the file should have been refused');
  assert.notEqual(result.problem.code, 'missing');
  assert.match(result.reason, reason);
}

describe('files that are no text for a prompt (case 27)', () => {
  const folder = useTemporaryFolder();
  let files: WorkspaceFiles;

  beforeEach(() => {
    files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
  });

  it('refuses a file of 50 MB, naming both sizes', async () => {
    truncateSync(folder.write('big.txt', ''), 50 * 1024 * 1024);
    assertRefused(await files.read('big.txt'), /^big\.txt is too large \(50\.0 MB; limit 1 MB\)\.$/);
  });

  it('takes a file of exactly 1 MiB and refuses one byte more', async () => {
    folder.write('most.txt', 'a'.repeat(1024 * 1024));
    folder.write('more.txt', 'a'.repeat(1024 * 1024 + 1));
    const most = await files.read('most.txt');
    assert.ok(most.ok);
    assert.equal(most.bytes, 1024 * 1024);
    assertRefused(await files.read('more.txt'), /too large/);
  });

  it('refuses a file that grows over the limit before it is opened', async () => {
    const place = folder.write('log.txt', 'a');
    const racing = new WorkspaceFiles([folder.path], UTF8_EDITOR, async (stage) => {
      if (stage === 'checked') {
        truncateSync(place, 2 * 1024 * 1024);
      }
    });
    assertRefused(await racing.read('log.txt'), /too large/);
  });

  it('refuses a binary file', async () => {
    folder.write('a.bin', new Uint8Array([65, 0, 66]));
    assertRefused(await files.read('a.bin'), /^a\.bin is not a text file/);
    folder.write('a.pdf', '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n');
    assertRefused(await files.read('a.pdf'), /^a\.pdf is not a text file/);
  });

  it('refuses UTF-16 as what it looks like', async () => {
    folder.write('a.txt', Buffer.from('\uFEFFtext', 'utf16le'));
    assertRefused(await files.read('a.txt'), /is not a text file\.$/);
  });

  it('refuses a pipe at once, without a writer to wait for', async () => {
    execFileSync('mkfifo', [folder.at('pipe')]);
    assertRefused(await files.read('pipe'), /^pipe is a pipe/);
  });

  it('refuses a pipe swapped in after the check, without waiting', async () => {
    const place = folder.write('a.txt', 'text');
    const racing = new WorkspaceFiles([folder.path], UTF8_EDITOR, async (stage) => {
      if (stage === 'checked') {
        unlinkSync(place);
        execFileSync('mkfifo', [place]);
      }
    });
    assertRefused(await racing.read('a.txt'), /is a pipe/);
  });

  it('refuses a device, also when a link leads to it', async () => {
    symlinkSync('/dev/zero', folder.at('zeros'));
    assertRefused(await files.read('zeros'), /links to a place outside the workspace/);
    const devices = new WorkspaceFiles(['/dev'], UTF8_EDITOR);
    assertRefused(await devices.read('zero'), /^zero is a device/);
  });

  it('refuses a folder', async () => {
    mkdirSync(folder.at('src'));
    assertRefused(await files.read('src'), /^src is a folder/);
  });

  describe('with a socket', () => {
    let server: Server;

    beforeEach((done) => {
      server = createServer().listen(folder.at('socket'), done);
    });
    afterEach((done) => {
      server.close(done);
    });

    it('refuses it', async () => {
      assertRefused(await files.read('socket'), /^socket is a socket/);
    });
  });

  it('says of a file that is not there that it is missing', async () => {
    for (const path of ['gone.txt', 'no/folder/gone.txt']) {
      assert.deepEqual(await files.read(path), { ok: false, problem: { code: 'missing' }, reason: `${path} does not exist.` });
    }
    folder.write('file', '');
    const below = await files.read('file/below');
    assert.ok(!below.ok && below.problem.code === 'missing');
  });

  it('says of a link to nothing that it is missing', async () => {
    symlinkSync('nothing', folder.at('link'));
    const result = await files.read('link');
    assert.ok(!result.ok && result.problem.code === 'missing');
  });

  it('says of everything that it is missing when the workspace folder is gone', async () => {
    rmSync(folder.path, { recursive: true });
    const result = await files.read('a.txt');
    assert.ok(!result.ok && result.problem.code === 'missing');
  });

  it('refuses a name that is too long for the file system', async () => {
    assertRefused(await files.read('a'.repeat(5_000)), /name that is too long/);
  });
});

describe('a link out of the workspace with a name in another Unicode form (case 29)', () => {
  const folder = useTemporaryFolder();
  const outside = useTemporaryFolder();

  it('is refused, also for a file that does not exist yet', async () => {
    symlinkSync(outside.path, folder.at('Größe'.normalize('NFD')));
    const files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
    assertRefused(await files.read('Größe/new.txt'.normalize('NFC')), /links to a place outside the workspace/);
  });
});

describe('text with hostile characters (case 28)', () => {
  const folder = useTemporaryFolder();
  let files: WorkspaceFiles;

  beforeEach(() => {
    files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
  });

  const contentRoundTrips = async (content: string): Promise<void> => {
    folder.write('a.txt', content);
    const read = await files.read('a.txt');
    assert.ok(read.ok);
    assert.equal(read.content, content);
  };

  it('has the place of a file that is there, and of no other', async () => {
    folder.write('src/a.txt', 'a');
    assert.match((await files.existing('./src/a.txt')) ?? '', /src.a\.txt$/);
    symlinkSync('/etc', join(folder.path, 'out'));
    for (const path of ['src/b.txt', 'src', '../a.txt', '/etc/passwd', 'out/passwd', 'a\0']) {
      assert.equal(await files.existing(path), null, path);
    }
  });

  it('keeps right-to-left and zero-width characters', async () => {
    await contentRoundTrips('a\u202Eb\u2066c\u200Bd\u200De\u00ADf\u2028g');
  });

  it('keeps a byte order mark, and one in the middle', async () => {
    await contentRoundTrips('\uFEFFa\uFEFFb');
  });

  it('keeps line ends and a missing last newline', async () => {
    await contentRoundTrips('a\r\nb\rc\nd');
  });

  it('keeps every string of the big list of naughty strings', async () => {
    const texts = naughty.filter((text) => !text.includes('\0') && isWellFormed(text));
    assert.ok(texts.length > 400);
    await contentRoundTrips(texts.join('\n'));
  });

  it('keeps them in names', async () => {
    const names = [...naughty, 'a\u202Etxt.exe', 'a\u200B.txt', '\uFEFFbom.txt', 'e\u0301.txt', 'é.txt']
      .filter((name) => !/[/\\\0]/.test(name) && isWellFormed(name) && !/^[A-Za-z]:/.test(name))
      .filter((name) => name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 255);
    assert.ok(names.length > 200);
    await Promise.all(
      names.map(async (name) => {
        folder.write(name, name);
        const read = await files.read(name);
        assert.ok(read.ok, name);
        assert.equal(read.content, name);
      }),
    );
  });

  const invalid: readonly (readonly [string, readonly number[]])[] = [
    ['a stray continuation byte', [0x61, 0x80]],
    ['a cut sequence at the end', [0x61, 0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a lone surrogate (CESU-8)', [0xed, 0xa0, 0x80]],
    ['Latin-1 text', [0x63, 0x61, 0x66, 0xe9]],
  ];
  for (const [what, bytes] of invalid) {
    it(`refuses ${what} instead of inventing a replacement character`, async () => {
      folder.write('a.txt', new Uint8Array(bytes));
      assertRefused(await files.read('a.txt'), /^a\.txt is not valid text in its encoding/);
    });
  }
});

describe('paths that lead out of the workspace (case 29)', () => {
  const folder = useTemporaryFolder();
  const outside = useTemporaryFolder();
  let files: WorkspaceFiles;

  beforeEach(() => {
    outside.write('secret.txt', 'secret');
    files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
  });

  for (const path of ['../secret.txt', 'src/../../secret.txt', '..\\secret.txt']) {
    it(`refuses ${path}`, async () => {
      assertRefused(await files.read(path), /"\.\."/);
    });
  }

  for (const path of ['/etc/passwd', '\\\\server\\share\\a.txt', '\\a.txt']) {
    it(`refuses the absolute path ${path}`, async () => {
      assertRefused(await files.read(path), /absolute path/);
    });
  }

  it('refuses a path on a Windows drive', async () => {
    assertRefused(await files.read('C:\\a.txt'), /Windows drive/);
  });

  it('refuses an absolute path even when it leads into the workspace', async () => {
    assertRefused(await files.read(folder.write('a.txt', 'a')), /absolute path/);
  });

  it('refuses a circle of links', async () => {
    symlinkSync('b', folder.at('a'));
    symlinkSync('a', folder.at('b'));
    assertRefused(await files.read('a'), /its links form a circle/);
    assertRefused(await files.read('a/file.txt'), /circle/);
  });

  it('refuses a link to a file outside', async () => {
    symlinkSync(outside.at('secret.txt'), folder.at('link.txt'));
    assertRefused(await files.read('link.txt'), /^link\.txt links to a place outside the workspace/);
  });

  it('refuses a file in a linked folder outside, whether it is there or not', async () => {
    symlinkSync(outside.path, folder.at('linked'));
    assertRefused(await files.read('linked/secret.txt'), /links to a place outside the workspace/);
    assertRefused(await files.read('linked/no/such.txt'), /links to a place outside the workspace/);
  });

  it('does not take a sibling folder with the same beginning for the workspace', async () => {
    const sibling = `${folder.path}-other`;
    mkdirSync(sibling);
    writeFileSync(`${sibling}/a.txt`, 'a');
    symlinkSync(`${sibling}/a.txt`, folder.at('link.txt'));
    try {
      assertRefused(await files.read('link.txt'), /links to a place outside the workspace/);
    } finally {
      rmSync(sibling, { recursive: true });
    }
  });

  it('follows links inside the workspace, and from one of its folders into another', async () => {
    folder.write('real/a.txt', 'a');
    symlinkSync('real', folder.at('linked'));
    assert.deepEqual(await files.read('linked/a.txt'), { ok: true, content: 'a', bytes: 1 });
    symlinkSync(outside.at('secret.txt'), folder.at('other.txt'));
    const [name] = folder.path.split('/').slice(-1);
    const both = new WorkspaceFiles([folder.path, outside.path], UTF8_EDITOR);
    assert.deepEqual(await both.read(`${String(name)}/other.txt`), { ok: true, content: 'secret', bytes: 6 });
  });

  it('works in a workspace folder that is itself reached through a link', async () => {
    folder.write('a.txt', 'a');
    symlinkSync(folder.path, outside.at('workspace'));
    const linked = new WorkspaceFiles([outside.at('workspace')], UTF8_EDITOR);
    assert.deepEqual(await linked.read('a.txt'), { ok: true, content: 'a', bytes: 1 });
  });

  const swaps: readonly (readonly [string, (folder: TemporaryFolder, outside: TemporaryFolder) => void])[] = [
    [
      'the file becomes a link out',
      (inside, out) => {
        unlinkSync(inside.at('src/a.txt'));
        symlinkSync(out.at('secret.txt'), inside.at('src/a.txt'));
      },
    ],
    [
      'its folder becomes a link out',
      (inside, out) => {
        out.write('a.txt', 'secret');
        renameSync(inside.at('src'), inside.at('moved'));
        symlinkSync(out.path, inside.at('src'));
      },
    ],
    [
      'another file takes its place',
      (inside, out) => {
        renameSync(out.at('secret.txt'), inside.at('src/a.txt'));
      },
    ],
    [
      'a parent folder is moved away and the file with it',
      (inside, out) => {
        renameSync(inside.at('src'), out.at('moved'));
        symlinkSync(out.at('moved'), inside.at('src'));
      },
    ],
  ];
  for (const [what, swap] of swaps) {
    for (const when of ['checked', 'opened'] as const) {
      it(`refuses when, directly after it is ${when}, ${what}`, async () => {
        folder.write('src/a.txt', 'harmless');
        const racing = new WorkspaceFiles([folder.path], UTF8_EDITOR, async (stage) => {
          if (stage === when) {
            swap(folder, outside);
          }
        });
        assertRefused(await racing.read('src/a.txt'), /links to a place outside|replaced|circle/);
      });
    }
  }

  it('refuses another file that was only there while the file was opened', async () => {
    folder.write('src/a.txt', 'harmless');
    const racing = new WorkspaceFiles([folder.path], UTF8_EDITOR, async (stage) => {
      const [from, to] = stage === 'checked' ? ['src', 'aside'] : ['aside', 'src'];
      if (stage === 'opened') {
        rmSync(folder.at('src'), { recursive: true });
      }
      renameSync(folder.at(from), folder.at(to));
      if (stage === 'checked') {
        folder.write('src/a.txt', 'swapped in');
      }
    });
    assertRefused(await racing.read('src/a.txt'), /replaced/);
  });

  it('refuses to list a linked folder outside', async () => {
    symlinkSync(outside.path, folder.at('linked'));
    const listing = await files.listFolder('linked', { most: 10, signal: new AbortController().signal });
    assert.ok(!listing.ok);
    assert.match(listing.reason, /links to a place outside the workspace/);
  });
});
