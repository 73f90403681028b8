/**
 * Where the setup of a tree leaves its list, below the tree: every file that the tree had when setup ended, with its
 * change time and size. An agent can change the list too, but that can only leave out the agent's own work or have more
 * of it shown to a person.
 */
export const SETUP_FILES = '.git/muster-setup'

/** The files that the agent's git shows as new when setup ends, although Muster wanted to hide them. */
export const SETUP_SHOWN = `${SETUP_FILES}.shown`
