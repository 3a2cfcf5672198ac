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

  it('is Markdown with a list and a code block', async () => {
    const { text } = await replyTo(user('hello'));
    assert.match(text, /^- \*\*Messages:\*\*/m);
    assert.equal(text.match(/^```/gm)?.length, 2);
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

  it('tells the tokens of the system prompt and of the whole request', async () => {
    const system: PracticeRequest['system'] = [{ type: 'text', text: 'x'.repeat(1_000) }];
    const text = await describeRequest({ ...requestOf(user('hello')), system });
    // As the panel counts: texts alone, and the framing of the request (3) and of its two messages (4 each) apart.
    assert.match(text, /\*\*System prompt:\*\* 1,000 tokens\n/);
    assert.match(text, /\*\*Message overhead:\*\* 11 tokens\n/);
    assert.match(text, /\*\*Whole request:\*\* 1,016 tokens \(at most 128,000, of which Loupe keeps some for the reply\)/);
    assert.match(text, /1,000 tokens {2}system\n +5 tokens {2}user 1\n +11 tokens {2}message overhead\n/);
  });

  it('names the rules and references that it got, apart from the system prompt, as the panel does', async () => {
    const system: PracticeRequest['system'] = [
      { type: 'text', text: 'x'.repeat(37) },
      { type: 'text', text: '# Rules: AGENTS.md\n\nUse metres.\n' },
      { type: 'text', text: '# Reference: Tides (docs/tides.md)\n\nTwice a day.' },
    ];
    const picked = user('# Rules: Knots\n\nUse knots.', 'hello\n# Rules: none');
    const text = await describeRequest({ ...requestOf(picked), system });
    assert.match(text, /\*\*System prompt:\*\* 37 tokens\n/);
    assert.match(
      text,
      /\*\*Rules and references:\*\* `AGENTS\.md` \(32 tokens\), `Tides \(docs\/tides\.md\)` \(48 tokens\), `Knots` \(26 tokens\)\n/,
    );
    assert.match(text, / 37 tokens {2}system\n +32 tokens {2}rule AGENTS\.md\n +48 tokens {2}reference Tides \(docs\/tides\.md\)\n/);
  });

  it('names a rule that came or changed later, which a message tells of', async () => {
    const later = ['New from here on: the rule Tides\n\n# Rules: Tides\n\nTwice a day.', 'No longer valid from here on: the rule Knots'];
    const text = await describeRequest(requestOf(user(...later, 'hello')));
    assert.match(text, /\*\*Rules and references:\*\* `Tides` \(\d+ tokens\)\n/);
  });

  it('counts one token as one', async () => {
    const { text } = await replyTo(user('a'));
    assert.match(text, /\n +1 token {3}user 1\n/);
  });

  it('tells breakpoints and what the cache did', async () => {
    const system: PracticeRequest['system'] = [{ type: 'text', text: 'x'.repeat(2_000), cache: '1h' }];
    const text = await describeRequest({ ...requestOf(user('hello')), system });
    assert.match(text, /\*\*Cache breakpoints:\*\* 1\n/);
    assert.match(text, /2,007 tokens written for 1 hour \(9 tokens at full price\)/);
    assert.match(text, /system {2}breakpoint 1h/);
  });

  it('sums up all but the last ten messages of a long conversation', async () => {
    const history = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? user('a') : says('b')));
    const { text } = await replyTo(...history, user('hello'));
    assert.match(text, /11 earlier messages\n/);
    assert.match(text, /user 21\n/);
    assert.doesNotMatch(text, /assistant 10\n/);
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
