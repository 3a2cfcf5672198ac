import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('activates and returns the API', async () => {
    const extension = vscode.extensions.getExtension<{ version: string; lazy?: string }>('loupe.loupe');
    assert.ok(extension);
    const api = await extension.activate();
    assert.equal(api.version, '0.1.0');
  });
});
