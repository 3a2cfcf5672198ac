/** The id of the banner that lists files that were not added. The banner is hidden when the user sends a message. */
export const NOT_ADDED = 'notAdded';
