import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { scriptedHouse, type ScriptedHouse } from './scriptedHouse.js';
import type { useWindows, Window } from './window.js';

export interface Rig {
  readonly house: ScriptedHouse;
  readonly window: Window;
  readonly session: ChatSession;
}

export const LONG = 'The tide tables of the harbour are read every hour. '.repeat(20);

/** Creates a chat with `Question 1`, a long `Answer 1`, and so on. */
export async function talk(windows: ReturnType<typeof useWindows>, exchanges: number, config: Partial<ChatConfig>): Promise<Rig> {
  const house = await scriptedHouse('openai-compatible', {});
  const { window, session } = await windows.openChat({ sources: [house.source], config: { model: house.large, ...config } });
  for (let number = 1; number <= exchanges; number += 1) {
    house.replies.push([{ text: `Answer ${String(number)}. ${LONG}` }]);
    await session.conversation.send(`Question ${String(number)}`);
  }
  return { house, window, session };
}

/** More than the smallest summary can hold. */
const FIGURES = Array.from(
  { length: 60 },
  (_, index) => `The pier ${String(index)} of the harbour is ${String(1_000 + index)} ms from the gauge.`,
);

export const LOST_PATH = 'src/tides/old.ts';

/** Creates a chat whose summary fills its budget and lost a path of the replaced answer. */
export async function talkWithLoss(windows: ReturnType<typeof useWindows>): Promise<Rig> {
  const rig = await talk(windows, 0, {});
  const { house, session } = rig;
  house.replies.push([{ text: `${FIGURES.join(' ')} See ${LOST_PATH}. ${LONG}` }]);
  await session.conversation.send('Where are the tides?');
  house.replies.push([{ text: 'They read tide tables.' + ' And more.'.repeat(240) }]);
  await session.compactor.summarize(null);
  return rig;
}
