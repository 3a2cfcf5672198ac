import assert from 'node:assert/strict';
import { sessionBanners } from '../../../src/host/panel/shell/windowSlices.js';
import { storageError } from '../../../src/storage/files/failure.js';
import type { JournalState } from '../../../src/storage/log/journal.js';
import type { Banner } from '../../../src/protocol/panel/view.js';
import { column, columns } from '../../support/columns.js';
import { failureOf } from '../../support/failures.js';

function failing(code: string): JournalState {
  return { kind: 'failing', error: storageError('This chat could not be saved', Object.assign(new Error(`${code}: it failed`), { code })) };
}

function storageBanner(storage: JournalState, failedRetries: number): Banner | undefined {
  return sessionBanners({ session: { saving: { state: storage, failedRetries } }, draftError: null, previewError: null })[0];
}

describe('The banners of a chat', () => {
  it('are none while everything is saved and can be sent, and without a chat', () => {
    assert.deepEqual(
      sessionBanners({ session: { saving: { state: { kind: 'saved' }, failedRetries: 0 } }, draftError: null, previewError: null }),
      [],
    );
    assert.deepEqual(sessionBanners({ session: null, draftError: null, previewError: null }), []);
  });

  it('say of a full disk why, what to do, and that nothing is lost yet', () => {
    assert.deepEqual(storageBanner(failing('ENOSPC'), 0), {
      id: 'storage',
      severity: 'error',
      text: 'This chat could not be saved: the disk is full. Free up disk space, then try again. Your text is not saved and is lost when this window closes.',
      actions: [
        { label: 'Try again', action: 'retryStorage', argument: '' },
        { label: 'Export...', action: 'exportChat', argument: '' },
        { label: 'Copy chat', action: 'copyChat', argument: '' },
      ],
    });
  });

  it('give the advice that fits the cause, and none where there is none', () => {
    assert.match(storageBanner(failing('EROFS'), 0)?.text ?? '', /read-only\. Allow VS Code to write to its storage folder/);
    assert.match(storageBanner(failing('EIO'), 0)?.text ?? '', /reported an error\. Your text is not saved/);
    const deleted = failureOf('storage', 'The file is gone.');
    assert.match(storageBanner({ kind: 'failing', error: deleted }, 0)?.text ?? '', /^The file is gone\. Your text is not saved/);
  });

  it('look into the causes of an error for its code', () => {
    const cause = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const error = storageError('This chat could not be saved', new AggregateError([cause], 'It could not be cut.', { cause }));
    assert.match(storageBanner({ kind: 'failing', error }, 0)?.text ?? '', /disk is full\. Free up disk space/);
  });

  it('tell that trying again failed, and how often, so that each try is seen', () => {
    assert.match(storageBanner(failing('ENOSPC'), 1)?.text ?? '', /full\. Saving still fails \(1 attempt\)\. Free up disk space/);
    assert.match(storageBanner(failing('ENOSPC'), 3)?.text ?? '', /full\. Saving still fails \(3 attempts\)\. Free up disk space/);
  });

  it('offer to export and to copy a chat that takes nothing more, and not to try again', () => {
    const banner = storageBanner({ kind: 'refused', error: failureOf('storage', 'This chat was deleted.') }, 0);
    assert.equal(banner?.text, 'This chat was deleted. Your text is not saved and is lost when this window closes.');
    assert.deepEqual(column(banner.actions, 'action'), ['exportChat', 'copyChat']);
  });

  it('warn that what stands in the composer is not saved, unless more than that is not', () => {
    const draftError = failureOf('storage', 'The draft of this chat could not be saved: the disk is full.');
    const shown = (storage: JournalState): string[] =>
      sessionBanners({ session: { saving: { state: storage, failedRetries: 0 } }, draftError, previewError: null }).map(
        ({ id, text }) => `${id}: ${text.split('. ', 1)[0] ?? ''}`,
      );
    assert.deepEqual(shown({ kind: 'saved' }), ['draft: The draft of this chat could not be saved: the disk is full']);
    assert.deepEqual(shown(failing('ENOSPC')), ['storage: This chat could not be saved: the disk is full']);
  });

  it('warn that the next request cannot be made, after what is worse', () => {
    const previewError = failureOf('invalidInput', 'The model is gone.');
    const banners = sessionBanners({ session: { saving: { state: failing('ENOSPC'), failedRetries: 0 } }, draftError: null, previewError });
    assert.deepEqual(columns(banners, 'id', 'severity'), [
      ['storage', 'error'],
      ['preview', 'warning'],
    ]);
    assert.equal(banners[1]?.text, 'The model is gone.');
  });
});
