/** How much a report contains. Beyond this, items are counted instead of listed, and texts are cut. */
export const REPORT_LIMITS = {
  tasks: 400,
  attemptsPerTask: 20,
  listed: 50,
  namedSessions: 20,
  lineCharacters: 400,
  textCharacters: 2000,
} as const
