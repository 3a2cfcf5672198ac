import assert from 'node:assert/strict';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { receive } from '../../../webview/shared/events.js';

export function pressed(template: unknown, label: string): readonly ToHost[] {
  const [press = assert.fail(`No button says ${label}.`)] = handlersOf(template, label);
  const button = new EventTarget();
  const posted: ToHost[] = [];
  receive(
    button,
    (message) => void posted.push(message),
    () => undefined,
  );
  button.addEventListener('click', press);
  button.dispatchEvent(new Event('click'));
  return posted;
}

/** A button is a template with a handler and a label. */
function handlersOf(template: unknown, label: string): readonly ((event: Event) => void)[] {
  const isTemplate = typeof template === 'object' && template !== null && 'values' in template && !Array.isArray(template);
  const values: unknown = isTemplate ? template.values : template;
  if (!Array.isArray(values)) {
    return [];
  }
  const all = values as readonly unknown[];
  return all.includes(label)
    ? all.filter((value): value is (event: Event) => void => typeof value === 'function')
    : all.flatMap((value) => handlersOf(value, label));
}
