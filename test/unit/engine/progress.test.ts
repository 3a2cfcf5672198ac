import assert from 'node:assert/strict';
import { MAX_REPLY_IMAGE_BYTES } from '../../../src/engine/chat/message/reply.js';
import { Progress, PROGRESS_INTERVAL_MS, PROGRESS_LENGTH } from '../../../src/engine/run/progress.js';
import { image } from '../../support/engine/messages.js';
import { ManualClock } from '../../support/engine/ports.js';
import { calls, END, RunRig, says, thinks, type Cue } from '../../support/engine/runRig.js';

function pass(ms: number): Cue {
  return { type: 'pass', ms };
}

async function told(...cues: Cue[]): Promise<string[]> {
  const { moments } = await new RunRig(cues).go();
  return moments.filter((moment) => /^(shown|written): ("|toolCall|reasoningSigned)/.test(moment));
}

describe('the reasoning of a reply', () => {
  it('has its time in the record of the attempt, part by part', async () => {
    const again: Cue = { type: 'reasoning', index: 3, text: 'Again' };
    const cues = [thinks('Hm'), pass(1_200), thinks(' so'), pass(400), says('One'), pass(50), again, pass(30), again, END];
    const { ends } = await new RunRig(cues).go();
    assert.deepEqual(ends[0]?.reasoningMs, [1_200, 30]);
    const plain = await new RunRig([says('One'), END]).go();
    assert.equal(plain.ends[0]?.reasoningMs, undefined);
    const told: Cue = { type: 'reasoning', index: 0, text: '' };
    const late = await new RunRig([says('Hm'), pass(900), says(' so'), pass(100), told, again, pass(30), again, END]).go();
    assert.deepEqual(late.ends[0]?.reasoningMs, [1_000, 30]);
  });
});

describe('the images of a reply', () => {
  it('have a limit together, at which the reply ends with an error and keeps what came', () => {
    const progress = new Progress(new ManualClock());
    const add = (index: number): unknown =>
      progress.add({ type: 'image', index, image: { ...image(String(index)), bytes: MAX_REPLY_IMAGE_BYTES / 4 } });
    [0, 1, 2, 3].forEach(add);
    assert.throws(() => add(4), { code: 'request.endlessImages', message: /more than 64 MB together/ });
    assert.equal(progress.reply.length, 4);
  });
});

describe('a reply on its way into the log', () => {
  it('is shown at once and written after 250 ms', async () => {
    assert.deepEqual(await told(says('One'), pass(PROGRESS_INTERVAL_MS), says('Two'), END), [
      'shown: "One"',
      'written: "One"',
      'shown: "Two"',
      'written: "Two"',
    ]);
  });

  it('is not written earlier', async () => {
    assert.deepEqual(await told(says('One'), pass(PROGRESS_INTERVAL_MS - 1), says('Two'), END), [
      'shown: "One"',
      'shown: "Two"',
      'written: "OneTwo"',
    ]);
  });

  it('is written 250 ms after the first text that waits, however much follows', async () => {
    assert.deepEqual(await told(says('1'), pass(100), says('2'), pass(100), says('3'), pass(50), says('4'), END), [
      'shown: "1"',
      'shown: "2"',
      'shown: "3"',
      'written: "123"',
      'shown: "4"',
      'written: "4"',
    ]);
  });

  it('is not written while nothing new comes', async () => {
    assert.deepEqual(await told(pass(10_000), says('One'), pass(10_000), pass(10_000), END), ['shown: "One"', 'written: "One"']);
  });

  it('is written at once when 4 KB wait', async () => {
    const most = 'a'.repeat(PROGRESS_LENGTH - 1);
    const lengths = (lines: string[]): string[] => lines.map((line) => line.replace(/a+/g, (run) => String(run.length)));
    assert.deepEqual(lengths(await told(says(most), says('a'), says('a'), END)), [
      'shown: "4095"',
      'shown: "1"',
      'written: "4096"',
      'shown: "1"',
      'written: "1"',
    ]);
  });

  it('is written when as many pieces wait, though they are empty', async () => {
    const lines = await told(...Array.from({ length: PROGRESS_LENGTH + 1 }, () => says('')), END);
    const written = lines.filter((line) => line.startsWith('written'));
    assert.deepEqual(written, ['written: ""', 'written: ""']);
    assert.equal(lines.indexOf('written: ""'), PROGRESS_LENGTH);
  });

  it('waits its time anew after that', async () => {
    const big = 'a'.repeat(PROGRESS_LENGTH);
    const lines = await told(pass(200), says(big), says('One'), pass(100), says('Two'), pass(150), END);
    assert.deepEqual(lines.slice(2), ['shown: "One"', 'shown: "Two"', 'written: "OneTwo"']);
  });

  it('is written in one piece for each part', async () => {
    const lines = await told(says('a'), says('b'), thinks('c'), thinks('d'), ...calls(2, 'fly', '{'), END);
    assert.equal(lines.at(-1), 'written: "ab" "cd" toolCall "{"');
  });

  it('leaves no timer behind', async () => {
    const rig = await new RunRig([says('One'), END]).go();
    assert.equal(rig.clock.sleeping, 0);
  });
});
