import { hasFormat } from '../../src/domain/playbook/has-format.ts'
import type { Outcome } from '../../src/domain/playbook/outcome.ts'
import { outcomesOf } from '../../src/domain/playbook/outcomes-of.ts'
import type { Playbook } from '../../src/domain/playbook/playbook.ts'
import type { RoleStage, Stage } from '../../src/domain/playbook/stage.ts'
import type { Visit } from '../../src/domain/run/visit.ts'

// How a scripted run ends an entry into a stage, in one word: its outcome, and `+design` if the answer asks for one.

/** The ways in which an entry into a stage can end, the best one first. */
export function wordsFor(stage: Stage): readonly string[] {
  if (stage.type === 'role' && hasFormat(stage.output, 'criteria')) return ['done', 'done+design', 'failed']
  return outcomesOf(stage).filter((outcome) => outcome !== 'skipped')
}

/** The outcome of one visit, if the whole entry is to end as a word says. */
export function outcomeFor(stage: Stage, { branch }: Pick<Visit, 'branch'>, word: string): Outcome {
  if (stage.type === 'checks' && stage.each !== undefined) {
    return word === 'some' || (word === 'one' && branch === 1) ? 'pass' : 'fail'
  }
  if (word === 'some') return 'done'
  return word === 'none' ? 'failed' : (word.replace('+design', '') as Outcome)
}

const FINDING = { claim: 'so it is', confidence: 'high', sources: ['base.txt:1'] }

/** An answer that leads to the outcome that a word says. */
export function answerFor({ stages }: Pick<Playbook, 'stages'>, { output }: RoleStage, word: string): object {
  const isGood = word === 'APPROVED'
  const hasCriteria = Object.values(stages).some(
    (stage) => stage.type === 'role' && hasFormat(stage.output, 'criteria'),
  )
  const answers: Readonly<Record<string, object>> = {
    change: { summary: 'wrote a line' },
    criteria: { criteria: ['there is a line'], needsDesign: word.endsWith('+design') },
    design: { approach: 'write it' },
    questions: { questions: ['why?', 'how?'] },
    findings: { summary: 'found', findings: [FINDING], confidence: 'high' },
    review: {
      verdict: word,
      summary: 'read',
      issues: isGood ? [] : [{ issue: 'too short', location: 'base.txt:1' }],
      criteria: hasCriteria ? [{ criterion: 1, met: isGood, evidence: 'base.txt' }] : [],
    },
    choice: { choice: 1, reason: 'it is the first' },
    document: { title: 'A report', text: 'So it is.' },
  }
  return (output.type === 'shipped' ? answers[output.format] : undefined) ?? {}
}
