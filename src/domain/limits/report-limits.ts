/** How much a report contains. Beyond this, items are counted instead of listed, and texts are cut. */
export const REPORT_LIMITS = {
  tasks: 400,
  attemptsPerTask: 20,
  listed: 50,
  namedSessions: 20,
  lineCharacters: 400,
  textCharacters: 2000,
} as const

/** What a pull request contains. */
export const PULL_REQUEST_LIMITS = {
  /** GitHub rejects a text of more than 65,536 characters, and the person may add some of their own. */
  bodyCharacters: 55_000,
  /** The forges show a longer title on several lines. */
  titleCharacters: 120,
} as const
