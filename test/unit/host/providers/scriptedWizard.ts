import assert from 'node:assert/strict';
import { toLoupeError } from '../../../../src/engine/errors.js';
import type {
  WizardAnswer,
  WizardChoice,
  InputField,
  WorkOutcome,
  PickCheck,
  InputRemark,
  Screen,
  Wizard,
} from '../../../../src/host/models/providers/setup/wizard.js';

export type Action =
  | { readonly do: 'pick'; readonly label: string }
  | { readonly do: 'check'; readonly labels: readonly string[] }
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'accept' }
  | { readonly do: 'press'; readonly button: string }
  | { readonly do: 'back' | 'cancel' }
  /** Shows further choices. */
  | { readonly do: 'showAll' };

export const pick = (label: string): Action => ({ do: 'pick', label });
export const check = (...labels: string[]): Action => ({ do: 'check', labels });
export const type = (text: string): Action => ({ do: 'type', text });
export const press = (button: string): Action => ({ do: 'press', button });
export const accept: Action = { do: 'accept' };
export const back: Action = { do: 'back' };
export const cancel: Action = { do: 'cancel' };
export const showAll: Action = { do: 'showAll' };

/** A step that was shown: its text, and its choices or default. */
export interface Shown {
  readonly step: string;
  readonly text: string;
  readonly choices: readonly string[];
  readonly value: string;
  readonly password: boolean;
}

/** A user who follows a script. Further questions fail, and actions that a question does not offer. */
export class ScriptedWizard implements Wizard {
  readonly shown: Shown[] = [];
  /** The remarks on the accepted texts. */
  readonly remarks: string[] = [];
  readonly #script: Action[];

  constructor(script: readonly Action[]) {
    this.#script = [...script];
  }

  get left(): number {
    return this.#script.length;
  }

  said(): string {
    return JSON.stringify(this.shown.map(({ text, choices }) => [text, choices]));
  }

  async pick<T>(screen: Screen, choices: readonly WizardChoice<T>[]): Promise<WizardAnswer<T>> {
    const action = this.#next(screen, { choices: choices.map(line), value: '', password: false });
    if (action.do !== 'pick') {
      return this.#leave(action, screen);
    }
    const chosen = choices.find(({ label }) => label === action.label);
    assert.ok(chosen, `"${action.label}" is not among ${choices.map(({ label }) => label).join(', ')}`);
    return { type: 'value', value: chosen.value };
  }

  async pickMany<T>(
    screen: Screen,
    choices: readonly WizardChoice<T>[],
    more: readonly WizardChoice<T>[],
    checked: PickCheck<T>,
  ): Promise<WizardAnswer<readonly T[]>> {
    const action = this.#next(screen, { choices: choices.map(line), value: '', password: false });
    if (action.do === 'showAll') {
      assert.notEqual(more.length, 0, 'All is shown.');
      return this.pickMany(screen, [...choices, ...more], [], checked);
    }
    if (action.do !== 'check' && action.do !== 'accept') {
      return this.#leave(action, screen);
    }
    const labels = action.do === 'check' ? action.labels : choices.filter(({ picked }) => picked).map(({ label }) => label);
    const missing = labels.filter((label) => choices.every((each) => each.label !== label));
    assert.deepEqual(missing, []);
    const value = choices.filter(({ label }) => labels.includes(label)).map((each) => each.value);
    assert.equal(checked(value), null, `"${labels.join(', ')}" is not accepted`);
    return { type: 'value', value };
  }

  async input(screen: Screen, field: InputField): Promise<WizardAnswer<string>> {
    const action = this.#next(screen, { choices: [], value: field.value, password: field.password });
    if (action.do !== 'type' && action.do !== 'accept') {
      return this.#leave(action, screen);
    }
    const value = action.do === 'type' ? action.text : field.value;
    const remark = field.check(value);
    assert.notEqual(remark?.severity, 'error' satisfies InputRemark['severity'], `"${value}" is not accepted: ${remark?.text ?? ''}`);
    this.remarks.push(...(remark === null ? [] : [remark.text]));
    return { type: 'value', value };
  }

  async progress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<WorkOutcome<T>> {
    this.shown.push({ step: '', text: title, choices: [], value: '', password: false });
    try {
      return { ok: true, value: await work(new AbortController().signal) };
    } catch (thrown) {
      return { ok: false, error: toLoupeError(thrown) };
    }
  }

  async dialog(text: string, buttons: readonly string[]): Promise<string | null> {
    this.shown.push({ step: 'dialog', text, choices: buttons, value: '', password: false });
    const action = this.#script.shift();
    if (action?.do === 'cancel') {
      return null;
    }
    assert.ok(action?.do === 'press', `The dialog "${text}" was not expected.`);
    assert.ok(buttons.includes(action.button), `${action.button} is not among ${buttons.join(', ')}`);
    return action.button;
  }

  #next(screen: Screen, what: Pick<Shown, 'choices' | 'value' | 'password'>): Action {
    this.shown.push({
      step: screen.of === null ? String(screen.number) : `${String(screen.number)}/${String(screen.of)}`,
      text: screen.prompt,
      ...what,
    });
    const action = this.#script.shift();
    assert.ok(action, `The question "${screen.prompt}" was not expected.`);
    return action;
  }

  #leave(action: Action, screen: Screen): { readonly type: 'back' } | { readonly type: 'cancel' } {
    assert.ok(action.do === 'back' || action.do === 'cancel', `"${screen.prompt}" cannot ${action.do}`);
    assert.ok(action.do !== 'back' || screen.canGoBack, `"${screen.prompt}" has no Back`);
    return { type: action.do };
  }
}

function line({ label, description, detail }: WizardChoice<unknown>): string {
  return [label, description, detail].filter((text) => text !== '').join(' | ');
}
