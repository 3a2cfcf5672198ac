import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LoupeError } from '../../src/engine/errors.js';
import type { Chats } from '../../src/host/chat/chats.js';
import { MeaningRanker } from '../../src/host/context/catalog/meaningRanker.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { sha256, systemClock } from '../../src/host/window/systemPorts.js';
import { chatServices } from '../../src/host/chatServices.js';
import { column } from '../support/columns.js';
import { until } from '../support/host/extension.js';
import { useWindows } from '../support/host/window.js';
import { editorEncodings } from '../../src/host/context/editorEncodings.js';
import { NO_MAP } from '../support/engine/requests.js';

const CONFIG = { systemPrompt: 'Answer in plain words. '.repeat(1_000) };

describe('a window that starts over existing chats', () => {
  const windows = useWindows();

  it('has the costs of their turns, before any of them is opened', async () => {
    const { window: before, session } = await windows.openChat({ config: CONFIG });
    for (let turn = 0; turn < 5; turn += 1) {
      await session.conversation.send('/long 1');
    }
    await before.chats.close();
    const { chats, subscriptions } = start(windows.open({ writerId: 'next', config: CONFIG }));
    try {
      await chats.refresh();
      const fresh = await chats.create();
      const hasBand = async (): Promise<boolean> => {
        const composed = await fresh.next.preview({ text: '/long 1', editing: null });
        return chats.learned.turns.of(composed, composed.forecast, fresh.state) !== null;
      };
      await until(hasBand, "what yesterday's turns cost");
      assert.deepEqual(column(chats.sessions(), 'id'), [fresh.id]);
    } finally {
      await chats.close();
      for (const each of subscriptions) {
        each.dispose();
      }
    }
  });

  function start({ folder, models, catalog, toolbox, defaults, storeAt, errors }: ReturnType<typeof windows.open>): {
    readonly chats: Chats;
    readonly subscriptions: { dispose(): unknown }[];
  } {
    const subscriptions: vscode.ExtensionContext['subscriptions'] = [];
    const logError = (error: LoupeError): void => {
      errors.push(error);
    };
    const settings = { current: defaults, spendLimits: () => ({ askAbove: null, capPerChat: null, capPerDay: null }) };
    const meaning = new MeaningRanker({ catalog, embedder: () => null, sha256, clock: systemClock, logError });
    const watchFiles = () => ({ begin: () => Promise.resolve(), changes: () => Promise.resolve([]), end: () => undefined });
    const own = {
      root: folder,
      writerId: 'started',
      storeAt,
      logError,
      logInfo: () => undefined,
      files: () => new WorkspaceFiles([], editorEncodings),
      settings,
      watchFiles,
      me: () => Promise.resolve(null),
      editor: { read: () => Promise.resolve([]) },
    };
    return {
      ...chatServices(
        { subscriptions, storageUri: undefined, globalStorageUri: vscode.Uri.file(folder) },
        { ...own, models, catalog, toolbox, meaning, repository: NO_MAP },
      ),
      subscriptions,
    };
  }
});
