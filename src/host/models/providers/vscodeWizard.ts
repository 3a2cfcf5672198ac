import * as vscode from 'vscode';
import { toLoupeError } from '../../../engine/errors.js';
import type { Answer, Choice, Field, Outcome, Screen, Wizard } from './setup/wizard.js';

interface Item<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** The wizard as quick picks, input boxes, progress notifications and dialogs. */
export class VscodeWizard implements Wizard {
  async pick<T>(screen: Screen, choices: readonly Choice<T>[]): Promise<Answer<T>> {
    const picked = await showPick(screen, choices, false);
    const [first] = picked.type === 'value' ? picked.value : [];
    return picked.type !== 'value' ? picked : first === undefined ? { type: 'cancel' } : { type: 'value', value: first.value };
  }

  async pickMany<T>(screen: Screen, choices: readonly Choice<T>[]): Promise<Answer<readonly T[]>> {
    const picked = await showPick(screen, choices, true);
    return picked.type === 'value' ? { type: 'value', value: picked.value.map(({ value }) => value) } : picked;
  }

  input(screen: Screen, field: Field): Promise<Answer<string>> {
    const box = vscode.window.createInputBox();
    setUp(box, screen);
    box.prompt = screen.prompt;
    box.value = field.value;
    box.placeholder = field.placeholder;
    box.password = field.password;
    const check = (): boolean => {
      const remark = field.check(box.value);
      const severity = remark?.severity === 'error' ? vscode.InputBoxValidationSeverity.Error : vscode.InputBoxValidationSeverity.Warning;
      box.validationMessage = remark === null ? undefined : { message: remark.text, severity };
      return remark?.severity !== 'error';
    };
    check();
    box.onDidChangeValue(check);
    return answerOf(box, () => (check() ? box.value : null));
  }

  async progress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (_progress, token): Promise<Outcome<T>> => {
      const controller = new AbortController();
      token.onCancellationRequested(() => {
        controller.abort();
      });
      try {
        return { ok: true, value: await work(controller.signal) };
      } catch (thrown) {
        return { ok: false, error: toLoupeError(thrown) };
      }
    });
  }

  async dialog(text: string, buttons: readonly string[]): Promise<string | null> {
    return (await vscode.window.showWarningMessage(text, { modal: true }, ...buttons)) ?? null;
  }
}

function showPick<T>(screen: Screen, choices: readonly Choice<T>[], many: boolean): Promise<Answer<readonly Item<T>[]>> {
  const pick = vscode.window.createQuickPick<Item<T>>();
  setUp(pick, screen);
  pick.placeholder = screen.prompt;
  pick.canSelectMany = many;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = choices.map(({ label, description, detail, value }) => ({
    label,
    description,
    value,
    ...(detail === '' ? {} : { detail }),
  }));
  pick.selectedItems = many ? pick.items.filter((_item, index) => choices[index]?.picked === true) : [];
  return answerOf(pick, () => pick.selectedItems);
}

function setUp(input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] }, screen: Screen): void {
  input.title = screen.title;
  input.step = screen.number;
  input.totalSteps = screen.of;
  // Users copy keys from other windows.
  input.ignoreFocusOut = true;
  input.buttons = screen.canGoBack ? [vscode.QuickInputButtons.Back] : [];
}

/** Shows an input and waits for its end. `value` returns the accepted value, or null while it is invalid. */
function answerOf<T>(
  input: Pick<vscode.InputBox, 'onDidAccept' | 'onDidHide' | 'onDidTriggerButton' | 'show' | 'dispose'>,
  value: () => T | null,
): Promise<Answer<T>> {
  return new Promise((resolve) => {
    const end = (answer: Answer<T>): void => {
      resolve(answer);
      // Disposing also hides the input; its hide event comes after the answer and has no effect.
      input.dispose();
    };
    input.onDidAccept(() => {
      const accepted = value();
      if (accepted !== null) {
        end({ type: 'value', value: accepted });
      }
    });
    input.onDidTriggerButton(() => {
      end({ type: 'back' });
    });
    input.onDidHide(() => {
      end({ type: 'cancel' });
    });
    input.show();
  });
}
