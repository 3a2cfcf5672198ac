import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/engine/json.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { FileContents } from '../../../src/engine/context/fileContents.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { assistant, image, results, text, user } from '../../support/engine/messages.js';
import { STRICT_MODEL } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { A, B, call, lines, numbered, read, result } from '../../support/engine/reads.js';
import { PLAIN, RecordedChat, requestOf, withFiles, type Content } from '../../support/engine/requests.js';
import { situationAfter } from '../../support/engine/situations.js';
import { blocksOf } from '../../support/engine/wireRules.js';

const ASK = 'For the full text, repeat this call as the only call of your next reply.';

/** The results of a request as texts; an image by its blob. */
function sent(content: Content): string[] {
  return resultsIn(requestOf(content, new BlockFactory(characters, sha256)));
}

function resultsIn({ prompt }: Pick<ReturnType<typeof requestOf>, 'prompt'>): string[] {
  return blocksOf(prompt).flatMap(({ part }) =>
    part.type === 'toolResult' ? [part.content.map((item) => (item.type === 'text' ? item.text : item.type)).join('+')] : [],
  );
}

const START = user('u', 'Look at the files.');

describe('a tool result that repeats earlier content', () => {
  const file = numbered(lines(60));

  it('becomes a pointer to the equal result, which stays in full, and the request is smaller by what the pointer saves', () => {
    const messages = [START, ...read('1', A, file), ...read('2', B, numbered(lines(50))), ...read('3', A, file)];
    const request = requestOf({ messages }, new BlockFactory(characters, sha256));
    const pointer = `[The same as result 1 of read_file {"path":"src/a.ts"} above. ${ASK}]`;
    assert.deepEqual(resultsIn(request), [file, numbered(lines(50)), pointer]);
    const saved = file.length - pointer.length;
    assert.deepEqual(request.repeated, [
      {
        replyId: 'a3',
        key: 'repeat:r3/0',
        source: 'message:r1/0',
        messageId: 'r3',
        callId: 'c3',
        of: 'result 1',
        ofCall: call('c1', A),
        isChanged: false,
        saved,
      },
    ]);
    const full = requestOf(
      { messages, layoutOptions: { ...PLAIN.layoutOptions, repeatedContent: 'full' } },
      new BlockFactory(characters, sha256),
    );
    assert.equal(full.size.counted - request.size.counted, saved);
    assert.deepEqual([resultsIn(full)[2], full.repeated], [file, []]);
  });

  it('points to the newest full occurrence, by its number among the results of the call', () => {
    const other = numbered(lines(60, Object.fromEntries(Array.from({ length: 60 }, (_, at) => [at + 1, `let other${at};`]))));
    const messages = [START, ...read('1', A, file), ...read('2', A, other), ...read('3', B, 'x'), ...read('4', A, other)];
    assert.match(sent({ messages })[3]!, /^\[The same as result 2 of read_file \{"path":"src\/a\.ts"\} above\./);
  });

  it('is numbered among all calls that look the same in the reference, where long arguments are cut', () => {
    const query = 'word '.repeat(30);
    const other = numbered(lines(60).replaceAll('const', 'let'));
    const messages = [
      START,
      ...read('1', { query: `${query}a` }, file),
      ...read('2', { query: `${query}b` }, other),
      ...read('3', B, 'x'),
      ...read('4', { query: `${query}b` }, other),
    ];
    assert.match(sent({ messages })[3]!, /^\[The same as result 2 of read_file \{"query":"word [^"]*…"\} above\./);
  });

  it('stays in full below the size that a pointer is worth, and when it differs too much', () => {
    const small = 'x'.repeat(799);
    const shuffled = numbered(lines(60).split('').toReversed().join(''));
    const messages = [
      START,
      ...read('1', A, small),
      ...read('2', B, 'x'),
      ...read('3', A, small),
      ...read('4', B, 'x'),
      ...read('5', A, file),
    ];
    assert.deepEqual(sent({ messages }), [small, 'x', small, 'x', file]);
    assert.deepEqual(sent({ messages: [START, ...read('1', A, file), ...read('2', A, shuffled)] }), [file, shuffled]);
  });

  it('of another tool, with an error or loading a tool stays in full', () => {
    const messages = (second: object): SentMessage[] => [
      START,
      ...read('1', A, file),
      assistant('a2', call('c2', B)),
      results('r2', { ...result('c2', text(file)), ...second }),
    ];
    assert.equal(sent({ messages: messages({}) })[1]?.startsWith('[The same as result 1'), true);
    for (const second of [{ name: 'grep' }, { isError: true }, { synthetic: true }]) {
      assert.equal(sent({ messages: messages(second) })[1], file, JSON.stringify(second));
    }
    const loading = [text(file), { type: 'toolReference', name: 'x' }] as const;
    const loads = [START, ...read('1', A, file), assistant('a2', call('c2', A)), results('r2', result('c2', ...loading))];
    assert.equal(sent({ messages: loads })[1]?.startsWith(file), true);
  });

  it('of a tool that may change something has no request to repeat the call', () => {
    const run = (id: string, content: string): SentMessage[] => [
      assistant(`a${id}`, { ...call(`c${id}`, A), name: 'deploy' }),
      results(`r${id}`, { ...result(`c${id}`, text(content)), name: 'deploy' }),
    ];
    const [, same] = sent({ messages: [START, ...run('1', file), ...run('2', file)] });
    const [, changed] = sent({ messages: [START, ...run('1', file), ...run('2', file.replace('value9 =', 'other ='))] });
    assert.equal(same, '[The same as result 1 of deploy {"path":"src/a.ts"} above.]');
    assert.match(changed!, /^\[The same as result 1 of deploy .* above, except for this difference[^.]*\.\]\n```diff/);
  });

  it('may be an image, which a pointer replaces only if the model got the image', () => {
    const messages = [START, ...read('1', A, image('blob')), ...read('2', B, 'x'), ...read('3', A, image('blob'))];
    assert.match(sent({ messages })[2]!, /^\[The same as result 1 of read_file/);
    const without = sent({ messages, model: STRICT_MODEL });
    assert.equal(without[0], without[2], 'each has the note that the model takes no images');
    assert.match(without[2]!, /left out/);
  });

  it('is sent in full when the model asks by repeating the call as the only call of its next reply, then as a pointer to that', () => {
    const step = (id: string): SentMessage[] => read(id, A, file);
    const found = sent({ messages: [START, ...step('1'), ...step('2'), ...step('3'), ...step('4')] });
    const pointerTo = (number: number): string => `[The same as result ${number} of read_file {"path":"src/a.ts"} above. ${ASK}]`;
    assert.deepEqual(found, [file, pointerTo(1), file, pointerTo(3)]);
    const pause = [assistant('end', 'Done.'), user('u2', 'Read it again.')];
    assert.deepEqual(sent({ messages: [START, ...step('1'), ...step('2'), ...pause, ...step('3')] }), [file, pointerTo(1), file]);
  });

  it('is sent in full when the model repeats several calls at once, but only if all got a reference, and once', () => {
    const both = (id: string, b: string): SentMessage[] => [
      assistant(`a${id}`, call(`c${id}a`, A), call(`c${id}b`, B)),
      results(`r${id}`, result(`c${id}a`, text(file)), result(`c${id}b`, text(b))),
    ];
    const isFull = (b: string): readonly boolean[] =>
      sent({ messages: [START, ...['1', '2', '3', '4', '5'].flatMap((id) => both(id, b))] }).map((each) => !each.startsWith('[The same'));
    assert.deepEqual(isFull('x'), [true, true, false, true, false, true, false, true, false, true]);
    assert.deepEqual(isFull(numbered(lines(50))), [true, true, false, false, true, true, false, false, false, false]);
  });

  for (const layout of Object.values(LAYOUTS)) {
    it(`is sent in full when the first occurrence is excluded, forgotten or summarized: ${layout.name}`, () => {
      const turn = [START, ...read('1', A, file), assistant('end1', 'Done.')];
      const later = [user('u2', 'Again.'), ...read('2', A, file)];
      const messages = [...turn, ...later];
      assert.match(sent({ layout, messages })[1]!, /^\[The same/);
      const excluded = { messages: new Map(turn.map(({ id }) => [id, { turn: 'u', removal: 'now' } as const])), calls: new Map() };
      assert.deepEqual(sent({ layout, messages, excluded }), [file]);
      const forgetful = { toolMemory: { forgetAfterConclusions: 0, pinned: new Set<string>() } } as const;
      assert.deepEqual(sent({ layout, messages, ...forgetful }), [file]);
      assert.deepEqual(sent({ layout, messages: later, checkpoint: { id: 's', text: 'A file was read.' } }), [file]);
    });
  }

  it('that an earlier request sent in full stays in full until the prompt is rebuilt', () => {
    const messages = [START, ...read('1', A, file), ...read('2', B, 'x'), ...read('3', A, file)];
    const chat = new RecordedChat();
    const full = { ...PLAIN.layoutOptions, repeatedContent: 'full' } as const;
    chat.send({ layout: LAYOUTS.adaptive, messages, layoutOptions: full });
    const next = {
      layout: LAYOUTS.adaptive,
      messages: [...messages, ...read('4', B, 'x'), ...read('5', A, file)],
      situation: situationAfter(chat, 0),
    };
    const pointers = (content: Content): string[] =>
      resultsIn(chat.compose(content, new BlockFactory(characters, sha256))).map((each) => each.slice(0, 9));
    const start = file.slice(0, 9);
    assert.deepEqual(pointers(next), [start, 'x', start, 'x', '[The same']);
    assert.deepEqual(pointers({ ...next, mustRebuild: true }), [start, 'x', '[The same', 'x', '[The same']);
  });
});

describe('a tool result of which a part has changed', () => {
  const before = lines(200);
  const after = lines(200, { 100: 'const value100 = 0;\nconst inserted = true;' });

  it('becomes the difference to the full result, without the line numbers that an inserted line would change', () => {
    const [, second] = sent({ messages: [START, ...read('1', A, numbered(before)), ...read('2', A, numbered(after))] });
    assert.equal(
      second,
      `[The same as result 1 of read_file {"path":"src/a.ts"} above, except for this difference, without line numbers. ${ASK}]\n` +
        '```diff\n@@ -97,7 +97,8 @@\n const value97 = 97;\n const value98 = 98;\n const value99 = 99;\n' +
        '-const value100 = 100;\n+const value100 = 0;\n+const inserted = true;\n' +
        ' const value101 = 101;\n const value102 = 102;\n const value103 = 103;\n```',
    );
  });

  it('says that the file ends earlier, or that it goes on, when only that has changed', () => {
    const more = '(The file has 300 lines. Read on from line 201.)';
    const shortened = before.split('\n').slice(0, 100).join('\n');
    const second = (first: string, now: string, args: JsonObject): string =>
      sent({ messages: [START, ...read('1', A, first), ...read('2', args, now)] })[1]!;
    const part = (to: number): string => `The same as lines 1 to ${to} of result 1 of read_file {"path":"src/a.ts"} above.`;
    const [whole, goesOn] = [numbered(before), `${numbered(before)}\n${more}`];
    assert.equal(second(whole, numbered(shortened), A), `[${part(100)} These are the last lines. ${ASK}]`);
    assert.equal(second(whole, numbered(shortened), { ...A, last_line: 100 }), `[${part(100)} ${ASK}]`);
    assert.equal(second(goesOn, whole, A), `[${part(200)} These are the last lines. ${ASK}]`);
    assert.equal(second(whole, goesOn, A), `[${part(200)} ${ASK}]\n${more}`);
  });

  it('keeps a column of numbers that is part of the file', () => {
    const cat = (id: string, content: string): SentMessage[] => [
      assistant(`a${id}`, { ...call(`c${id}`, A), name: 'cat' }),
      results(`r${id}`, { ...result(`c${id}`, text(content)), name: 'cat' }),
    ];
    for (const [first, now] of [
      [before, numbered(before)],
      [numbered(before), before],
    ] as const) {
      assert.equal(sent({ messages: [START, ...cat('1', first), ...cat('2', now)] })[1], now);
    }
    const copy = withFiles({ 'src/a.ts': `${numbered(before)}\n` });
    assert.equal(sent({ messages: [START, ...read('1', A, numbered(before))], ...copy })[0], numbered(before));
  });

  it('has the line numbers of the file when only lines of the middle were read', () => {
    const args = { ...A, first_line: 51 };
    const middle = (content: string): string => numbered(content.split('\n').slice(50).join('\n'), 51);
    const [, second] = sent({ messages: [START, ...read('1', args, middle(before)), ...read('2', args, middle(after))] });
    assert.match(second!, /@@ -97,7 \+97,8 @@/);
  });

  it('refers to the first full result again when it was a difference before, and is sent in full on request', () => {
    const step = (id: string, content: string, only: boolean): SentMessage[] =>
      only ? read(id, A, content) : [...read(id, A, content), ...read(`${id}b`, B, 'x')];
    const full = numbered(after);
    const [first, , second, , third, fourth] = sent({
      messages: [
        ...[START, ...step('1', numbered(before), false), ...step('2', full, false), ...step('3', full, true), ...step('4', full, true)],
      ],
    });
    assert.equal(first, numbered(before));
    assert.equal(second, third, 'the same difference');
    assert.equal(fourth, full);
  });
});

describe('a read of content that the request holds elsewhere', () => {
  const content = `${lines(60)}\n`;
  const files = withFiles({ 'src/a.ts': content });

  for (const layout of Object.values(LAYOUTS)) {
    it(`points to the file of the context, whole or in part: ${layout.name}`, () => {
      const part = numbered(lines(60).split('\n').slice(9).join('\n'), 10);
      const messages = [
        START,
        ...read('1', A, numbered(lines(60))),
        ...read('2', { ...A, first_line: 10 }, part),
        ...read('3', B, content),
      ];
      assert.deepEqual(sent({ layout, messages, ...files }), [
        `[The same as the copy of src/a.ts above. ${ASK}]`,
        `[The same as lines 10 to 60 of the copy of src/a.ts above. These are the last lines. ${ASK}]`,
        content,
      ]);
    });
  }

  it('does not point to a file that is cut', () => {
    const messages = [START, ...read('1', A, numbered(lines(60)))];
    assert.deepEqual(sent({ messages, ...files, shownLines: new Map([['src/a.ts', 30]]) }), [numbered(lines(60))]);
  });

  const edited = `${lines(60, { 30: 'const edited = 1;' })}\n`;

  /** Sends the messages in the layout `adaptive`, after the last request of the chat. Returns its blocks as texts. */
  const sendNext = (chat: RecordedChat, messages: readonly SentMessage[], context: FileContents): readonly string[] => {
    const { prompt } = chat.send({ layout: LAYOUTS.adaptive, messages, situation: situationAfter(chat, 0), files: context });
    return blocksOf(prompt).map(({ part }) => JSON.stringify(part));
  };

  const editsIn = (blocks: readonly string[]): number => blocks.join('').split('+const edited = 1;').length - 1;

  it('points to the change of a file that was edited in the loop, so that the request has the difference once', () => {
    const chat = new RecordedChat();
    const changed = withFiles({ 'src/a.ts': edited });
    sendNext(chat, [START], files.files);
    const said = [
      START,
      ...read('1', A, numbered(edited.trimEnd())),
      ...read('2', { ...A, first_line: 10 }, numbered(edited.trimEnd().split('\n').slice(9).join('\n'), 10)),
    ];
    const loop = sendNext(chat, said.slice(0, 3), changed.files);
    assert.match(loop.join('\n'), /"\[The same as src\/a\.ts after its next change below\. For the full text/);
    assert.equal(editsIn(loop), 1);
    const later = sendNext(chat, said, changed.files);
    assert.deepEqual([later.slice(0, loop.length), editsIn(later)], [loop, 1]);
    assert.match(later.at(-1)!, /"\[The same as lines 10 to 60 of the copy of src\/a\.ts above\./);
  });

  it('points to the whole copy of a file that was rewritten in the loop', () => {
    const chat = new RecordedChat();
    const rewritten = `${lines(60).replaceAll('const', 'let')}\n`;
    sendNext(chat, [START], files.files);
    const loop = sendNext(chat, [START, ...read('1', A, numbered(rewritten.trimEnd()))], withFiles({ 'src/a.ts': rewritten }).files);
    assert.match(loop.join('\n'), /"\[The same as the next copy of src\/a\.ts below\./);
    assert.equal(loop.join('').split('let value60 = 60;').length - 1, 1);
  });

  it('stays the difference that was sent when the change of the file follows later', () => {
    const chat = new RecordedChat();
    const said = [START, ...read('1', A, numbered(edited.trimEnd()))];
    sendNext(chat, [START], files.files);
    const loop = sendNext(chat, said, files.files);
    assert.match(loop.at(-1)!, /"\[The same as the copy of src\/a\.ts above, except for this difference, without line numbers\./);
    const later = sendNext(chat, [...said, user('u2', 'Go on.')], withFiles({ 'src/a.ts': edited }).files);
    assert.deepEqual([later.slice(0, loop.length), editsIn(later)], [loop, 2]);
  });

  it('points to what the model wrote in a call itself, or gives the difference to it', () => {
    const wrote = read('1', { name: 'notes.md', content }, 'Wrote notes.md.');
    const edited = content.replace('value7 =', 'edited =');
    const [, same] = sent({ messages: [START, ...wrote, ...read('2', { name: 'notes.md' }, content)] });
    assert.equal(same, `[The same as the content in your call 1 of read_file {"name":"notes.md"} above. ${ASK}]`);
    const [, changed] = sent({ messages: [START, ...wrote, ...read('2', { name: 'notes.md' }, edited)] });
    assert.match(changed!, /except for this difference\. .*\n```diff\n@@ -4,7 \+4,7 @@/);
    assert.equal(changed!.split('edited =').length, 2, 'the edit is sent once');
  });

  it('points to the newest of several contents that calls wrote, and to none after a short one', () => {
    const write = (id: string, written: string): SentMessage[] => read(id, { name: 'notes.md', content: written }, 'Wrote notes.md.');
    const rewritten = content.replaceAll('const', 'let');
    const twice = [START, ...write('1', content), ...write('2', rewritten)];
    const same = sent({ messages: [...twice, ...read('3', { name: 'notes.md' }, rewritten)] })[2];
    assert.equal(same, `[The same as the content in your call 2 of read_file {"name":"notes.md"} above. ${ASK}]`);
    const short = [...twice, ...write('3', 'Nothing.'), ...read('4', { name: 'notes.md' }, rewritten)];
    assert.equal(sent({ messages: short })[3], rewritten);
  });
});
