import type { GateAction } from '../../domain/approval/approval-action.ts'
import { RUN_LIMITS } from '../../domain/limits/run-limits.ts'
import { describeReference, type Reference } from '../../domain/playbook/reference.ts'
import type { Run } from '../../domain/run/run.ts'
import { seenVisits } from '../../domain/run/seen-visits.ts'
import type { Visit } from '../../domain/run/visit.ts'
import { findField } from '../../domain/run/visit-answer.ts'
import { answerText } from '../prompts/answer-text.ts'

/**
 * What a person sees of a run at a gate, by the names that the playbook uses. The diff isn't among them: a person reads
 * it from the commit.
 */
export function shownTexts(
  run: Pick<Run, 'goal' | 'inputs'>,
  visits: readonly Visit[],
  references: readonly Reference[],
  limit: number = RUN_LIMITS.shownCharacters,
): GateAction['shows'] {
  return references.flatMap((reference) => {
    const { of, field } = reference
    const name = describeReference({ ...reference, isOptional: false })
    if (of === 'goal') return [{ name, text: run.goal }]
    if (of === 'inputs') return [{ name, text: String(run.inputs[field ?? ''] ?? '') }]
    return seenVisits(visits, reference).map(({ answer, branch }) => ({
      name: branch === 0 ? name : `${name} #${branch}`,
      text: answerText(field === undefined ? answer : findField(answer, field)).slice(0, limit),
    }))
  })
}
