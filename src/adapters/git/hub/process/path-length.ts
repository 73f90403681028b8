/** As long as a path can be on any disk. In a commit it may be longer, and is then cut where paths are listed. */
export const LISTED_PATH_BYTES = 4096
