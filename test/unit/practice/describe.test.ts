import assert from 'node:assert/strict';
import { fenceFile } from '../../../src/engine/context/fence.js';
import type { PracticeRequest } from '../../../src/providers/practice/wire.js';
import { calls, FakeClock, practiceModel, receive, replyTo, requestOf, results, says, tool, user } from './support.js';

async function describeRequest(request: PracticeRequest): Promise<string> {
  return (await receive(practiceModel(new FakeClock()), request, new AbortController().signal)).text;
}

describe("the practice model's description of a request", () => {
  it('says what it is', async () => {
    const { text } = await replyTo(user('hello'));
    assert.match(text, /^I'm the \*\*practice model\*\*, a built-in test model\. I can't think; I show you what was sent:/);
  });

  it('counts messages by role, tools and words', async () => {
    const text = await describeRequest({
      ...requestOf(user('a'), calls('c1'), results('c1'), says('b'), user('two words')),
      tools: [tool('Reads.')],
    });
    assert.match(text, /\*\*Your message:\*\* 2 words\n/);
    assert.match((await replyTo(user('hello'))).text, /\*\*Your message:\*\* 1 word\n/);
    assert.match(text, /\*\*Messages:\*\* 5 \(user 2, assistant 2, tool 1\)/);
    assert.match(text, /\*\*Tools:\*\* `read`/);
  });

  it('names the files that are in the request, each once', async () => {
    const files = [fenceFile('src/a.ts', '```\ninside\n```\n'), fenceFile('my file.md', 'x'), fenceFile('src/a.ts', '')];
    const { text } = await replyTo(user('# Working Files', ...files), says('Understood.'), user('hello'));
    assert.match(text, /\*\*Files:\*\* `src\/a\.ts`, `my file\.md`\n/);
  });

  it('takes no code block of the conversation for a file', async () => {
    const { text } = await replyTo(user('Look at this code:\n```ts\nx\n```\nand:\n```\ny\n```'));
    assert.match(text, /\*\*Files:\*\* none/);
  });

  it('says the tokens of the whole request and what the cache did', async () => {
    const system: PracticeRequest['system'] = [{ type: 'text', text: 'x'.repeat(2_000), cache: '1h' }];
    const text = await describeRequest({ ...requestOf(user('hello')), system });
    // As the panel counts: the texts, the framing of the request (3) and of its two messages (4 each).
    assert.match(text, /^- \*\*Whole request:\*\* 2,016 tokens \(at most 128,000, of which Loupe keeps some for the reply\)/m);
    assert.match(text, /\*\*Cache:\*\* 2,007 tokens written for 1 hour \(9 tokens at full price\)/);
    assert.match((await replyTo(user('hello'))).text, /\*\*Cache:\*\* nothing read or written \(12 tokens at full price\)/);
  });

  it('lists the commands in its first description only', async () => {
    const first = await replyTo(user('hello'));
    assert.match(first.text, /`\/slow`: /);
    const second = await replyTo(user('hello'), says(first.text), user('again'));
    assert.doesNotMatch(second.text, /`\/slow`/);
  });

  it('holds no line that would be a command', async () => {
    const { text } = await replyTo(user('hello'));
    assert.doesNotMatch(text, /^\//m);
  });
});
