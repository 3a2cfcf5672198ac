import { READ_SESSION_FILE, SESSION_FILES_FRAGMENT } from '../context/sessionFiles.js';
import type { Model } from '../model/model.js';
import { itemKey } from '../record/item.js';
import { WORKSPACE_SERVER } from '../tools/serverName.js';
import type { RequestSources, SystemPiece } from './gather.js';

/** Returns the key of the block of a fragment. */
function fragmentKey(id: string): string {
  return `fragment:${id}`;
}

/** Returns the text of a fragment, or '' for no fragment. */
type FragmentText = () => string;

interface Fragment {
  readonly text: FragmentText;
  /** The text of the last computation. Null if the dirty flag is set. */
  made: string | null;
}

/**
 * The fragments of a chat's system prompt, in the order in which they were defined. The system prompt is composed for
 * each request and never stored. The text of a fragment is computed again only after `markDirty`.
 */
export class SystemFragments {
  readonly #fragments = new Map<string, Fragment>();

  define(id: string, text: FragmentText): void {
    this.#fragments.set(id, { text, made: null });
  }

  remove(id: string): void {
    this.#fragments.delete(id);
  }

  /** Sets the dirty flag of a fragment. Returns false if the fragment is not defined. */
  markDirty(id: string): boolean {
    const fragment = this.#fragments.get(id);
    if (fragment !== undefined) {
      fragment.made = null;
    }
    return fragment !== undefined;
  }

  /** Returns the pieces with a text, for the system prompt of a request. `instead`: other texts for this request. */
  pieces(instead: ReadonlyMap<string, string>): readonly SystemPiece[] {
    return [...this.#fragments].flatMap(([id, fragment]) => {
      fragment.made ??= fragment.text();
      const text = instead.get(id) ?? fragment.made;
      return text === '' ? [] : [{ key: fragmentKey(id), text }];
    });
  }
}

/** Omits the list of session files from a request without the tool that reads them. */
export function usableFragments(
  fragments: readonly SystemPiece[],
  { tools, model: { capabilities } }: Pick<RequestSources, 'tools'> & { readonly model: Pick<Model, 'capabilities'> },
): readonly SystemPiece[] {
  const canRead = capabilities.tools && tools.some(({ key }) => key === READER_KEY);
  return canRead ? fragments : fragments.filter(({ key }) => key !== LIST_KEY);
}

const READER_KEY = itemKey({ type: 'tool', name: READ_SESSION_FILE, serverName: WORKSPACE_SERVER });
const LIST_KEY = fragmentKey(SESSION_FILES_FRAGMENT);
