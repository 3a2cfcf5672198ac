import type { ImagePart } from '../../engine/model/part.js';
import type { TurnVersions } from '../../engine/chat/versions.js';

export type { TurnVersions };

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  readonly images: readonly ImageView[];
  /** Number of images that come before the text. */
  readonly imagesFirst: number;
  /** Tokens of the images in the request that sent them. Null without images, and when unknown. */
  readonly imageTokens: { readonly tokens: number; readonly isEstimate: boolean } | null;
  readonly at: number;
  /** `unsent`: the message has no reply, so later requests skip it. `queued`: it waits until the chat is idle. */
  readonly status: 'sent' | 'unsent' | 'queued';
  /** Whether the user pinned the message, so that requests send it even after a summary. Also in `AssistantEntry`. */
  readonly isPinned: boolean;
  /** Whether the user excluded the message's turn from requests. */
  readonly isExcluded: boolean;
  /** Which version of the message and its reply is visible. Null if there is only one version. */
  readonly versions: TurnVersions | null;
}

/** An image of a message. `blob` is its name. An unknown size is null. */
export type ImageView = ImagePart;
