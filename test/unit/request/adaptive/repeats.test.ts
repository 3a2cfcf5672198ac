import assert from 'node:assert/strict';
import type { SentMessage } from '../../../../src/engine/chat/message/message.js';
import type { FileContents } from '../../../../src/engine/context/fileContents.js';
import { LAYOUTS } from '../../../../src/engine/request/layout/layouts.js';
import { assistant, results, text, user } from '../../../support/engine/messages.js';
import { A, B, call, lines, numbered, read, result } from '../../../support/engine/reads.js';
import { RecordedChat, withFiles } from '../../../support/engine/requests.js';
import { situationAfter } from '../../../support/engine/situations.js';
import { blocksOf } from '../../../support/engine/wireRules.js';

const START = user('u', 'Look at the files.');

describe('the layout adaptive with pointers to repeated results', () => {
  const file = numbered(lines(400));
  const memory = { toolMemory: { forgetAfterConclusions: 0, pinned: new Set<string>() } } as const;
  const done = (id: string): SentMessage[] => [assistant(`end${id}`, 'Done.'), user(`u${id}`, 'Go on.')];

  it('does not rebuild the prompt to forget a result if a later pointer would then be sent in full', () => {
    const chat = new RecordedChat();
    const send = (messages: readonly SentMessage[], pinned: readonly string[]): string[] => {
      const content = { layout: LAYOUTS.adaptive, messages, toolMemory: { ...memory.toolMemory, pinned: new Set(pinned) } };
      const { prompt } = chat.send({ ...content, situation: situationAfter(chat, 0) });
      return blocksOf(prompt).flatMap(({ part }) => (part.type === 'toolCall' ? [part.id] : []));
    };
    const first = [START, ...read('1', A, file)];
    const second = [...first, ...done('1'), ...read('2', A, file)];
    send(first, []);
    send(first.concat(done('1')), ['r1']);
    assert.deepEqual(send(second, ['r1']), ['c1', 'c2']);
    // The second read is pinned, so only the first is forgotten. Its content would move to the second.
    assert.deepEqual(send([...second, ...done('2')], ['r2']), ['c1', 'c2']);
    assert.deepEqual(send([...second, ...done('2')], []), [], 'without the second, both are worth a rebuild');
  });

  it('does not rebuild the prompt without a removed file if the read that points to it would then be sent in full', () => {
    const [content, read1] = [`${lines(400)}\n`, read('1', A, file)];
    const isHeld = (said: readonly SentMessage[]): boolean => {
      const chat = new RecordedChat();
      const send = (messages: readonly SentMessage[], context: FileContents): boolean => {
        const given = { layout: LAYOUTS.adaptive, messages, files: context, situation: situationAfter(chat, 0) };
        return blocksOf(chat.send(given).prompt).some(({ key }) => key === 'file:src/a.ts');
      };
      send([START], withFiles({ 'src/a.ts': content }).files);
      send([START, ...said], withFiles({ 'src/a.ts': content }).files);
      return send([START, ...said, ...done('1')], new Map());
    };
    assert.equal(isHeld(read1), true);
    assert.equal(isHeld(read('1', B, 'x')), false, 'without the pointer, the removal is worth a rebuild');
  });

  it('does not rebuild the prompt for an excluded pointer of a reply with several calls, as it would for a result in full', () => {
    const isHeld = (second: string): boolean => {
      const chat = new RecordedChat();
      const two = [
        assistant('a2', call('c2', A), call('d2', B)),
        results('r2', result('c2', text(second)), result('d2', text(numbered(lines(300).replaceAll('const', 'let'))))),
        ...read('3', B, numbered(lines(50).replaceAll('const', 'export'))),
      ];
      const messages = [START, ...read('1', A, file), ...two, ...done('3')];
      const content = { layout: LAYOUTS.adaptive, messages };
      chat.send({ ...content, situation: situationAfter(chat, 0) });
      const excluded = { messages: new Map(), calls: new Map([['a2', new Map([['c2', 'later'] as const])]]) };
      const { prompt } = chat.send({ ...content, excluded, situation: situationAfter(chat, 0) });
      return blocksOf(prompt).some(({ part }) => part.type === 'toolCall' && part.id === 'c2');
    };
    assert.equal(isHeld(file), true);
    assert.equal(isHeld(numbered(lines(1_200).replaceAll('const', 'var'))), false);
  });
});
