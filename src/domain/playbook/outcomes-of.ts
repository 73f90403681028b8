import { assertNever } from '../assert-never.ts'
import { hasFormat } from './has-format.ts'
import { VERDICTS } from './output-format.ts'
import type { RoleStage, Stage } from './stage.ts'

/** Every outcome that a visit of the stage can have. Its routes must name all of them, as a switch must. */
export function outcomesOf(stage: Stage): readonly string[] {
  switch (stage.type) {
    case 'role':
      return outcomesOfRole(stage)
    case 'checks':
      return stage.each === undefined ? ['pass', 'fail'] : ['one', 'some', 'none']
    case 'gate':
      return ['allowed', 'denied', 'expired', ...(stage.condition === undefined ? [] : ['skipped'])]
    case 'choose':
      return []
    case 'playbook':
      return ['complete', 'partial', 'failed']
    default:
      return assertNever(stage)
  }
}

function outcomesOfRole({ fanOut, output }: RoleStage): readonly string[] {
  if (fanOut !== undefined) return ['some', 'none']
  if (hasFormat(output, 'review')) return [...VERDICTS, 'failed']
  return ['done', 'failed']
}
