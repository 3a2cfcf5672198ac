import assert from 'node:assert/strict';
import { followingTab, type FollowingTab } from '../../../../src/host/inspector/following.js';

const tab = (chatId: string, change: Partial<FollowingTab>): FollowingTab => ({
  chatId,
  request: `${chatId}-1`,
  isVisible: true,
  isChosen: false,
  isNext: false,
  ...change,
});

const found = (tabs: readonly FollowingTab[], chatId: string, reply: string | null): string | null =>
  followingTab(tabs, { chatId, reply })?.chatId ?? null;

describe('the tab of the Request Inspector that follows what is selected', () => {
  it('is that of the chat when a reply is selected, and only for another request', () => {
    assert.equal(found([tab('a', {})], 'a', 'a-2'), 'a');
    assert.equal(found([tab('a', {})], 'a', 'a-1'), null);
    assert.equal(found([tab('a', {})], 'a', null), null);
  });

  it('goes along to a chat that has no tab', () => {
    assert.equal(found([tab('a', {})], 'b', null), 'a');
    assert.equal(found([tab('a', { isNext: true })], 'b', null), 'a');
  });

  it('gives its place to the tab that the chat has already', () => {
    assert.equal(found([tab('a', {}), tab('b', { isVisible: false })], 'b', null), 'b');
    assert.equal(found([tab('a', {}), tab('b', {})], 'b', null), null);
  });

  it('stays with a request that was chosen in it, and with the next one', () => {
    assert.equal(found([tab('a', { isChosen: true })], 'a', 'a-2'), null);
    assert.equal(found([tab('a', { isChosen: true })], 'b', null), null);
    assert.equal(found([tab('a', { isNext: true })], 'a', 'a-2'), null);
  });

  it('is never one that is out of sight', () => {
    assert.equal(found([tab('a', { isVisible: false })], 'a', 'a-2'), null);
    assert.equal(found([tab('a', { isVisible: false })], 'b', null), null);
  });
});
