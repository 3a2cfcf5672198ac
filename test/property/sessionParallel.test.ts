import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AssistantPart } from '../../src/engine/model/part.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { depth } from '../support/depth.mjs';
import { inRuns } from '../support/forAll.js';
import { RunningClock, SteppedClock, turn } from '../support/host/clocks.js';
import { conversation, EchoTool, messages, storedText } from '../support/host/reading.js';
import { useWindows, type Window } from '../support/host/window.js';

/** Each chat contains only its own name, in messages and results. */
const NAMES = ['ANNA', 'BORIS', 'CLARA', 'DAVID'] as const;

type Line = (name: string) => string;

const line: fc.Arbitrary<Line> = fc.oneof(
  fc.nat({ max: 99 }).map(
    (n): Line =>
      (name) =>
        `/tool echo {"who": "${name}", "n": ${String(n)}}`,
  ),
  fc.integer({ min: 1, max: 40 }).map(
    (n): Line =>
      (name) =>
        `This is ${name}.\n/long ${String(n)}`,
  ),
  fc.nat({ max: 9 }).map(
    (n): Line =>
      (name) =>
        `${name} asks question ${String(n)}`,
  ),
  fc.constantFrom<Line>(
    (name) => `${name} fails\n/error 500`,
    (name) => `${name} is cut off\n/error cut`,
  ),
);

const chats = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: NAMES.length });
/** The order in which waiting chats run. */
const order = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 50 });

function said({ state }: ChatSession): unknown {
  return messages(state).map((message) =>
    message.role === 'assistant' ? [message.role, message.parts.map(withoutId)] : [message.role, conversation(state)],
  );
}

function withoutId(part: AssistantPart): AssistantPart {
  return part.type === 'toolCall' ? { ...part, id: 'call' } : part;
}

async function talk(session: ChatSession, name: string, lines: readonly Line[]): Promise<void> {
  for (const each of lines) {
    await session.conversation.send(each(name));
  }
}

describe('chats that are answered at the same time', () => {
  const windows = useWindows();

  async function alone(scripts: readonly (readonly Line[])[]): Promise<unknown[]> {
    const all: unknown[] = [];
    for (const [index, lines] of scripts.entries()) {
      await windows.newFolder();
      const session = await windows.open({ clock: new RunningClock(), tools: new EchoTool() }).chats.create();
      await talk(session, NAMES[index] ?? '', lines);
      all.push(said(session));
    }
    return all;
  }

  async function together(
    scripts: readonly (readonly Line[])[],
    picks: readonly number[],
  ): Promise<{ readonly window: Window; readonly sessions: readonly ChatSession[] }> {
    await windows.newFolder();
    const clock = new SteppedClock();
    const window = windows.open({ clock, tools: new EchoTool() });
    const sessions = await Promise.all(scripts.map(() => window.chats.create()));
    let open = scripts.length;
    const talks = scripts.map(async (lines, index) => {
      await talk(sessions[index]!, NAMES[index] ?? '', lines);
      open -= 1;
    });
    for (let step = 0; open > 0; step += 1) {
      clock.wake(picks[step % picks.length] ?? 0);
      await turn();
    }
    await Promise.all(talks);
    return { window, sessions };
  }

  it('never mix: each log holds its own text only, and each reply is the one the chat gets alone', async () => {
    await inRuns(depth({ short: 8, deep: 125 })).forAllAsync(chats, order, async (scripts, picks) => {
      const { window, sessions } = await together(scripts, picks);
      assert.deepEqual(sessions.map(said), await alone(scripts));
      for (const [index, session] of sessions.entries()) {
        const stored = await storedText(window.folder, session.id);
        const named = NAMES.filter((name) => stored.includes(name));
        assert.deepEqual(named, [NAMES[index]]);
      }
      await windows.closeAll();
    });
  });
});
