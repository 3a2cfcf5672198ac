import assert from 'node:assert/strict';
import { ThinkTags } from '../../../src/providers/openaiCompatible/thinkTags.js';

describe('a tag of reasoning', () => {
  it('is not waited for behind a thousand characters of white space, which would be looked at again and again', () => {
    const tags = new ThinkTags();
    const passed = Array.from({ length: 5_000 }, () => tags.take('\n')).flat();
    assert.ok(passed.length >= 4_000);
    assert.equal([...passed, ...tags.take('<think>')].map(({ text }) => text).join(''), `${'\n'.repeat(5_000)}<think>`);
  });
});
