import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import themes from '../../../webview/preview/themes.json' with { type: 'json' };
import { root } from '../../support/paths.mjs';

const WEBVIEW = join(root, 'webview');

describe('The themes of the preview', () => {
  it('have each variable that the style sheets name (test/support/workbench/themeVariables.ts writes them)', () => {
    const sheets = readdirSync(WEBVIEW, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    const used = sheets.flatMap((file) => readFileSync(join(WEBVIEW, file), 'utf8').match(/--vscode-[\w-]+/g) ?? []);
    assert.notEqual(used.length, 0);
    const unknown = used.filter((name) => !Object.hasOwn(themes.variables, name));
    assert.deepEqual(unknown, []);
  });

  it('have a value for each theme, or say that the theme has none', () => {
    for (const [name, values] of Object.entries(themes.variables)) {
      assert.equal(values.length, themes.themes.length, name);
    }
  });
});
