import assert from 'node:assert/strict';
import { userEntry } from '../../../webview/preview/views.js';
import { EndFollower, shouldFollowEnd, type VisibleConversation } from '../../../webview/chat/conversation/keepEndInSight.js';

function onShow(ids: string, more: Partial<VisibleConversation>): VisibleConversation {
  return { chatId: 'a', hasLater: false, entries: Array.from(ids, (id) => userEntry(id, id)), ...more };
}

describe('The end of a conversation', () => {
  it('is followed when a chat comes on show, unless the end is not among what is shown', () => {
    assert.equal(shouldFollowEnd(false, null, onShow('12', {})), true);
    assert.equal(shouldFollowEnd(false, onShow('12', {}), onShow('12', { chatId: 'b' })), true);
    assert.equal(shouldFollowEnd(true, null, onShow('12', { hasLater: true })), false);
    assert.equal(shouldFollowEnd(true, onShow('12', {}), onShow('12', { chatId: 'b', hasLater: true })), false);
  });

  it('is followed when a message is sent, and otherwise as before', () => {
    assert.equal(shouldFollowEnd(false, onShow('12', {}), onShow('123', {})), true);
    assert.equal(shouldFollowEnd(false, onShow('12', {}), onShow('012', {})), false);
    assert.equal(shouldFollowEnd(true, onShow('12', {}), onShow('12', {})), true);
  });

  it('is not followed while the part on show ends before it', () => {
    assert.equal(shouldFollowEnd(true, onShow('89', {}), onShow('34', { hasLater: true })), false);
    assert.equal(shouldFollowEnd(true, onShow('34', { hasLater: true }), onShow('345', { hasLater: true })), false);
  });

  it('is followed when the user goes back to it, and not when later messages have reached it', () => {
    assert.equal(shouldFollowEnd(false, onShow('34', { hasLater: true }), onShow('89', {})), true);
    assert.equal(shouldFollowEnd(true, onShow('34', { hasLater: true }), onShow('3456789', {})), false);
  });

  it('is reached after an action of the user there, however much was on show and whatever loads first', () => {
    const end = new EndFollower();
    const [part, more, all] = [onShow('34', { hasLater: true }), onShow('345', { hasLater: true }), onShow('3456', {})];
    end.changed(null, part);
    end.seek();
    end.changed(part, more);
    end.changed(more, all);
    assert.equal(end.isOn, true);
    end.leave();
    end.changed(all, onShow('23456', {}));
    assert.equal(end.isOn, false);
  });

  it('is not reached any more when the user has gone elsewhere meanwhile, or to another chat', () => {
    const part = onShow('34', { hasLater: true });
    const [left, other] = [new EndFollower(), new EndFollower()];
    left.seek();
    left.leave();
    left.changed(part, onShow('3456', {}));
    assert.equal(left.isOn, false);
    other.seek();
    other.changed(part, { ...part, chatId: 'b' });
    other.changed({ ...part, chatId: 'b' }, onShow('3456', { chatId: 'b' }));
    assert.equal(other.isOn, false);
  });
});
