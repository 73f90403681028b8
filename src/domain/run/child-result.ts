import { assertNever } from '../assert-never.ts'
import type { RunEnd } from '../playbook/route.ts'
import { describeChanges } from '../task/work-changes.ts'
import type { Run } from './run.ts'
import type { Visit } from './visit.ts'
import { summaryOf } from './visit-answer.ts'

/** What a visit that waits for a child run gets from it. */
export type ChildResult = Pick<Visit, 'attemptId' | 'commit' | 'work' | 'problem'> & {
  readonly outcome: 'complete' | 'partial' | 'failed'
  readonly answer: ChildAnswer
}

/** The answer of a stage that follows another playbook. */
export type ChildAnswer = {
  readonly summary: string
  readonly documents: readonly { readonly title: string; readonly text: string }[]
}

type Ended = {
  readonly run: Pick<Run, 'state' | 'playbook'>
  readonly visits: readonly Visit[]
  readonly documents: readonly { readonly name: string; readonly text: string }[]
}

/** The result of a child run; undefined while the run goes on. */
export function childResult({ run, visits, documents }: Ended): ChildResult | undefined {
  const { state } = run
  if (state.type === 'running' || state.type === 'asking') return undefined
  const reason = 'reason' in state ? state.reason : undefined
  const made = state.type === 'ended' ? visits.find(({ id }) => id === state.work) : undefined
  const outcome = state.type === 'ended' ? outcomeOfEnd(state.end) : 'failed'
  return {
    outcome,
    answer: {
      summary: wordsAbout(made) ?? reason ?? `the playbook ${run.playbook.name} was followed`,
      documents: documents.map(({ name, text }) => ({ title: name, text })),
    },
    ...(made === undefined ? {} : workOf(made)),
    ...(outcome === 'complete' || reason === undefined ? {} : { problem: reason }),
  }
}

/** Work that nobody judged is only partial to the run that waits for it. */
function outcomeOfEnd(end: RunEnd): ChildResult['outcome'] {
  switch (end) {
    case 'land':
    case 'done':
      return 'complete'
    case 'unverified':
    case 'partial':
      return 'partial'
    case 'failed':
      return 'failed'
    default:
      return assertNever(end)
  }
}

function wordsAbout(made: Visit | undefined): string | undefined {
  const said = summaryOf(made?.answer)
  if (said !== '') return said
  return made?.work === undefined ? undefined : describeChanges(made.work.changes)
}

function workOf({ attemptId, commit, work }: Visit): Pick<Visit, 'attemptId' | 'commit' | 'work'> {
  return {
    ...(attemptId === undefined ? {} : { attemptId }),
    ...(commit === undefined ? {} : { commit }),
    ...(work === undefined ? {} : { work }),
  }
}
