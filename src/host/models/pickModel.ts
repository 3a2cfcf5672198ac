import * as vscode from 'vscode';
import { type ModelRef, modelKey } from '../../engine/model/modelRef.js';
import type { MenuLine } from './providers/modelMenu.js';
import { failure } from '../../engine/errors.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';

type ModelItem = vscode.QuickPickItem & { readonly line: MenuLine };

/**
 * Lets the user choose a line of the menu. Null after a cancel. Without a search `text`, the current model is
 * preselected, so Enter changes nothing. A model's star makes that model the default of new chats and keeps the menu
 * open. Calls `menu` again after a star, and when `known` resolves. Rejects when the settings cannot be written.
 */
export async function pickModel(menu: () => readonly MenuLine[], known: Promise<void>, text: string): Promise<MenuLine | null> {
  const pick = vscode.window.createQuickPick<ModelItem>();
  pick.placeholder = 'Model for this chat';
  pick.matchOnDescription = true;
  pick.items = menu().map(itemOf);
  pick.value = text;
  if (text === '') {
    pick.activeItems = pick.items.filter(({ line }) => line.type === 'model' && line.isInUse);
  }
  try {
    return await new Promise((resolve, reject) => {
      pick.onDidTriggerItemButton(({ item: { line } }) => {
        if (line.type === 'model') {
          changeDefault(line.model.ref).catch(reject);
        }
      });
      const changeDefault = async (model: ModelRef): Promise<void> => {
        await makeDefault(model);
        pick.items = menu().map(itemOf);
      };
      known.then(() => {
        showAgain(pick, menu());
      }, reject);
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]?.line ?? null);
      });
      pick.onDidHide(() => {
        resolve(null);
      });
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

/** Replaces the lines of the menu, and keeps the selected line selected. */
function showAgain(pick: vscode.QuickPick<ModelItem>, lines: readonly MenuLine[]): void {
  const [active] = pick.activeItems;
  const items = lines.map(itemOf);
  pick.items = items;
  pick.activeItems = items.filter(({ line, label }) => line.type === active?.line.type && label === active.label).slice(0, 1);
}

function itemOf(line: MenuLine): ModelItem {
  switch (line.type) {
    case 'provider':
      return { label: line.label, kind: vscode.QuickPickItemKind.Separator, line };
    case 'model': {
      const star = line.isDefault
        ? { iconPath: new vscode.ThemeIcon('star-full'), tooltip: 'The default model for new chats' }
        : { iconPath: new vscode.ThemeIcon('star-empty'), tooltip: 'Make this model the default for new chats' };
      const detail = line.detail === null ? {} : { detail: line.detail };
      return { label: line.label, description: line.description, ...detail, buttons: [star], line };
    }
    case 'add':
      return { label: line.label, alwaysShow: true, line };
  }
}

/** Makes a model the default of new chats, in the user's settings. Throws when the settings cannot be written. */
export async function makeDefault(model: ModelRef): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(SETTINGS_SECTION).update('defaults.model', modelKey(model), vscode.ConfigurationTarget.Global);
  } catch (thrown) {
    throw failure('settings.notWritten', { cause: thrown });
  }
}
