import type { CycleId, RunId, TaskId, VisitId } from '../id.ts'

/** What an attempt is for. */
export type AttemptPurpose =
  /** Finds the tasks of a cycle. */
  | { readonly type: 'discovery'; readonly cycleId: CycleId }
  /** Does a task. */
  | { readonly type: 'task'; readonly taskId: TaskId }
  /** Judged the work on a task. Only attempts of earlier versions did; now, a visit does. */
  | { readonly type: 'review'; readonly taskId: TaskId }
  /** Makes one visit of a run. What its stage asks for is stored with it, because it never changes. */
  | {
      readonly type: 'visit'
      readonly taskId: TaskId
      readonly runId: RunId
      readonly visitId: VisitId
      /** Whether its agent is to change files. */
      readonly makesWork: boolean
      /** Whether its answer is a verdict. */
      readonly judges: boolean
    }

/** What follows from an attempt's purpose alone, without other rows. */
export type AttemptRules = {
  /** Its agent is asked to change files, so the commit it leaves is work: it may land, and it must not be lost. */
  readonly makesWork: boolean
  /** Its work lands next. The work of a visit lands only when its run ends. */
  readonly landsNext: boolean
  /** Its answer is a verdict on work. */
  readonly judges: boolean
  /** Nothing else of its job runs at the same time, so only its own outcome lets the job go on. */
  readonly runsAlone: boolean
  /** Its turn until it has begun. */
  readonly firstTurn: 'begin' | 'review'
}

const RULES: { readonly [Type in Exclude<AttemptPurpose['type'], 'visit'>]: AttemptRules } = {
  discovery: { makesWork: false, landsNext: false, judges: false, runsAlone: true, firstTurn: 'begin' },
  task: { makesWork: true, landsNext: true, judges: false, runsAlone: false, firstTurn: 'begin' },
  review: { makesWork: false, landsNext: false, judges: true, runsAlone: false, firstTurn: 'review' },
}

type Purposeful = { readonly purpose: AttemptPurpose }

export function attemptRulesOf({ purpose }: Purposeful): AttemptRules {
  if (purpose.type !== 'visit') return RULES[purpose.type]
  const { makesWork, judges } = purpose
  // A run that has begun goes on before others begin.
  return { makesWork, landsNext: false, judges, runsAlone: false, firstTurn: 'review' }
}

/** The task an attempt works on or judges; undefined for a discovery. */
export function taskIdOf({ purpose }: Purposeful): TaskId | undefined {
  return 'taskId' in purpose ? purpose.taskId : undefined
}
