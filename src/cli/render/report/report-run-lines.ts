import type { WireReport } from '../../../client/index.ts'
import { errorTexts } from '../run/error-lines.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { safeLine } from '../text/safe-text.ts'

/** The runs of playbooks: how each ended, what it did without, what went wrong, and what to do about it. */
export function reportRunLines({ runs }: WireReport, { paint, hint }: Display): readonly string[] {
  return runs.flatMap(
    ({ id, playbook, status, end, reason, visits, degradation, errors, errorCount, next }) => {
      const why = reason === undefined ? '' : `: ${safeLine(reason)}`
      return [
        `- ${paint('strong', id)} ${safeLine(playbook)}: ${end ?? status} after ${counted(visits, 'visit')}${why}`,
        ...degradation.map((note) => `  - ${safeLine(note)}`),
        ...(errorCount > errors.length ? [`  - ${errorCount} errors, the last ${errors.length}:`] : []),
        ...errorTexts(errors).map((text) => `  - ${paint('warn', text)}`),
        ...next.map(({ purpose, command }) => `  - ${purpose}: ${hint(command)}`),
      ]
    },
  )
}
