import { html, type TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { FailedServer } from '../../../src/protocol/panel/nextRequest.js';
import { posting } from '../../shared/events.js';
import { linkButton } from '../../shared/controls/buttons.js';

/** What the user can do with an MCP server that Loupe runs. */
export type ServerAction = 'Sign in' | 'Sign out' | 'Start' | 'Start again' | 'Restart' | 'Stop' | 'Show log';

const MESSAGES = {
  'Sign in': 'signInServer',
  'Sign out': 'signOutServer',
  Start: 'restartServer',
  'Start again': 'restartServer',
  Restart: 'restartServer',
  Stop: 'stopServer',
  'Show log': 'showServerLog',
} as const satisfies Readonly<Record<ServerAction, ToHost['type']>>;

/** Returns the button of an action. `on` makes its click handler. */
export function serverActionButton(action: ServerAction, server: string, on: (message: ToHost) => (event: Event) => void): TemplateResult {
  return linkButton(action, on({ type: MESSAGES[action], server }));
}

/** Returns the buttons after a failure of a server. */
export function failedServerButtons({ name, wantsSignIn }: FailedServer): TemplateResult {
  const buttons = failedServerActions(wantsSignIn).map((action) => serverActionButton(action, name, posting));
  return html`<span class="server-actions">${buttons}</span>`;
}

/** Returns the actions after a failure of a server, the most useful first. */
export function failedServerActions(wantsSignIn: boolean): readonly ServerAction[] {
  return wantsSignIn ? ['Sign in', 'Show log'] : ['Show log', 'Start again'];
}
