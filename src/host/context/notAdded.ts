/** The id of the banner that says which files were not added. It goes when a message is sent. */
export const NOT_ADDED = 'notAdded';
