import { type Baseline, commandsOf, isSetupFailing } from '../../domain/baseline/baseline.ts'
import type { BaseState } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
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
  readonly choices: readonly ('continue' | 'fix' | 'retry' | 'stop')[]
  /** Given while it is checked. */
  readonly running?: RunningCommand
}

export async function showBase(needs: Reads, id: string): Promise<Result<BaseView, JobNotFound>> {
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

async function findRunning(needs: Reads, baseline: Baseline): Promise<RunningCommand | undefined> {
  const { state, setup } = baseline
  if (state.type !== 'checking') return undefined
  const { sessionId, checkIndex, suspects, lost } = state
  const isAgain = suspects.length > 0 || lost > 0
  const session = await needs.store.read.sessions.find(sessionId)
  const number = setup.length === 0 ? undefined : runningSetup(session)
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

/** The number of the setup command that runs or will run first; undefined once setup has finished. */
function runningSetup(session: Session | undefined): number | undefined {
  if (session?.purpose.type !== 'baseline' || !session.purpose.isFresh) return undefined
  const { setup } = session.conversation
  if (setup?.type === 'finished') return undefined
  return setup?.number ?? 1
}

/** If setup fails, no agent could start, so there is nothing to continue with. */
function choicesOf(baseline: Baseline): BaseView['choices'] {
  return isSetupFailing(baseline) ? ['fix', 'retry', 'stop'] : ['continue', 'fix', 'retry', 'stop']
}
