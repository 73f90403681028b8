import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { daemonFindings } from '../doctor/daemon-findings.ts'
import type { Finding } from '../doctor/finding.ts'
import { homeFindings } from '../doctor/home-findings.ts'
import { machineFindings } from '../doctor/machine-findings.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import type { Display } from '../render/text/display.ts'
import type { Tone } from '../render/text/paint.ts'
import { safeText } from '../render/text/safe-text.ts'

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const satisfies Record<Finding['level'], Tone>

const LEVEL_WIDTH = 4
const SUBJECT_WIDTH = 17

/** Checks everything that Muster depends on, and suggests fixes. */
export async function doctorCommand(needs: CommandNeeds): Promise<Outcome> {
  const { output } = needs
  const findings: Finding[] = []
  const add = (found: readonly Finding[]) => {
    findings.push(...found)
    for (const line of found.flatMap((finding) => findingLines(finding, output))) output.printProse(line)
  }
  add(await machineFindings(needs.surroundings))
  const home = needs.options.server === undefined ? await homeFindings(needs.surroundings, needs.home) : []
  add(home)
  if (home.every((finding) => finding.level !== 'fail')) add(await daemonFindings(needs))
  const failed = findings.some((finding) => finding.level === 'fail')
  output.value({ success: !failed, data: { findings } })
  return success(failed ? EXIT.failed : EXIT.done)
}

function findingLines(finding: Finding, display: Pick<Display, 'paint' | 'hint'>): readonly string[] {
  const indent = ' '.repeat(LEVEL_WIDTH + SUBJECT_WIDTH + 3)
  const [first = '', ...rest] = safeText(finding.detail).split('\n')
  return [
    `${display.paint(TONES[finding.level], finding.level.padEnd(LEVEL_WIDTH))}  ${finding.subject.padEnd(SUBJECT_WIDTH)} ${first}`,
    ...rest.map((line) => `${indent}${line}`),
    ...(finding.next === undefined ? [] : [`${indent}try: ${safeText(display.hint(finding.next))}`]),
  ]
}
