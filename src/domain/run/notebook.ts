import { hasFormat } from '../playbook/has-format.ts'
import type { OutputFormat } from '../playbook/output-format.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { chosenOf } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'
import { listIn, textsIn } from './visit-answer.ts'

/** What every role of a run should know, besides what its stage sees. */
export type Notebook = {
  /** Numbered from 1; reviews refer to the numbers. */
  readonly criteria: readonly string[]
  readonly decisions: readonly string[]
  readonly findings: readonly string[]
}

type Stages = Pick<Playbook, 'stages'>
type Reader = Pick<Visit, 'ordinal' | 'inputs'>

/**
 * The notebook for a visit. It contains only what was known when the run entered the visit's stage, so the branches of
 * a fan-out don't see each other's answers in it. What the visit sees anyway is left out.
 */
export function notebookFor(playbook: Stages, visits: readonly Visit[], reader: Reader): Notebook {
  const answered = (format: OutputFormat) => answersBefore(playbook, visits, reader, format)
  const isUnseen = ({ id }: Visit) => !reader.inputs.includes(id)
  // What has been replaced by something newer doesn't come back because the visit sees the newer one.
  const criteria = answered('criteria').slice(-1)
  const designs = answered('design').filter(({ branch }) => branch === 0)
  return {
    criteria: criteria.filter(isUnseen).flatMap(({ answer }) => textsIn(answer, 'criteria')),
    decisions: [
      ...designs
        .slice(-1)
        .filter(isUnseen)
        .flatMap(({ answer }) => textsIn(answer, 'approach')),
      ...answered('choice')
        .filter(isUnseen)
        .flatMap((choice) => decisionsOf(choice, visits)),
    ],
    findings: answered('findings')
      .filter(isUnseen)
      .flatMap(({ answer }) => claimsIn(answer)),
  }
}

/** How many criteria the run has for a visit; a review refers to them by number. */
export function criteriaCount(playbook: Stages, visits: readonly Visit[], reader: Reader): number {
  const newest = answersBefore(playbook, visits, reader, 'criteria').at(-1)
  return textsIn(newest?.answer, 'criteria').length
}

/** The visits that answered in a format before the reader's stage was entered, oldest first. */
function answersBefore(
  { stages }: Stages,
  visits: readonly Visit[],
  { ordinal }: Reader,
  format: OutputFormat,
): readonly Visit[] {
  return visits
    .filter((visit) => {
      const stage = stages[visit.stage]
      if (visit.ordinal >= ordinal || outcomeOf(visit) !== 'done') return false
      return stage?.type === 'role' && hasFormat(stage.output, format)
    })
    .toSorted((one, two) => one.ordinal - two.ordinal || one.branch - two.branch)
}

/** What a judge chose, if it can be told in words, and why. */
function decisionsOf(choice: Visit, visits: readonly Visit[]): readonly string[] {
  return [...textsIn(chosenOf(choice, visits)?.answer, 'approach'), ...textsIn(choice.answer, 'reason')]
}

function claimsIn(answer: unknown): readonly string[] {
  return listIn(answer, 'findings').flatMap((finding) => {
    const [claim] = textsIn(finding, 'claim')
    const [confidence] = textsIn(finding, 'confidence')
    if (claim === undefined) return []
    return [confidence === undefined ? claim : `${claim} (confidence: ${confidence})`]
  })
}
