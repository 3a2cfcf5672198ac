import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/paths.mjs';

const WEBVIEW = join(root, 'webview');

describe('The style sheets', () => {
  it('have no rule such as `.a > * + *`, for which Chromium restyles all later siblings of each new element', () => {
    const sheets = readdirSync(WEBVIEW, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    assert.notEqual(sheets.length, 0);
    const costly = sheets.flatMap((file) => readFileSync(join(WEBVIEW, file), 'utf8').match(/^.*\*\s*[+~]\s*[*:].*$/gm) ?? []);
    assert.deepEqual(costly, []);
  });
});
