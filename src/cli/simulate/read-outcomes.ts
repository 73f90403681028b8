import type { WirePlaybook } from '../../client/index.ts'
import { happyOutcomes } from '../../domain/playbook/happy-outcomes.ts'
import { outcomesOf } from '../../domain/playbook/outcomes-of.ts'
import { unknownName } from '../../domain/playbook/playbook-problem.ts'
import { failure, type Result, success } from '../../domain/result.ts'

/** For each stage, its outcomes in the order of its rounds. The last one counts for all later rounds. */
export type OutcomePlan = Readonly<Record<string, readonly string[]>>

/** What `--outcomes` says, completed with the happy path; or why a part of it is impossible. */
export function readOutcomes(
  playbook: WirePlaybook,
  given: Readonly<Record<string, string>>,
): Result<OutcomePlan, string> {
  const plan: Record<string, readonly string[]> = Object.fromEntries(
    Object.entries(happyOutcomes(playbook)).map(([stage, outcome]) => [stage, [outcome]]),
  )
  for (const [name, text] of Object.entries(given)) {
    const outcomes = text.split(',').map((word) => word.trim())
    const problem = whyImpossible(playbook, name, outcomes)
    if (problem !== undefined) return failure(problem)
    plan[name] = outcomes
  }
  return success(plan)
}

/** The outcome that a stage is to have in a round, which is counted from 1. */
export function outcomeInRound(plan: OutcomePlan, stage: string, round: number): string {
  const outcomes = plan[stage] ?? []
  return outcomes[Math.min(round, outcomes.length) - 1] ?? ''
}

function whyImpossible(
  { stages }: WirePlaybook,
  name: string,
  outcomes: readonly string[],
): string | undefined {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined
  if (stage === undefined) return unknownName('stage', name, Object.keys(stages))
  if (stage.type === 'choose') {
    return `the stage "${name}" has no outcomes: it follows from inputs and answers; use --input or --answer`
  }
  const known: readonly string[] = outcomesOf(stage).filter((outcome) => outcome !== 'skipped')
  const wrong = outcomes.find((outcome) => !known.includes(outcome))
  if (wrong === undefined) return undefined
  if (wrong === 'skipped') return `the gate "${name}" is skipped if its condition isn't met; use --input`
  return `stage "${name}": ${unknownName('outcome', wrong, known)}`
}
