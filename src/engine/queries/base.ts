import { type Baseline, commandsOf, isSetupFailing } from '../../domain/baseline/baseline.ts'
import type { SessionId } from '../../domain/id.ts'
import type { BaseState } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { LIST_LIMITS } from '../../domain/limits/list-limits.ts'
import { type Result, success } from '../../domain/result.ts'
import { runningSetup } from '../../domain/session/setup-output.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import { findJob, type JobNotFound, type Reads } from './find-record.ts'

/** The command of a base check that is running: a setup command, or a check after setup. */
export type RunningCommand = {
  readonly command: string
  readonly isSetup: boolean
  readonly number: number
  readonly of: number
  /** All run a second time, because one failed or its result was lost. */
  readonly isAgain: boolean
}

/** What a job knows about its base. */
export type BaseView = {
  readonly job: Job
  readonly status: BaseState['type'] | 'unchecked'
  readonly baseline?: Baseline
  /** What a person can decide now. */
  readonly choices: readonly ('continue' | 'fix' | 'stop')[]
  /** Given while it is checked. */
  readonly running?: RunningCommand
}

type Needs = Reads & { readonly feed: Pick<EventFeed, 'read'> }

export async function showBase(needs: Needs, id: string): Promise<Result<BaseView, JobNotFound>> {
  const job = await findJob(needs, id)
  if (!job.ok) return job
  const { base, state } = job.value
  const baseline = base === undefined ? undefined : await needs.store.read.baselines.find(base.baselineId)
  if (base === undefined || baseline === undefined) {
    return success({ job: job.value, status: 'unchecked', choices: [] })
  }
  const isAsking = base.type === 'asking' && !isJobFinished(state)
  const choices = isAsking ? choicesOf(baseline) : []
  const running = await findRunning(needs, baseline)
  return success({
    job: job.value,
    status: base.type,
    baseline,
    choices,
    ...(running === undefined ? {} : { running }),
  })
}

async function findRunning(needs: Needs, baseline: Baseline): Promise<RunningCommand | undefined> {
  const { state, setup } = baseline
  if (state.type !== 'checking') return undefined
  const { sessionId, checkIndex, suspects, lost } = state
  const isAgain = suspects.length > 0 || lost > 0
  const session = await needs.store.read.sessions.find(sessionId)
  const hasSetup = session?.purpose.type === 'baseline' && session.purpose.isFresh && setup.length > 0
  const number = hasSetup ? runningSetup(await readLines(needs, sessionId)) : undefined
  if (number !== undefined)
    return { command: setup[number - 1] ?? '', isSetup: true, number, of: setup.length, isAgain }
  const checks = commandsOf(baseline)
  return {
    command: checks[checkIndex] ?? '',
    isSetup: false,
    number: checkIndex + 1,
    of: checks.length,
    isAgain,
  }
}

/** The first lines that setup and the check after it have printed. */
async function readLines({ feed }: Needs, sessionId: SessionId): Promise<readonly string[]> {
  const events = await feed.read(sessionId, 0, LIST_LIMITS.setupLines)
  return events.flatMap((event) => (event.type === 'task_progress' ? event.data.message.split('\n') : []))
}

/** If setup fails, no agent could start, so there is nothing to continue with. */
function choicesOf(baseline: Baseline): BaseView['choices'] {
  return isSetupFailing(baseline) ? ['fix', 'stop'] : ['continue', 'fix', 'stop']
}
