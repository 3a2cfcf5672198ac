import assert from 'node:assert/strict';
import { promptBudget } from '../../src/engine/budget/budget.js';
import { openMessages } from '../../src/engine/compaction/range.js';
import { activeCompaction } from '../../src/engine/chat/slices/compaction.js';
import { depth } from '../support/depth.mjs';
import { messages } from '../support/host/reading.js';
import { scriptedHouse } from '../support/host/scriptedHouse.js';
import { useWindows } from '../support/host/window.js';
import { WORDS } from '../support/engine/words.js';

const TURNS = depth({ short: 120, deep: 2_000 });
/** The context window of many local servers. */
const WINDOW = 8_192;
const APART = 20;
const CONSTRAINTS = Math.min(50, TURNS / (2 * APART));

function constraint(number: number): string {
  return `You must never change the file src/part${String(number)}.ts without a test.`;
}

function prose(turn: number, count: number): string {
  return Array.from({ length: count }, (_, index) => WORDS[(turn * 31 + index * 7) % WORDS.length]).join(' ');
}

describe(`a chat of ${String(TURNS)} turns in a window of ${String(WINDOW)} tokens`, () => {
  const windows = useWindows();

  it('never sends more than fits, keeps each constraint in every later request, and gives all back by undoing', async () => {
    const house = await scriptedHouse('openai-compatible', {});
    const { session } = await windows.openChat({ sources: [house.source], config: { model: house.large, maxPromptTokens: WINDOW } });
    const budget = promptBudget(session.state.config, { maxInputTokens: WINDOW });
    const { counter } = windows;
    const said: string[] = [];
    let [checked, asked] = [0, 0];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const isRule = turn % APART === 0 && said.length < CONSTRAINTS;
      const question = isRule ? constraint(said.length) : `Question ${String(turn)}: ${prose(turn, 20)}?`;
      house.replies.length = 0;
      // Requests for topics and summaries get prose without the constraints.
      house.replies.push(...Array.from({ length: 6 }, (_, index) => [{ text: prose(turn + index, turn % 7 === 0 ? 300 : 60) }]));
      await session.conversation.send(question);
      await session.compactor.settled();
      for (; checked < house.bodies.length; checked += 1) {
        const body = house.bodies[checked] ?? '';
        const texts = textsOf(body);
        assert.ok(counter.count(texts.join('\n')) <= budget, `turn ${String(turn)}: request ${String(checked)} is too long`);
        if (texts.at(-1) === question) {
          asked += 1;
          said.forEach((each) => {
            assert.ok(body.includes(each), `turn ${String(turn)}: ${each}`);
          });
        }
      }
      if (isRule) {
        said.push(question);
      }
    }
    assert.deepEqual([said.length, asked], [CONSTRAINTS, TURNS]);
    const compactions = [...session.state.compactions.values()].length;
    assert.ok(compactions > TURNS / 100, String(compactions));
    const transcript = messages(session.state).filter(({ role }) => role === 'user' || role === 'assistant').length;
    assert.equal(transcript, 2 * TURNS);
    for (let left = compactions; left > 0; left -= 1) {
      await session.compactor.undo();
    }
    assert.equal(activeCompaction(session.state), null);
    assert.equal(openMessages(session.state).length, 2 * TURNS);
  }).timeout(300_000);
});

function textsOf(body: string): string[] {
  const texts: string[] = [];
  JSON.parse(body, (key, value: unknown) => {
    if (typeof value === 'string' && (key === 'content' || key === 'text')) {
      texts.push(value);
    }
    return value;
  });
  return texts;
}
