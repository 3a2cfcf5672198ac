import * as vscode from 'vscode';
import type { Clock } from '../../engine/ports.js';
import type { Chats } from '../chat/chats.js';
import { DEFAULT_LIMIT, searchHistory } from './searchHistory.js';
import { searchRows, type SearchRow } from './searchRows.js';
import { TypedSearch, type TypedSearchState } from './typedSearch.js';

/** The user's choice, with the text that the user searched for. */
export type FoundChoice = SearchRow['choice'] & { readonly text: string };

/** Searches all chats while the user types. Resolves to the chosen result, or undefined after a cancel. */
export async function pickFromHistory(chats: Pick<Chats, 'search' | 'titleOf'>, clock: Clock): Promise<FoundChoice | undefined> {
  const pick = vscode.window.createQuickPick<SearchRow & vscode.QuickPickItem>();
  pick.title = 'Search Chats';
  pick.placeholder = 'Search messages and titles of all chats';
  /** Whether the user pressed Enter before the search ended. At its end, Loupe then opens the first result. */
  let isAwaited = false;
  let accept: (row: SearchRow | undefined) => void = () => undefined;
  const show = (state: TypedSearchState): void => {
    pick.busy = state.kind === 'searching';
    const rows = searchRows(state, clock.now());
    if (rows !== null) {
      // `alwaysShow` prevents VS Code from filtering the results again by its own rules.
      pick.items = rows.map((row) => ({ ...row, alwaysShow: true }));
    }
    if (isAwaited && !pick.busy) {
      accept(rows?.[0]);
    }
  };
  const search = new TypedSearch({
    clock,
    show,
    search: (text, signal) => searchHistory(chats, { text, role: null, limit: DEFAULT_LIMIT }, signal),
  });
  pick.onDidChangeValue((text) => {
    isAwaited = false;
    void search.type(text);
  });
  try {
    return await new Promise((resolve) => {
      accept = (chosen) => {
        if (chosen !== undefined && chosen.choice.type !== 'none') {
          resolve({ ...chosen.choice, text: pick.value });
        }
      };
      pick.onDidAccept(() => {
        isAwaited = pick.busy;
        if (!isAwaited) {
          accept(pick.selectedItems[0]);
        }
      });
      pick.onDidHide(() => {
        resolve(undefined);
      });
      pick.show();
    });
  } finally {
    search.cancel();
    pick.dispose();
  }
}
