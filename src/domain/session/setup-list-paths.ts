/**
 * Where the setup of a tree leaves its list, below the tree: every file that the tree had when setup ended, with what
 * tells whether anything has touched it since. An agent can change the list too, but that can only leave out the agent's
 * own work or have more of it shown to a person.
 */
export const SETUP_FILES = '.git/muster-setup'

/** The files that the agent's git shows as new when setup ends, although Muster wanted to hide them, or as changed. */
export const SETUP_SHOWN = `${SETUP_FILES}.shown`

/** The digests of the files that setup made or changed, as sha256sum prints them. */
export const SETUP_CONTENTS = `${SETUP_FILES}.contents`
