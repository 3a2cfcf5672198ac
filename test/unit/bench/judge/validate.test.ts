import assert from 'node:assert/strict';
import { blockOf, type Block, type ChatRequest, type Item } from '../../../bench/judge/content.js';
import { isExact, RequestValidator } from '../../../bench/judge/validate.js';
import { changeOf, fileOf, itemOf, messageOf, requestOf } from '../../../support/bench/judged.js';

const TOOL = itemOf('tool', 'tool', 100);
const SYSTEM = itemOf('system', 'system', 100);
const RULE = itemOf('rule', 'rule', 100);
const QUESTION = messageOf('question', 'user', 50);
const CALL = messageOf('call', 'toolCall', 50);
const RESULT = messageOf('result', 'toolResult', 50);
const OLD = fileOf('f', [500], 40);
const NEW = fileOf('f', [500, 510], 40);
const NEWEST = fileOf('f', [500, 510, 520], 40);
const problemsOf = (request: ChatRequest, ...blocks: readonly Block[]): string[] => new RequestValidator().problems(request, blocks);
const blocksOf = (...items: readonly Item[]): Block[] => items.map(blockOf);
const wrong = (items: readonly Item[], blocks: readonly Block[]): string[] => problemsOf(requestOf(0, ...items), ...blocks);

describe('the validator of judged requests', () => {
  const all = [TOOL, SYSTEM, RULE, QUESTION, CALL, RESULT];

  it('accepts what holds all that is required, once', () => {
    assert.deepEqual(wrong(all, blocksOf(...all)), []);
  });

  it('refuses what is missing, and what is there twice', () => {
    assert.deepEqual(wrong([RULE, QUESTION], blocksOf(QUESTION)), ['rule is not told as rule but as nothing.']);
    assert.deepEqual(wrong([RULE, QUESTION], blocksOf(RULE, RULE, QUESTION)), ['rule is there twice.']);
  });

  it('refuses messages in another order, or of no conversation', () => {
    const expected = ['The messages are not those of the conversation in their order.'];
    const answer = messageOf('answer', 'final', 50);
    assert.deepEqual(wrong([QUESTION, answer], blocksOf(answer, QUESTION)), expected);
    const found = wrong([QUESTION], blocksOf(QUESTION, answer)).filter((each) => expected.includes(each));
    assert.deepEqual(found, expected);
  });

  it('refuses what stands before tools and system prompt', () => {
    const expected = ['Tools and system prompt do not come first.'];
    assert.deepEqual(wrong([TOOL, SYSTEM], blocksOf(SYSTEM, TOOL)), expected);
    assert.deepEqual(wrong([SYSTEM, RULE], blocksOf(RULE, SYSTEM)), expected);
  });

  it('refuses context between a call and its results', () => {
    const expected = ['rule stands between a call and its results.'];
    const items = [QUESTION, CALL, RESULT, RULE];
    assert.deepEqual(wrong(items, blocksOf(QUESTION, CALL, RULE, RESULT)), expected);
    assert.deepEqual(wrong(items, blocksOf(QUESTION, RULE, CALL, RESULT)), []);
    const two = messageOf('result 2', 'toolResult', 50);
    assert.deepEqual(wrong([...items, two], blocksOf(QUESTION, CALL, RESULT, RULE, two)), expected);
    assert.deepEqual(wrong([...items, two], blocksOf(QUESTION, CALL, RESULT, two, RULE)), []);
  });

  it('refuses content that is shorter than it is, and content that never was', () => {
    assert.deepEqual(wrong([RULE], [{ ...blockOf(RULE), tokens: 1 }]), ['rule has 1 tokens instead of 100.']);
    assert.deepEqual(wrong([RULE], blocksOf(RULE, itemOf('rule', 'invented', 10))), ['invented has 10 tokens instead of undefined.']);
  });

  it('accepts what an earlier request required', () => {
    const validator = new RequestValidator();
    assert.deepEqual(validator.problems(requestOf(0, OLD, RULE), blocksOf(OLD, RULE)), []);
    assert.deepEqual(validator.problems(requestOf(1, NEW), blocksOf(OLD, RULE, NEW)), []);
    assert.equal(isExact(requestOf(1, NEW), blocksOf(OLD, RULE, NEW)), false);
  });

  it('accepts differences that follow a copy, each as long as the change at least', () => {
    assert.deepEqual(wrong([NEWEST], [blockOf(OLD), changeOf(NEWEST, 1, 60), changeOf(NEWEST, 2, 40)]), []);
    assert.deepEqual(wrong([NEWEST], [blockOf(NEW), changeOf(NEWEST, 2, 40)]), []);
  });

  it('refuses differences that do not lead from a copy to the version now', () => {
    const untold = ['f is not told as f@2 but as what change to f@2 does not follow.'];
    assert.deepEqual(wrong([NEWEST], [blockOf(OLD), changeOf(NEWEST, 2, 40)]), untold);
    assert.deepEqual(wrong([NEWEST], [changeOf(NEWEST, 2, 40)]), untold);
    assert.deepEqual(wrong([NEWEST], [blockOf(OLD), changeOf(NEWEST, 1, 40)]), ['f is not told as f@2 but as f@1.']);
    assert.deepEqual(wrong([NEW], [changeOf(NEW, 1, 40), blockOf(OLD)]), ['f is not told as f@1 but as f@0.']);
  });

  it('refuses differences that are shorter than the change, or are of no version', () => {
    assert.deepEqual(wrong([NEW], [blockOf(OLD), changeOf(NEW, 1, 39)]), ['The change of f to f@1 has 39 tokens instead of 40.']);
    const other = { ...changeOf(NEW, 1, 40), hash: 'same for all' };
    assert.deepEqual(wrong([NEW], [blockOf(OLD), other]), ['f has no change to f@1 with the hash same for all.']);
  });

  it('refuses an older copy behind the one of now', () => {
    assert.deepEqual(wrong([NEW], blocksOf(NEW, OLD)), ['f is not told as f@1 but as f@0.']);
  });
});

describe('an exact request', () => {
  it('holds what is required, and nothing else', () => {
    assert.equal(isExact(requestOf(0, NEW, RULE), blocksOf(RULE, NEW)), true);
    assert.equal(isExact(requestOf(0, NEW, RULE), [...blocksOf(OLD), changeOf(NEW, 1, 40), blockOf(RULE)]), false);
    assert.equal(isExact(requestOf(0, NEW, RULE), blocksOf(NEW)), false);
  });
});
