import assert from 'node:assert/strict';
import { CrashWait } from '../../../src/tools/mcp/transport/crashWait.js';
import { sizeText } from '../../../src/tools/mcp/limits.js';
import { MessageLines } from '../../../src/tools/mcp/transport/stdioTransport.js';
import { ServerLog } from '../../../src/tools/mcp/serverLog.js';

describe('the lines of an MCP server', () => {
  const linesOf = (chunks: readonly string[], most: number): readonly string[] | null => {
    const lines = new MessageLines(most);
    const read: string[] = [];
    for (const chunk of chunks) {
      const now = lines.push(Buffer.from(chunk));
      if (now === null) {
        return null;
      }
      read.push(...now.map(String));
    }
    return read;
  };

  it('are the same however the bytes arrive', () => {
    const text = 'one\n\nzwei ä\r\nthree\nfo';
    const whole = ['one', '', 'zwei ä\r', 'three'];
    for (let at = 0; at <= text.length; at += 1) {
      assert.deepEqual(linesOf([text.slice(0, at), text.slice(at)], 100), whole);
    }
    assert.deepEqual(linesOf(Array.from(text), 100), whole);
  });

  it('may be as long as the limit, whether they end or not', () => {
    assert.deepEqual(linesOf(['abc', 'd\nx'], 4), ['abcd']);
    assert.equal(linesOf(['abcde\n'], 4), null);
    assert.equal(linesOf(['abc', 'de'], 4), null);
  });
});

describe('the size of what an MCP server sends', () => {
  it('is in words', () => {
    assert.deepEqual([0, 1_100, 1024 ** 2, 3.45 * 1024 ** 2].map(sizeText), ['0 KiB', '1.1 KiB', '1 MiB', '3.5 MiB']);
  });
});

describe('the log of an MCP server', () => {
  it('keeps its end, from the beginning of a line', () => {
    const log = new ServerLog(20);
    for (let line = 0; line < 100; line += 1) {
      log.write(Buffer.from(`line ${String(line)}\n`));
    }
    assert.equal(log.text(), 'line 98\nline 99\n');
    log.write(Buffer.from(`${'x'.repeat(100)}\nlast\n`));
    assert.equal(log.text(), 'last\n');
  });

  it('shows nothing of a line that is longer than it', () => {
    const log = new ServerLog(20);
    log.write(Buffer.from('x'.repeat(100)));
    assert.equal(log.text(), '');
  });

  it('stays within its limit however short the lines are', () => {
    const log = new ServerLog(5_000);
    for (let line = 0; line < 10_000; line += 1) {
      log.note('x');
    }
    assert.equal(log.text(), '[Loupe] x\n'.repeat(499));
  });

  it('has notes of Loupe on lines of their own', () => {
    const log = new ServerLog(1_000);
    log.write(Buffer.from('half a line'));
    log.note('It ended.');
    log.note('Again.');
    assert.equal(log.text(), 'half a line\n[Loupe] It ended.\n[Loupe] Again.\n');
  });
});

describe('the wait after the crashes of an MCP server', () => {
  const wait = (): CrashWait => new CrashWait({ firstWaitMs: 1_000, longestWaitMs: 5_000, steadyMs: 60_000 });

  it('doubles up to its limit', () => {
    const crashes = wait();
    assert.equal(crashes.leftAt(0), 0);
    const waits = [0, 10_000, 20_000, 30_000, 40_000].map((now) => {
      crashes.failed('It ended.', now);
      return crashes.leftAt(now);
    });
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 5_000, 5_000]);
    assert.deepEqual([crashes.leftAt(42_000), crashes.leftAt(45_000)], [3_000, 0]);
  });

  it('begins anew after a time without a crash', () => {
    const crashes = wait();
    crashes.failed('It ended.', 0);
    crashes.failed('It ended.', 1_000);
    crashes.started(2_000);
    crashes.failed('It ended.', 30_000);
    assert.equal(crashes.count, 3);
    crashes.started(40_000);
    crashes.failed('It ended.', 100_000);
    assert.equal(crashes.count, 1);
  });

  it('has no end where only the user can help, until they do', () => {
    const crashes = wait();
    crashes.failedForGood('No value.');
    assert.equal(crashes.leftAt(1e12), Infinity);
    crashes.forget();
    assert.equal(crashes.leftAt(0), 0);
  });
});
