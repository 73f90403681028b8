import { assertNever } from '../assert-never.ts'
import { VERDICTS } from '../review/verdict.ts'
import { hasFormat } from './has-format.ts'
import type { RoutedOutcome } from './outcome.ts'
import type { RoleStage, Stage } from './stage.ts'

/**
 * Every outcome that an entry into the stage can have, from the one that means the most success to the one that means the
 * least. Its routes must name all of them, as a switch must.
 */
export function outcomesOf(stage: Stage): readonly RoutedOutcome[] {
  switch (stage.type) {
    case 'role':
      return outcomesOfRole(stage)
    case 'checks':
      return stage.each === undefined ? CHECK_OUTCOMES : ['some', 'one', 'none']
    case 'gate':
      return ['allowed', 'denied', 'expired', ...(stage.condition === undefined ? [] : ['skipped' as const])]
    case 'choose':
      return []
    case 'playbook':
      return ['complete', 'partial', 'failed']
    default:
      return assertNever(stage)
  }
}

/** Every outcome that one branch of a stage can have; those of the stage itself if it doesn't fan out. */
export function branchOutcomesOf(stage: Stage): readonly RoutedOutcome[] {
  if (stage.type === 'role') return outcomesOfBranch(stage)
  return stage.type === 'checks' ? CHECK_OUTCOMES : outcomesOf(stage)
}

const CHECK_OUTCOMES = ['pass', 'fail'] as const

function outcomesOfBranch({ output }: RoleStage): readonly RoutedOutcome[] {
  return hasFormat(output, 'review') ? [...VERDICTS, 'failed'] : ['done', 'failed']
}

function outcomesOfRole(stage: RoleStage): readonly RoutedOutcome[] {
  return stage.fanOut === undefined ? outcomesOfBranch(stage) : ['some', 'none']
}
