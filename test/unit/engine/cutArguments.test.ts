import assert from 'node:assert/strict';
import { messageStatus } from '../../../src/engine/chat/replyStatus.js';
import type { StopReason } from '../../../src/engine/model/model.js';
import { EMPTY_MANIFEST, usage } from '../../support/engine/events.js';
import { answers, calls, END, RunRig, says } from '../../support/engine/runRig.js';

function resultOf(rig: RunRig): string {
  const results = rig.said.find((message) => message.role === 'tool-results');
  assert.ok(results?.role === 'tool-results');
  const [only] = results.parts;
  const [first] = only?.content ?? [];
  return first?.type === 'text' ? first.text : '';
}

describe('a call whose arguments break off', () => {
  const told = (why: string, rawArgs: string): string =>
    `The tool did not run: its arguments ${why}. Call it again with shorter arguments, or divide the work into several calls. They were: ${rawArgs}`;

  async function brokenOff(rawArgs: string, stopReason: StopReason, tokens: number, limit: number | null): Promise<RunRig> {
    const used = usage(10, 0, 0, tokens);
    const rig = new RunRig(
      [...calls(0, 'read', rawArgs), { type: 'end', stopReason, usage: used, rawUsage: {}, responseId: null }],
      [says('Sorry'), END],
    );
    rig.manifest = { ...EMPTY_MANIFEST, params: { ...EMPTY_MANIFEST.params, maxOutputTokens: limit } };
    rig.tools.set('read', answers('content'));
    return rig.go();
  }

  it('says that the output limit cut them, also where the server calls the reply complete', async () => {
    for (const rawArgs of ['{"path":"docs/a', '{"path":', '{"path":"a\\"', '{']) {
      for (const stopReason of ['toolCalls', 'end', 'length'] as const) {
        const rig = await brokenOff(rawArgs, stopReason, 4_096, 4_096);
        assert.equal(resultOf(rig), told('were cut by the output limit of the reply', rawArgs), stopReason);
        assert.equal(rig.ends[0]?.stopReason, 'length');
        const reply = rig.said[0];
        assert.ok(reply?.role === 'assistant');
        assert.equal(messageStatus(reply, rig.live.state.attempts.get(reply.attemptId)), 'cutOff');
      }
    }
  });

  it('says that they are incomplete where the limit was not reached, or is unknown', async () => {
    for (const [tokens, limit] of [
      [4_095, 4_096],
      [4_096, null],
    ] as const) {
      const rig = await brokenOff('{"path":"docs/a', 'toolCalls', tokens, limit);
      assert.equal(resultOf(rig), told('end before they are complete', '{"path":"docs/a'));
      assert.equal(rig.ends[0]?.stopReason, 'toolCalls');
    }
  });

  it('leaves complete arguments and a refusal at the limit as they are', async () => {
    const whole = await brokenOff('{"path":"a"}', 'toolCalls', 4_096, 4_096);
    assert.deepEqual([resultOf(whole), whole.ends[0]?.stopReason], ['content', 'toolCalls']);
    assert.equal((await brokenOff('{"path":"a', 'refused', 4_096, 4_096)).ends[0]?.stopReason, 'refused');
  });
});
