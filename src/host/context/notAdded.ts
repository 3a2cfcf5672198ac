/** Id of the banner about files that were not added. Sending a message hides the banner. */
export const NOT_ADDED = 'notAdded';
