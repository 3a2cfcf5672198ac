import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiSearchResult, LoupeApi } from '../../src/protocol/api/api.js';
import { activated, failure } from '../support/host/extension.js';

const search = (...args: unknown[]): Thenable<readonly ApiSearchResult[]> => vscode.commands.executeCommand('loupe.searchHistory', ...args);

describe('search in VS Code', () => {
  let api: LoupeApi;
  before(async () => {
    api = await activated();
  });

  it('finds messages by the command as by the API, whatever their case', async () => {
    const chatId = await api.newChat();
    await api.sendMessage('/long 3 The Hygrograph', { chatId });
    const found = await api.searchHistory('hygrograph', { role: 'user', limit: 5 });
    assert.deepEqual(
      found.map((result) => [result.chatId, result.role]),
      [[chatId, 'user']],
    );
    assert.deepEqual(await search('HYGROGRAPH', { role: 'user' }), found);
    assert.deepEqual(await search(''), []);
  });

  it('refuses what it cannot search for, in words for the user', async () => {
    assert.equal(await failure(search(7)), 'The search query must be text.');
    assert.equal(await failure(search('x', { limit: 0 })), 'The option "limit" of the search must be a whole number above 0.');
  });
});
