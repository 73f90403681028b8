import { assertNever } from '../../domain/assert-never.ts'
import type { CheckProblem } from '../../domain/check/check-problem.ts'
import type { CheckProgress } from '../../domain/check/check-progress.ts'
import type { CheckEvent } from '../../domain/check/next-check-progress.ts'
import { type CheckStep, type FailureRule, nextCheckStep } from '../../domain/check/next-check-step.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type Checked, type NewCheck, newCheck } from '../sessions/create/new-check.ts'
import { type CheckedTree, findCheckProblem, isAltered } from './find-check-problem.ts'

type Needs = Pick<EngineNeeds, 'store' | 'trees' | 'host' | 'clock' | 'ids' | 'settings' | 'wakeAt'>

/** The checks of one commit. Whoever owns them stores their progress and results. */
export type CheckSeries = {
  readonly checked: Checked
  readonly commands: readonly string[]
  readonly progress: CheckProgress
  readonly tree: CheckedTree
  /** What it means for the other checks that this one failed. */
  readonly ruleFor: (command: string, problem: CheckProblem) => Promise<FailureRule>
}

/** A check that has ended, and what follows. */
export type JudgedCheck = {
  readonly command: string
  readonly end: SessionEnd
  /** Undefined if it passed. */
  readonly problem: CheckProblem | undefined
  readonly rule: FailureRule
  readonly next: NextCheck | Extract<CheckStep, { type: 'stop' | 'end' }>
}

/** Another check. Its session must be inserted in the transaction that stores the event. */
export type NextCheck = {
  readonly type: 'run'
  readonly command: string
  readonly check: NewCheck
  readonly event: CheckEvent
}

/** Reads how the running check ended and decides what follows; undefined while it is running. Stores nothing. */
export async function judgeCheck(needs: Needs, series: CheckSeries): Promise<JudgedCheck | undefined> {
  const { commands, progress, tree } = series
  const session = await needs.store.read.sessions.find(progress.sessionId)
  if (session?.state.type !== 'terminated') return undefined
  const { end } = session.state
  const command = commands[progress.checkIndex] ?? session.agentName
  const problem = await findCheckProblem(needs, tree, session, end)
  const rule = problem === undefined ? 'stop' : await series.ruleFor(command, problem)
  const step = nextCheckStep({ commands, progress, end, problem, rule })
  return { command, end, problem, rule, next: await prepare(needs, series, command, step) }
}

/** Creates the session of the check that runs next, if one does. */
async function prepare(
  needs: Needs,
  { checked, commands, tree }: CheckSeries,
  ended: string,
  step: CheckStep,
): Promise<JudgedCheck['next']> {
  switch (step.type) {
    case 'again': {
      const { why, pauseMs } = step
      const command = commands[0] ?? ended
      const check = newCheck(needs, checked, { index: 0, command, isFresh: true, pauseMs })
      return { type: 'run', command, check, event: { type: 'check-again', sessionId: check.session.id, why } }
    }
    case 'next': {
      const { index, command, isAfterFailure } = step
      // A failed check may have changed the files. What is checked next must be exactly the commit.
      const isFresh = isAfterFailure && (await isAltered(needs, tree))
      const check = newCheck(needs, checked, { index, command, isFresh })
      return { type: 'run', command, check, event: { type: 'check-next', sessionId: check.session.id } }
    }
    case 'stop':
    case 'end':
      return step
    default:
      return assertNever(step)
  }
}
