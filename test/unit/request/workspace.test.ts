import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { newestText, arrange, withNewestText } from '../../../src/engine/request/arrange.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { replaySources } from '../../../src/engine/diagnosis/replaySources.js';
import { boundedWorkspace, type LongPart, type WorkspacePart } from '../../../src/engine/request/workspace.js';
import { column } from '../../support/columns.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';
import { STRICT_MODEL } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { CACHING_MODEL } from '../../support/engine/tieredChat.js';
import { type Content, PLAIN, RecordedChat, requestOf, type Sent } from '../../support/engine/requests.js';

/** The text of a workspace message, in the words of the reference system. */
const WORKSPACE: readonly WorkspacePart[] = [{ key: 'editor:selection', text: 'Workspace' }];

const COMMITTED = [user('u1', 'U1'), assistant('a1', 'A1'), user('u2', 'U2'), assistant('a2', 'A2')];
const CALLS = assistant('n', 'NewAgent', call('c', { path: 'a' }));
const RESULTS = results('r', result('c', { type: 'text', text: 'Result' }));

/** The texts of the messages in the order of sending. */
function said(prompt: Prompt): string {
  return prompt.messages
    .flatMap(({ blocks }) => blocks.map(({ part }) => (part.type === 'text' ? part.text : part.type)))
    .filter((text) => !['toolCall', 'toolResult'].includes(text))
    .join(', ');
}

function part(name: string, text: string): WorkspacePart {
  return { key: `editor:${name}`, text };
}

describe('the workspace message', () => {
  for (const name of ['plain', 'message-70', 'tiered'] as const) {
    const sent = (...messages: readonly SentMessage[]): string =>
      said(requestOf({ messages, workspace: WORKSPACE, layout: LAYOUTS[name] }, new BlockFactory(characters, sha256)).prompt);

    it(`is where the reference has it, in the layout ${name}`, () => {
      assert.equal(sent(...COMMITTED), 'U1, A1, U2, A2, Workspace', 'committed');
      assert.equal(sent(...COMMITTED, user('u3', 'NewUser')), 'U1, A1, U2, A2, NewUser, Workspace', 'the first request of a transaction');
      assert.equal(
        sent(...COMMITTED, user('u3', 'NewUser'), CALLS, RESULTS),
        'U1, A1, U2, A2, NewUser, Workspace, NewAgent',
        'a transaction',
      );
      assert.equal(
        sent(...COMMITTED, user('u3', 'NewUser'), CALLS, RESULTS, assistant('e', 'Done')),
        'U1, A1, U2, A2, NewUser, NewAgent, Done, Workspace',
        'after commit',
      );
    });
  }

  for (const name of ['plain', 'message-70', 'tiered'] as const) {
    it(`stays in the request for a summary where it was sent, in the layout ${name}`, () => {
      const chat = new RecordedChat();
      const [tools, answered] = [
        [user('u', 'U'), CALLS, RESULTS],
        [user('u', 'U'), CALLS, RESULTS, assistant('e', 'Done'), user('v', 'V')],
      ];
      const picked = [{ key: 'rule:Tests', category: 'rules', text: 'Pick' } as const];
      const content = { workspace: WORKSPACE, picked, layout: LAYOUTS[name], model: CACHING_MODEL };
      const before = promptBlocks(chat.send({ ...content, messages: tools }).prompt);
      const asked = chat.send({ ...content, messages: answered, instruction: 'Summarize' }).prompt;
      assert.equal(said(asked), 'Pick, U, Workspace, NewAgent, Done, V, Summarize');
      assert.deepEqual(column(promptBlocks(asked), 'key').slice(0, before.length), column(before, 'key'));
    });
  }

  it('is alone in a chat without messages', () => {
    for (const layout of Object.values(LAYOUTS)) {
      const { prompt } = requestOf({ messages: [], workspace: WORKSPACE, layout }, new BlockFactory(characters, sha256));
      assert.equal(said(prompt), 'Workspace', layout.name);
    }
  });

  it('leaves the end of the message before it as a breakpoint, which the next turn reads', () => {
    const messages = [...COMMITTED, user('u3', 'NewUser')];
    const { prompt } = requestOf(
      { messages, workspace: WORKSPACE, cacheMode: 'cached', model: CACHING_MODEL },
      new BlockFactory(characters, sha256),
    );
    const marked = promptBlocks(prompt).filter(({ breakpoint }) => breakpoint !== null);
    assert.ok(marked.some(({ key }) => key === 'message:u3/0'));
  });

  it('does not keep a typed character from reusing the arrangement', () => {
    const factory = new BlockFactory(characters, sha256);
    const input = { ...PLAIN, messages: [...COMMITTED, user('u3', 'New')], workspace: WORKSPACE };
    const newest = newestText({ ...input, messages: [user('u3', 'NewUser')] });
    assert.ok(newest !== null);
    const retexted = withNewestText(arrange(input, factory), newest, factory);
    assert.equal(retexted === null ? null : said(retexted.prompt), 'U1, A1, U2, A2, NewUser, Workspace');
  });
});

describe('the workspace message in the layout adaptive', () => {
  const send = (chat: RecordedChat, workspace: readonly WorkspacePart[], ...messages: readonly SentMessage[]): Sent =>
    chat.send({ messages, workspace, layout: LAYOUTS.adaptive, model: CACHING_MODEL });
  const [selection, file] = [part('selection', 'Selection 1'), part('open file', 'File a')];
  const first = [user('u1', 'U1')];
  const second = [...first, assistant('a1', 'A1'), user('u2', 'U2')];
  const third = [...second, assistant('a2', 'A2'), user('u3', 'U3')];

  it('comes after the newest message, and stays there for the rest of the turn', () => {
    const chat = new RecordedChat();
    assert.equal(said(send(chat, WORKSPACE, ...COMMITTED, user('u3', 'NewUser')).prompt), 'U1, A1, U2, A2, NewUser, Workspace');
    const { prompt } = send(chat, WORKSPACE, ...COMMITTED, user('u3', 'NewUser'), CALLS, RESULTS);
    assert.equal(said(prompt), 'U1, A1, U2, A2, NewUser, Workspace, NewAgent');
  });

  it('is carried in later turns, and repeats only what has changed', () => {
    const chat = new RecordedChat();
    send(chat, [file, selection], ...first);
    assert.equal(said(send(chat, [file, selection], ...second).prompt), 'U1, File a, Selection 1, A1, U2');
    const { prompt } = send(chat, [file, part('selection', 'Selection 2')], ...third);
    assert.equal(said(prompt), 'U1, File a, Selection 1, A1, U2, A2, U3, Selection 2');
    const forms = promptBlocks(prompt).flatMap(({ category, form }) => (category === 'editor' ? [form] : []));
    assert.deepEqual(forms, ['full', 'superseded', 'full']);
  });

  it('says once that a part is no longer valid, where removing it would write a long text again', () => {
    const chat = new RecordedChat();
    const loop = [...first, CALLS, results('r', result('c', { type: 'text', text: 'Result'.repeat(100) }))];
    const later = [...loop, assistant('a1', 'A1'), user('u2', 'U2')];
    const last = [...later, assistant('a2', 'A2'), user('u3', 'U3')];
    send(chat, [file, selection], ...first);
    send(chat, [file, selection], ...loop);
    const ended = 'No longer valid from here on: the editor state "selection".';
    assert.equal(said(send(chat, [file], ...later).prompt), `U1, File a, Selection 1, NewAgent, A1, U2, ${ended}`);
    assert.equal(said(send(chat, [file], ...last).prompt), `U1, File a, Selection 1, NewAgent, A1, U2, ${ended}, A2, U3`);
    const { prompt } = send(chat, [file, selection], ...last, assistant('a3', 'A3'), user('u4', 'U4'));
    // Removing the note is enough: the first copy is still there.
    assert.equal(said(prompt), 'U1, File a, Selection 1, NewAgent, A1, U2, A2, U3, A3, U4');
  });

  it('removes a part at once where that costs less than sending it on', () => {
    const chat = new RecordedChat();
    send(chat, [file, part('selection', 'Selection'.repeat(100))], ...first);
    assert.equal(said(send(chat, [file], ...second).prompt), 'U1, File a, A1, U2');
  });

  it('leaves the prompt when it is rebuilt, but for what is valid now', () => {
    const chat = new RecordedChat();
    send(chat, [file, selection], ...first);
    send(chat, [file], ...second);
    const rebuilt = chat.send({ messages: third, workspace: [file], layout: LAYOUTS.adaptive, model: CACHING_MODEL, mustRebuild: true });
    assert.equal(said(rebuilt.prompt), 'U1, File a, A1, U2, A2, U3');
  });

  it('stays in the request for a summary as it was sent', () => {
    const chat = new RecordedChat();
    send(chat, [selection], ...first);
    const { prompt } = chat.send({
      messages: [...first, assistant('a1', 'A1')],
      workspace: [],
      instruction: 'Summarize',
      layout: LAYOUTS.adaptive,
      model: CACHING_MODEL,
    });
    assert.equal(said(prompt), 'U1, Selection 1, A1, Summarize');
  });

  it('waits for the next message where the model takes nothing after tool results', () => {
    const chat = new RecordedChat();
    const strict = (workspace: readonly WorkspacePart[], ...messages: readonly SentMessage[]): Sent =>
      chat.send({ messages, workspace, layout: LAYOUTS.adaptive, model: STRICT_MODEL });
    strict([selection], ...first);
    assert.equal(said(strict([part('selection', 'Selection 2')], ...first, CALLS, RESULTS).prompt), 'U1, Selection 1, NewAgent');
  });
});

describe('the record of a request with a workspace message', () => {
  const turns: readonly Content[] = [
    { messages: [user('u1', 'U1')], workspace: [part('selection', 'x'.repeat(20_000)), part('date', 'Today')] },
    { messages: [user('u1', 'U1'), assistant('a1', 'A1'), user('u2', 'U2')], workspace: [part('date', 'Today')] },
  ];

  for (const layout of Object.values(LAYOUTS)) {
    it(`rebuilds it byte for byte in the layout ${layout.name}`, async () => {
      const chat = new RecordedChat();
      const sent = turns.map((turn) => chat.send({ ...turn, layout, model: CACHING_MODEL }));
      for (const { attempt, prompt } of sent) {
        assert.deepEqual(
          await chat
            .loaded()
            .rebuild(attempt)
            .catch(() => chat.rebuild(attempt)),
          prompt,
        );
      }
    });

    it(`gives the parts that were valid back, in the layout ${layout.name}`, () => {
      const chat = new RecordedChat();
      for (const turn of turns) {
        const { prompt } = chat.send({ ...turn, layout, model: CACHING_MODEL });
        const sources = replaySources(prompt, (id) => chat.messages.get(id), PLAIN.differences);
        assert.deepEqual(
          sources?.workspace.toSorted((a, b) => (a.key < b.key ? 1 : -1)),
          turn.workspace,
        );
      }
    });
  }
});

describe('the limits of the workspace message', () => {
  const factory = new BlockFactory(characters, sha256);
  const long = (key: string, text: string, keeps: 'beginning' | 'end', mostTokens: number): LongPart => ({
    key,
    name: key,
    head: 'Head',
    body: { text, language: null, keeps, isCut: false },
    mostTokens,
  });
  const lines = Array.from({ length: 40 }, (_, at) => `line ${String(at)}\n`).join('');

  it('leave short parts as they are', () => {
    assert.deepEqual(boundedWorkspace([{ key: 'k', name: 'k', head: 'Head', body: null, mostTokens: 9 }], 9, factory), [
      { key: 'k', text: 'Head' },
    ]);
  });

  it('cut a part at the end of a line, and say which end is left', () => {
    const [beginning] = boundedWorkspace([long('k', lines, 'beginning', 100)], 1_000, factory);
    assert.ok(beginning !== undefined && beginning.text.length <= 100);
    assert.match(beginning.text, /^Head \(only the beginning\):\nline 0\n(?:line \d+\n)+$/);
    const [end] = boundedWorkspace([long('k', lines, 'end', 100)], 1_000, factory);
    assert.match(end?.text ?? '', /^Head \(only the end\):\n(?:line \d+\n)+$/);
    assert.match(end?.text ?? '', /line 39\n$/);
  });

  it('close the fence of a cut text', () => {
    const cut: LongPart = {
      ...long('k', lines, 'beginning', 100),
      body: { text: lines, language: 'ts', keeps: 'beginning', isCut: false },
    };
    assert.match(boundedWorkspace([cut], 1_000, factory)[0]?.text ?? '', /^Head \(only the beginning\)\n```ts\n(?:line \d+\n)+```$/);
  });

  it('never cut a character in two', () => {
    const [cut] = boundedWorkspace([long('k', '😀'.repeat(500), 'beginning', 101)], 1_000, factory);
    // Throws for half a surrogate pair.
    assert.notEqual(encodeURIComponent(cut?.text ?? ''), '');
    const [end] = boundedWorkspace([long('k', `x${'😀'.repeat(500)}`, 'end', 101)], 1_000, factory);
    assert.notEqual(encodeURIComponent(end?.text ?? ''), '');
  });

  it('hold for all parts together, the first parts first', () => {
    const parts = [long('a', lines, 'beginning', 200), long('b', lines, 'beginning', 200), long('c', lines, 'beginning', 200)];
    const bounded = boundedWorkspace(parts, 300, factory);
    assert.deepEqual(
      bounded.map(({ key }) => key),
      ['a', 'b'],
    );
    assert.ok(bounded.reduce((sum, { text }) => sum + text.length, 0) <= 300);
    assert.deepEqual(boundedWorkspace(parts, 0, factory), []);
  });
});
