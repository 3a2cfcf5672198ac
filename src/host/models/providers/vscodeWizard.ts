import * as vscode from 'vscode';
import { toLoupeError } from '../../../engine/errors.js';
import type { WizardAnswer, WizardChoice, InputField, InputRemark, WorkOutcome, PickCheck, Screen, Wizard } from './setup/wizard.js';

interface WizardItem<T> extends vscode.QuickPickItem {
  readonly value: T;
}

const SEVERITIES: Readonly<Record<InputRemark['severity'], vscode.InputBoxValidationSeverity>> = {
  error: vscode.InputBoxValidationSeverity.Error,
  warning: vscode.InputBoxValidationSeverity.Warning,
  info: vscode.InputBoxValidationSeverity.Info,
};

export class VscodeWizard implements Wizard {
  readonly #signal: AbortSignal;

  /** Aborting `signal` closes the open question, with the same result as a cancel by the user. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async pick<T>(screen: Screen, choices: readonly WizardChoice<T>[]): Promise<WizardAnswer<T>> {
    const pick = quickPick(screen, choices);
    const answer = await answerOf(pick, this.#signal, () => pick.selectedItems[0] ?? null);
    return answer.type === 'value' ? { type: 'value', value: answer.value.value } : answer;
  }

  async pickMany<T>(
    screen: Screen,
    choices: readonly WizardChoice<T>[],
    more: readonly WizardChoice<T>[],
    check: PickCheck<T>,
  ): Promise<WizardAnswer<readonly T[]>> {
    const pick = quickPick(screen, choices);
    const showAll = { iconPath: new vscode.ThemeIcon('eye'), tooltip: `Show ${String(more.length)} more, which are probably not for chat` };
    pick.canSelectMany = true;
    pick.selectedItems = pick.items.filter((_item, index) => choices[index]?.picked === true);
    pick.buttons = more.length === 0 ? pick.buttons : [...pick.buttons, showAll];
    pick.onDidTriggerButton((button) => {
      if (button === showAll) {
        const checked = pick.selectedItems;
        pick.items = [...pick.items, ...more.map(itemOf)];
        pick.selectedItems = checked;
        pick.buttons = pick.buttons.filter((each) => each !== showAll);
      }
    });
    return answerOf(pick, this.#signal, () => {
      const picked = pick.selectedItems.map(({ value }) => value);
      const wrong = check(picked);
      pick.title = wrong ?? screen.title;
      return wrong === null ? picked : null;
    });
  }

  input(screen: Screen, field: InputField): Promise<WizardAnswer<string>> {
    const box = vscode.window.createInputBox();
    setUp(box, screen);
    box.prompt = screen.prompt;
    box.value = field.value;
    box.placeholder = field.placeholder;
    box.password = field.password;
    const check = (): boolean => {
      const remark = field.check(box.value);
      box.validationMessage = remark === null ? undefined : { message: remark.text, severity: SEVERITIES[remark.severity] };
      return remark?.severity !== 'error';
    };
    if (box.value !== '') {
      check();
    }
    box.onDidChangeValue(check);
    return answerOf(box, this.#signal, () => (check() ? box.value : null));
  }

  async progress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<WorkOutcome<T>> {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (_progress, token): Promise<WorkOutcome<T>> => {
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

function quickPick<T>(screen: Screen, choices: readonly WizardChoice<T>[]): vscode.QuickPick<WizardItem<T>> {
  const pick = vscode.window.createQuickPick<WizardItem<T>>();
  setUp(pick, screen);
  pick.placeholder = screen.prompt;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = choices.map(itemOf);
  return pick;
}

function itemOf<T>({ label, description, detail, value }: WizardChoice<T>): WizardItem<T> {
  return { label, description, value, ...(detail === '' ? {} : { detail }) };
}

function setUp(input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] }, screen: Screen): void {
  input.title = screen.title;
  input.step = screen.number;
  input.totalSteps = screen.of ?? undefined;
  // Keeps the input open without the focus, because users copy keys from other applications.
  input.ignoreFocusOut = true;
  input.buttons = screen.canGoBack ? [vscode.QuickInputButtons.Back] : [];
}

/** Shows an input, and waits for the user. `value` returns the accepted value, or null for an invalid value. */
function answerOf<T>(
  input: Pick<vscode.InputBox, 'onDidAccept' | 'onDidHide' | 'onDidTriggerButton' | 'show' | 'dispose'>,
  signal: AbortSignal,
  value: () => T | null,
): Promise<WizardAnswer<T>> {
  return new Promise((resolve) => {
    const cancel = (): void => {
      end({ type: 'cancel' });
    };
    const end = (answer: WizardAnswer<T>): void => {
      resolve(answer);
      signal.removeEventListener('abort', cancel);
      // Disposing hides the input. The event of hiding then has no effect.
      input.dispose();
    };
    input.onDidAccept(() => {
      const accepted = value();
      if (accepted !== null) {
        end({ type: 'value', value: accepted });
      }
    });
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) {
        end({ type: 'back' });
      }
    });
    input.onDidHide(cancel);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) {
      cancel();
    } else {
      input.show();
    }
  });
}
