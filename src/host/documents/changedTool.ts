import { lastRun } from '../../engine/chat/branch.js';
import type { ChatState } from '../../engine/chat/state.js';
import { failure } from '../../engine/errors.js';
import type { FileDifference } from '../tools/editDocuments.js';
import { visibleCharacters } from '../tools/shownText.js';
import { type ApprovedTool, serverNamed, type Toolbox } from '../tools/toolbox.js';

interface ChangedToolPorts {
  readonly toolbox: Pick<Toolbox, 'servers' | 'always'>;
  readonly show: (difference: FileDifference) => Promise<void>;
}

/** Shows how a tool differs from the tool that the user approved. Rejects with `invalidInput` if no call is waiting. */
export async function showChangedTool(state: ChatState, callId: string, { toolbox, show }: ChangedToolPorts): Promise<void> {
  const asked = lastRun(state)?.calls.findLast((call) => call.callId === callId)?.asked ?? null;
  const before = asked === null ? null : await toolbox.always.before(asked);
  const server = serverNamed(toolbox, asked?.serverName ?? '');
  const tool = server?.tools.find(({ name }) => name === asked?.name);
  if (asked === null || before === null || server === undefined || tool === undefined) {
    throw failure('chat.notAsked');
  }
  const now = allowedText({ ...tool, identity: server.identity });
  await show({
    path: `${asked.serverName}_${asked.name}.txt`,
    before: allowedText(before.tool),
    after: now,
    label: 'changed since you allowed it',
  });
}

/** Returns the parts of a tool that the user approves, as text. Shows hidden characters as numbers. */
function allowedText({ description, inputSchema, identity }: ApprovedTool): string {
  const parts = [
    'Description',
    description === '' ? '(none)' : description,
    '',
    'Arguments',
    JSON.stringify(inputSchema, null, 2),
    '',
    'Its server: the hash of its configuration, or its version',
    identity,
    '',
  ];
  return visibleCharacters(parts.join('\n'));
}
