import assert from 'node:assert/strict';
import type { MentionMark, MentionRow, Mentions } from '../../../src/protocol/panel/toWebview.js';
import { commandIn, mentionAt } from '../../../webview/chat/composer/mention.js';
import { MentionPopup } from '../../../webview/chat/composer/mentionPopup.js';
import { markup } from '../../support/webview/markup.js';

const row = (name: string, change: Partial<MentionRow>): MentionRow => ({
  ...{ key: `file:${name}`, kind: 'file', name, about: 'src', matches: [], isIn: false, tokens: null, problem: null },
  ...change,
});

const answer = (mark: MentionMark, text: string, change: Partial<Mentions>): Mentions => ({
  ...{ type: 'mentions', mark, text, rows: [], notes: [] },
  ...change,
});

describe('a mention', () => {
  it('is what stands behind an @ that begins a word, up to the caret', () => {
    assert.deepEqual(mentionAt('Compare @bp with', 11), { mark: '@', from: 8, text: 'bp' });
    assert.deepEqual(mentionAt('@', 1), { mark: '@', from: 0, text: '' });
    assert.deepEqual(mentionAt('see (@src/a', 11), { mark: '@', from: 5, text: 'src/a' });
    assert.equal(mentionAt('me@example', 10), null);
    assert.equal(mentionAt('@bp with', 8), null);
    assert.equal(mentionAt('no', 2), null);
  });

  it('is what stands behind a / that begins a line, but for a path', () => {
    assert.deepEqual(mentionAt('/', 1), { mark: '/', from: 0, text: '' });
    assert.deepEqual(mentionAt('Hello\n/docs:rev', 15), { mark: '/', from: 6, text: 'docs:rev' });
    assert.equal(mentionAt('either/or', 9), null);
    assert.equal(mentionAt('and /or', 7), null);
    assert.equal(mentionAt('/etc/hosts', 10), null);
    assert.equal(mentionAt('/slow down', 10), null);
    assert.deepEqual(mentionAt('/docs @a', 8), { mark: '@', from: 6, text: 'a' });
  });

  it('is a whole message that is a command with its text', () => {
    assert.deepEqual(mentionAt('/model son net', 8), { mark: '/', from: 0, text: 'model son net' });
    assert.deepEqual(mentionAt('/new One\nTwo', 12), { mark: '/', from: 0, text: 'new One\nTwo' });
    assert.deepEqual(mentionAt('/new see @a', 11), { mark: '@', from: 9, text: 'a' });
    assert.equal(mentionAt('/model son', 0), null);
    assert.equal(mentionAt('See\n/model son', 14), null);
    assert.equal(mentionAt('/usage today', 12), null);
    assert.equal(mentionAt('/models', 7)?.text, 'models');
  });
});

describe('a message that is a command', () => {
  it('has its name, and text only after a command with text', () => {
    assert.deepEqual(commandIn('/usage'), { mark: '/', from: 0, text: 'usage' });
    assert.deepEqual(commandIn('/new see @a'), { mark: '/', from: 0, text: 'new see @a' });
    for (const text of ['', '/', 'usage', '/us', '/usages', '/usage today', ' /usage', 'See\n/usage', '/models on']) {
      assert.equal(commandIn(text), null, text);
    }
  });
});

describe('the popup of mentions', () => {
  interface Opened {
    readonly popup: MentionPopup;
    readonly asked: string[];
    readonly picked: string[];
    readonly said: string[];
    readonly sent: () => number;
  }

  function open(): Opened {
    const [asked, picked, said]: [string[], string[], string[]] = [[], [], []];
    let sent = 0;
    const popup = new MentionPopup({
      ask: ({ mark, text }) => asked.push(mark === '@' ? text : mark + text),
      pick: ({ name }, { from, text }) => picked.push(`${name} for ${text} at ${String(from)}`),
      send: () => {
        sent += 1;
      },
      announce: (text) => said.push(text),
      changed: () => undefined,
    });
    popup.typed('@b', 2);
    popup.found(answer('@', 'b', { rows: [row('bpe.ts', { matches: [0] }), row('Bees', { kind: 'rule', about: '', isIn: true })] }));
    return { popup, asked, picked, said, sent: () => sent };
  }

  it('asks for each text once, and shows the answer by kinds with the letters that match', () => {
    const { popup, asked } = open();
    popup.typed('@b', 2);
    assert.deepEqual(asked, ['b']);
    const shown = markup(popup.render());
    assert.match(shown, /Files.*<b>b<\/b>.*Rules.*in this chat/s);
    assert.equal(popup.isOpen, true);
  });

  it('shows the sizes that come later, and announces the chosen row only once', () => {
    const { popup, said } = open();
    popup.found(answer('@', 'b', { rows: [row('bpe.ts', { matches: [0], tokens: 1_204 }), row('Bees', { kind: 'rule', isIn: true })] }));
    assert.match(markup(popup.render()), /bpe\.ts.*≈ 1\.2k.*in this chat/s);
    assert.deepEqual(said, ['bpe.ts src, file, 1 of 2']);
    popup.key('ArrowDown');
    popup.key('ArrowUp');
    assert.equal(said.at(-1), 'bpe.ts src, ≈ 1,204 tokens, file, 1 of 2');
  });

  it('drops an answer to another text', () => {
    const { popup } = open();
    popup.typed('@bx', 3);
    popup.found(answer('@', 'old', {}));
    assert.equal(popup.isOpen, true);
    popup.found(answer('@', 'bx', {}));
    assert.equal(popup.isOpen, false);
  });

  it('is moved in with the arrows, and takes with Enter or Tab', () => {
    for (const key of ['Enter', 'Tab']) {
      const { popup, picked, said } = open();
      assert.equal(popup.key('ArrowDown'), true);
      assert.equal(popup.key('ArrowDown'), true);
      assert.equal(popup.key('ArrowUp'), true);
      assert.equal(popup.key(key), true);
      assert.deepEqual(picked, ['Bees for b at 0']);
      assert.deepEqual(said.at(-1), 'Bees , rule, in this chat, 2 of 2');
      assert.equal(popup.isOpen, false);
      assert.equal(popup.key('Enter'), false, 'the next Enter is for the message box');
    }
  });

  it('says what a pick adds, with its tokens, unless the chat has it', () => {
    const { popup, said } = open();
    popup.found(answer('@', 'b', { rows: [row('bpe.ts', { tokens: 1_204 }), row('Bees', { kind: 'rule', isIn: true })] }));
    popup.key('Enter');
    assert.equal(said.at(-1), 'bpe.ts added, ≈ 1,204 tokens');
    popup.typed('@be', 3);
    popup.found(answer('@', 'be', { rows: [row('Bees', { kind: 'rule', isIn: true })] }));
    popup.key('Enter');
    assert.ok(!said.some((text) => text.startsWith('Bees added')));
  });

  it('stays closed after Escape until another mention begins', () => {
    const { popup, asked } = open();
    assert.equal(popup.key('Escape'), true);
    popup.typed('@bp', 3);
    assert.deepEqual([asked, popup.isOpen], [['b'], false]);
    popup.typed('@bp and @c', 10);
    assert.deepEqual(asked, ['b', 'c']);
  });

  it('closes when the caret leaves the mention, or text is selected', () => {
    const { popup } = open();
    popup.typed('@b and', 6);
    assert.equal(popup.isOpen, false);
    popup.typed('@b', null);
    assert.equal(popup.isOpen, false);
  });

  it('waits with Enter and Tab for the rows of what was typed last', () => {
    for (const key of ['Enter', 'Tab']) {
      const { popup, picked, sent } = open();
      popup.typed('@ag', 3);
      assert.deepEqual([popup.key(key), picked], [true, []]);
      popup.found(answer('@', 'ag', { rows: [row('agents.ts', {}), row('bpe.ts', {})] }));
      assert.deepEqual([picked, sent()], [['agents.ts for ag at 0'], 0]);
    }
  });

  it('sends what Enter waited for if there are no rows, and picks nothing once the text has changed', () => {
    const { popup, picked, sent } = open();
    popup.typed('@zz', 3);
    popup.key('Enter');
    popup.found(answer('@', 'zz', {}));
    assert.deepEqual([picked, sent()], [[], 1]);
    popup.typed('@b', 2);
    popup.found(answer('@', 'b', { rows: [row('bpe.ts', {})] }));
    popup.typed('@bp', 3);
    popup.key('Enter');
    popup.typed('@bpx', 4);
    popup.found(answer('@', 'bpx', { rows: [row('bpx.ts', {})] }));
    assert.deepEqual([picked, sent()], [[], 1]);
  });

  describe('of commands', () => {
    const command = (name: string, problem: string | null): MentionRow =>
      row(name, { key: name, kind: 'command', about: 'Does it', problem });

    it('waits with Enter for the first rows if the text is a command, so that no command is sent as a message', () => {
      const { popup, picked } = open();
      popup.typed('', 0);
      popup.typed('/usage', 6);
      assert.deepEqual([popup.isOpen, popup.key('Enter')], [false, true]);
      popup.found(answer('/', 'usage', { rows: [command('usage', null)] }));
      assert.deepEqual(picked, ['usage for usage at 0']);
      popup.typed('/long', 5);
      assert.equal(popup.key('Enter'), false, 'other text is sent at once');
    });

    it('says why one cannot be used, and does not use it', () => {
      const { popup, picked, said } = open();
      popup.typed('/', 1);
      popup.found(answer('/', '', { rows: [command('clear', 'This chat has no messages yet.'), command('new', null)] }));
      assert.equal(said.at(-1), 'clear This chat has no messages yet., not available, command, 1 of 2');
      assert.match(markup(popup.render()), /Commands.*aria-disabled=true.*This chat has no messages yet\..*aria-disabled=false.*Does it/s);
      assert.deepEqual([popup.key('Enter'), picked, popup.isOpen], [true, [], true]);
      assert.equal(said.at(-1), 'This chat has no messages yet.');
    });

    it('keeps the arrows for the cursor in a text of several lines', () => {
      const { popup } = open();
      popup.typed('/new One\nTwo', 12);
      popup.found(answer('/', 'new One\nTwo', { rows: [command('new', null)] }));
      assert.deepEqual([popup.key('ArrowUp'), popup.key('ArrowDown'), popup.isOpen], [false, false, true]);
    });
  });

  describe('of prompts', () => {
    const prompt = (name: string): MentionRow => row(name, { key: `prompt:${name}`, kind: 'prompt', about: 'Asks' });

    it('says what servers are doing, and keeps what is chosen when more comes', () => {
      const { popup, asked, said } = open();
      popup.typed('/d', 2);
      assert.deepEqual(asked.at(-1), '/d');
      popup.found(answer('/', 'd', { rows: [prompt('docs:a'), prompt('docs:b')], notes: ['Asking data for its prompts…'] }));
      assert.equal(said.at(-1), 'docs:a Asks, prompt, 1 of 2. Asking data for its prompts…');
      assert.match(markup(popup.render()), /aria-label=Commands and prompts.*Prompts.*d o c s : a.*Asking data for its prompts….*use/s);
      popup.key('ArrowDown');
      popup.found(answer('/', 'd', { rows: [prompt('data:x'), prompt('docs:a'), prompt('docs:b')] }));
      assert.equal(said.at(-1), 'docs:b Asks, prompt, 3 of 3');
      const count = said.length;
      popup.found(answer('/', 'd', { rows: [prompt('data:x'), prompt('docs:a'), prompt('docs:b')] }));
      assert.equal(said.length, count, 'what is the same is not said again');
    });

    it('shows and says the tokens of a prompt file', () => {
      const { popup, said } = open();
      popup.typed('/r', 2);
      popup.found(answer('/', 'r', { rows: [{ ...prompt('review'), tokens: 1_234 }] }));
      assert.match(markup(popup.render()), /≈ 1\.2k/);
      assert.equal(said.at(-1), 'review Asks, ≈ 1,234 tokens, prompt, 1 of 1');
    });

    it('leaves Enter to the message box while there is none to take', () => {
      const { popup, picked, said } = open();
      popup.typed('/slow', 5);
      const count = said.length;
      popup.found(answer('/', 'slow', {}));
      assert.deepEqual([popup.isOpen, popup.key('Enter'), said.length], [false, false, count]);
      popup.found(answer('/', 'slow', { notes: ['The server "docs" does not run.'] }));
      assert.deepEqual([popup.isOpen, popup.key('Enter'), popup.key('ArrowDown'), picked], [true, false, false, []]);
      assert.equal(popup.key('Escape'), true);
      assert.equal(popup.isOpen, false);
    });
  });
});
