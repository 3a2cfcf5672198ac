/** The id of the banner that lists files that were not added. Sending a message removes it. */
export const NOT_ADDED = 'notAdded';
