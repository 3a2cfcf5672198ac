import assert from 'node:assert/strict';
import { returnedReasoning } from '../../../src/providers/openaiCompatible/returnedReasoning.js';
import { ThinkTags } from '../../../src/providers/openaiCompatible/thinkTags.js';
import { deltas, MODEL, modelWith, partsOf, summary } from './support.js';

const TAG = '[tag:{"tag":"think"}]';
const CALL = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };

async function read(...items: readonly (object | string)[]): Promise<string[]> {
  return summary(await partsOf(deltas('stop', ...items.map((item) => (typeof item === 'string' ? { content: item } : item))), MODEL));
}

describe('a tag of reasoning', () => {
  it('is not waited for behind a thousand characters of white space, which would be looked at again and again', () => {
    const tags = new ThinkTags();
    const passed = Array.from({ length: 5_000 }, () => tags.take('\n')).flat();
    assert.ok(passed.length >= 4_000);
    assert.equal([...passed, ...tags.take('<think>')].map(({ text }) => text).join(''), `${'\n'.repeat(5_000)}<think>`);
  });
});

describe('reasoning whose end has a tag, and whose begin has none', () => {
  it('was all of the text before', async () => {
    const expected = ['reasoning: First a plan.', 'text: \n\nHello'];
    for (const tag of ['</think>', '</thinking>', '</thought>', '</mm:think>']) {
      const whole = `First a plan.${tag}\n\nHello`;
      assert.deepEqual(await read(whole), expected);
      assert.deepEqual(await read(...whole.split('')), expected);
    }
    assert.deepEqual(await read('A plan.\n</think>\nHello'), ['reasoning: A plan.\n', 'text: \nHello']);
    assert.deepEqual(await read('```\ncode\n```\nA plan.</think>  \r\n', 'Hello'), [
      'reasoning: ```\ncode\n```\nA plan.',
      'text:   \r\nHello',
    ]);
  });

  it('goes back with a call, also where nothing stands between', async () => {
    assert.deepEqual(await read('A plan.', '</think>\n\n', CALL), [`reasoning: A plan. ${TAG}`, 'a f({})']);
    assert.deepEqual(await read('A plan.</think>\n\nI look.', CALL), [`reasoning: A plan. ${TAG}`, 'text: \n\nI look.', 'a f({})']);
    const thinking = modelWith({ reasoningReplay: 'always' });
    const parts = await partsOf(deltas('stop', { content: 'A plan.</think>\n\nHello' }), thinking);
    assert.deepEqual(summary(parts), [`reasoning: A plan. ${TAG}`, 'text: \n\nHello']);
  });

  it('is dropped with nothing before it, as of a server that has taken the reasoning out', async () => {
    assert.deepEqual(await read({ reasoning_content: 'A plan.' }, '\n</think>\n\nHello'), ['reasoning: A plan.', 'text: \n\nHello']);
    assert.deepEqual(await read({ reasoning_content: 'A plan.' }, '</think>', CALL), ['reasoning: A plan. [reasoning_content]', 'a f({})']);
  });

  it('is text in a reply that writes about tags', async () => {
    for (const text of [
      'It closes with `</think>`.\n\nDone.',
      'It closes with </think> and goes on.\n\nDone.',
      'It closes with </think>\n\nDone.',
      'Between <think> and\n</think>\nstands the plan.',
      'Like this:\n\n```\na plan\n</think>\n\nHello\n```\n',
      'Like this:\n\n~~~~xml\n```\n</think>\n~~~~\n',
      '    </thinking-aloud>\nHello',
      'It closes with\n</think>',
      'It closes with\n</think>\n\n',
      '</think>',
      'a </thi',
    ]) {
      assert.deepEqual(await read(text), [`text: ${text}`]);
      assert.deepEqual(await read(...text.split('')), [`text: ${text}`]);
    }
  });

  it('is text behind other reasoning and other text', async () => {
    const after = 'b</think>\n\nc';
    assert.deepEqual(await read('a', { reasoning_content: 'Hm' }, after), ['text: a', 'reasoning: Hm', `text: ${after}`]);
    assert.deepEqual(await read({ reasoning_content: 'Hm' }, 'a', { reasoning_content: 'So' }, after), [
      'reasoning: Hm',
      'text: a',
      'reasoning: So',
      `text: ${after}`,
    ]);
  });
});

describe('reasoning in other forms', () => {
  it('is taken out of tags named thinking', async () => {
    assert.deepEqual(await read('<thinking>\nA plan.\n</thinking>\n\nHello'), ['reasoning: \nA plan.\n', 'text: \n\nHello']);
    assert.deepEqual(await read('<think', 'ing>A plan.</think></thinking>', 'Hello'), ['reasoning: A plan.</think>', 'text: Hello']);
  });

  it('is taken from the member reasoning_text, and goes back in it', async () => {
    assert.deepEqual(await read({ reasoning_text: 'A ' }, { reasoning_text: 'plan.' }, 'Hello'), ['reasoning: A plan.', 'text: Hello']);
    assert.deepEqual(await read({ reasoning_text: 'A plan.' }, CALL), ['reasoning: A plan. [reasoning_text]', 'a f({})']);
    assert.deepEqual(returnedReasoning([{ text: 'A plan.', opaque: 'reasoning_text' }])?.members, { reasoning_text: 'A plan.' });
  });
});
