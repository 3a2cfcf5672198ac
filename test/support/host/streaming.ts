import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { SteppedClock, stepUntil } from './clocks.js';
import { partialText } from './reading.js';
import type { Window, WindowOptions, Windows } from './window.js';

export interface Streaming {
  readonly clock: SteppedClock;
  readonly window: Window;
  readonly session: ChatSession;
  readonly running: Promise<void>;
  readonly finish: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Sends `text` in a new chat. Resolves when the reply has more than `length` characters. */
export async function openStreaming(windows: Windows, options: WindowOptions, text: string, length: number): Promise<Streaming> {
  const clock = new SteppedClock();
  const { window, session } = await windows.openChat({ ...options, clock });
  const running = session.conversation.send(text);
  await stepUntil(clock, () => partialText(session).length > length, 'text streams');
  const finish = async (): Promise<void> => {
    await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
    await running;
  };
  const stop = async (): Promise<void> => {
    await session.conversation.stop();
    await running;
  };
  return { clock, window, session, running, finish, stop };
}
