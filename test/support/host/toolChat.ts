import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EchoTool } from './reading.js';
import { RunningClock } from './clocks.js';
import { scriptedHouse, type ScriptedHouse } from './scriptedHouse.js';
import type { Window, Windows } from './window.js';

export interface ToolChat {
  readonly house: ScriptedHouse;
  readonly window: Window;
  readonly session: ChatSession;
}

export async function newToolChat(windows: Pick<Windows, 'open'>, config: Partial<ChatConfig>): Promise<ToolChat> {
  const house = await scriptedHouse('anthropic', {});
  const window = windows.open({
    tools: new EchoTool(),
    sources: [house.source],
    clock: new RunningClock(),
    config: { model: house.large, compaction: 'off', ...config },
  });
  return { house, window, session: await window.chats.create() };
}
