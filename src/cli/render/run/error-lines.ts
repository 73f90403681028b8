import type { WireRun } from '../../../client/index.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { safeLine } from '../text/safe-text.ts'

type WireRunError = WireRun['errors'][number]

/** More are in `--json`. */
const SHOWN = 20

/** What went wrong in a run, what was done about it, and, if the run ended badly, what to do next. */
export function errorLines(run: WireRun, { paint, hint, shortId }: Display): readonly string[] {
  const { errors } = run
  const isBad = run.end === 'failed' || run.end === 'partial' || run.end === 'unverified'
  const next = isBad && run.status === 'ended' ? nextLines(run, hint, shortId) : []
  if (errors.length === 0) return next
  const recovered = errors.filter((error) => error.recovered === true).length
  const shown = errors.slice(-SHOWN)
  return [
    '',
    paint(
      'strong',
      `${counted(errors.length, 'error')}, ${recovered} recovered; ${run.recoveries} tries used`,
    ),
    ...(shown.length < errors.length ? [`  the last ${SHOWN}:`] : []),
    ...shown.map((error) => `  ${errorWords(error)}`),
    ...next,
  ]
}

function errorWords({ at, stage, branch, code, action, message, recovered }: WireRunError): string {
  const place = branch === 0 ? stage : `${stage} ${branch}`
  const end = recovered === undefined ? '' : `, ${recovered ? '' : 'not '}recovered`
  return safeLine(`${at.slice(11, 19)} ${place}: ${code}: ${message.split('\n', 1)[0]} (${action}${end})`)
}

function nextLines(
  { id, jobId, errors, visits }: WireRun,
  hint: Display['hint'],
  shortId: Display['shortId'],
): readonly string[] {
  const job = shortId(jobId)
  const hasWork = visits.some(({ commit }) => commit !== undefined)
  const isOutOfQuota = errors.at(-1)?.code === 'RATE_LIMITED'
  const isUnstartable = errors.at(-1)?.code === 'AGENT_SPAWN_FAILED'
  return [
    '',
    'next:',
    `  read what the agents said:  ${hint(`muster logs ${shortId(id)}`)}`,
    ...(isUnstartable ? [`  see which agents can work:  ${hint('muster doctor')}`] : []),
    ...(isOutOfQuota ? [`  see who has quota:          ${hint('muster status')}`] : []),
    ...(hasWork ? [`  get the work that was made: ${hint(`muster recover ${job}`)}`] : []),
    `  read the whole report:      ${hint(`muster report ${job}`)}`,
  ]
}
