import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { PreviewState } from '../state.js';
import { text, toolCall } from '../views.js';
import { QUESTION, replied, shown } from './parts.js';

export const FAILED_SERVERS: PanelState['failedServers'] = [
  { name: 'browser', problem: 'The server stopped when it started, with code 1.', wantsSignIn: false },
  { name: 'tickets', problem: 'The server wants you to sign in.', wantsSignIn: true },
];

const ENDED = toolCall('c1', '{"url":"https://unicode.example/Public/UCD/latest"}', {
  ...{ name: 'fetch_url', subject: 'https://unicode.example/Public/UCD/latest', serverName: 'browser', status: { kind: 'failed' } },
  result: { messageId: null, text: 'The server "browser" does not run.', images: [], cut: null, tokens: 6 },
});

const SIGNED_OUT = toolCall('c2', '{}', {
  ...{ name: 'find_tickets', subject: 'heap', serverName: 'tickets', status: { kind: 'failed' } },
  result: { messageId: null, text: 'The server wants you to sign in.', images: [], cut: null, tokens: 8 },
});

export const FAILED_SERVERS_STATE: PreviewState = shown('Tools of servers that failed', ['u1:steps'], {
  entries: [QUESTION, replied('a1', [text('I read the newest tables.'), ENDED, SIGNED_OUT], {})],
  failedServers: FAILED_SERVERS,
});
