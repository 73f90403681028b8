import type { WireBase } from '../../../client/index.ts'
import type { Display } from '../text/display.ts'
import { indentedText } from '../text/field-lines.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

const STATUS = {
  unchecked: 'is not checked',
  checking: 'is being checked',
  passed: 'passes',
  unknown: 'could not be checked',
  asking: 'fails, and waits for your decision',
  tolerated: "fails, and the same failures aren't held against the job's work",
  'to-fix': 'fails, and will be fixed first',
  fixing: 'fails, and is being fixed',
  fixed: 'failed, and was fixed first',
} as const satisfies Record<WireBase['status'], string>

const CHOICES = {
  continue: 'only new failures count',
  fix: 'an agent fixes it first',
  retry: 'check it again, such as after a repair of this machine',
  stop: 'cancel the job',
} as const

/** The checks of a job's base with the output of those that failed, and what a person can decide. */
export function baseLines(
  base: WireBase,
  { paint, hint }: Pick<Display, 'paint' | 'hint'>,
): readonly string[] {
  const { branch, commit, status, reason, results } = base
  const more = reason ?? runningWords(base)
  const why = more === undefined ? '' : `: ${safeLine(more)}`
  return [
    `${safeLine(branch)} at ${commit.slice(0, 10)} ${isGivenUp(base) ? 'failed; the job was stopped' : STATUS[status]}${why}`,
    ...results.flatMap((result) => [
      `  ${result.isSetup ? 'setup' : 'check'} ${wordOf(result, paint)}: ${safeLine(result.command)}`,
      ...(result.passed ? [] : indentedText(result.detail)),
    ]),
    ...choiceLines(base.jobId, base.choices).map((line) => `  ${hint(line)}`),
  ]
}

/** Whether the job ended because of its base, so that nothing is left to check or to decide. */
function isGivenUp({ status, results, choices, running }: WireBase): boolean {
  const isOpen = status === 'asking' || status === 'checking'
  const isOver = choices.length === 0 && running === undefined
  return isOpen && isOver && results.some(({ passed }) => !passed)
}

/** Which command of a base check runs: "setup 1 of 2: npm ci", "check 2 of 3: npm test". */
export function runningWords({ running }: Pick<WireBase, 'running'>): string | undefined {
  if (running === undefined) return undefined
  const { command, isSetup, number, of, isAgain } = running
  const again = isAgain ? ', again' : ''
  return `${isSetup ? 'setup' : 'check'} ${number} of ${of}${again}: ${safeLine(command)}`
}

/** The commands that decide, with what each of them does. */
export function choiceLines(
  jobId: string,
  choices: readonly (keyof typeof CHOICES)[] = ['continue', 'fix', 'retry', 'stop'],
): readonly string[] {
  const commands = choices.map(
    (choice) => [`muster base ${safeLine(jobId)} ${choice}`, CHOICES[choice]] as const,
  )
  const width = Math.max(0, ...commands.map(([command]) => command.length))
  return commands.map(([command, what]) => `${command.padEnd(width)}  ${what}`)
}

function wordOf({ passed, isFlaky }: WireBase['results'][number], paint: Paint): string {
  if (!passed) return paint('bad', 'failed')
  return isFlaky === true ? paint('warn', 'passed on the second try (flaky)') : paint('good', 'passed')
}
