import { unlinkedLine } from '../../../domain/inert-markdown.ts'
import { PULL_REQUEST_LIMITS } from '../../../domain/limits/report-limits.ts'
import type { Report } from '../../../domain/report/report.ts'
import { reportSections } from './report-markdown.ts'

const { bodyCharacters: BODY_LIMIT, titleCharacters: TITLE_LIMIT } = PULL_REQUEST_LIMITS

/** The title and text of a pull request: the goal and the evidence. Nothing in them has an effect on the forge. */
export function pullRequestText(
  report: Report,
  goalTitle: string,
): { readonly title: string; readonly body: string } {
  const title = unlinkedLine(goalTitle, TITLE_LIMIT)
  const lines = [
    ...reportSections(report),
    '',
    `Muster made this text from its records of ${report.jobId} and from git. It only quotes agents.`,
  ]
  return { title: title === '' ? `Work of ${report.jobId}` : title, body: cutLines(lines) }
}

/** Whole lines, as many as fit. */
function cutLines(lines: readonly string[]): string {
  const note = '\n\nThe rest is left out because it is too long. `muster report` shows all of it.\n'
  const text = `${lines.join('\n')}\n`
  if (text.length <= BODY_LIMIT) return text
  const cut = text.slice(0, BODY_LIMIT - note.length)
  return `${cut.slice(0, cut.lastIndexOf('\n'))}${note}`
}
