const MAX_TITLE = 120

/** The title of a job: the first line of its goal that has text, without heading marks. */
export function jobTitle(goal: string): string {
  const lines = goal.slice(0, 10_000).split('\n')
  const title =
    lines
      .map((line) => line.replace(/^[#\s]+|^\s*(?:[-*+]|\d+[.)])\s+/, '').trim())
      .find((line) => line !== '') ?? ''
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title
}
