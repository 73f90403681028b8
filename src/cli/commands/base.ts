import type { WireBaseDecision } from '../../client/index.ts'
import { closestWord } from '../../domain/closest-word.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { baseLines } from '../render/job/base-lines.ts'
import { withAnswer, withChanged, withFound } from '../with-daemon.ts'

const DONE = {
  continue: "continues; failures that the base already has don't count against its work",
  fix: 'starts with a task that fixes the base',
  retry: 'checks its base again',
  stop: 'is cancelled',
} as const satisfies Record<WireBaseDecision, string>

/** Shows the checks of a job's base, or decides what the job does about a base that fails. */
export async function baseCommand(
  needs: CommandNeeds,
  given: string | undefined,
  decided: WireBaseDecision | undefined,
): Promise<Outcome> {
  const { text, decision } = withoutName(given, decided)
  const within = decision === undefined ? withFound : withChanged
  const outcome = await within(needs, text, ['job'], (client, { id }) => {
    if (decision === undefined) {
      return withAnswer(client.getBase(id), (base) => printResult(needs, base, baseLines(base, needs.output)))
    }
    return withAnswer(client.decideBase(id, decision), (job) =>
      printResult(needs, job, [`${id} ${DONE[decision]}`]),
    )
  })
  return outcome.ok ? outcome : failure(meantDecision(outcome.failure, text))
}

/** A text that names no job may be a mistyped decision. */
function meantDecision(problem: Problem, text: string | undefined): Problem {
  const meant = text === undefined ? undefined : closestWord(text, Object.keys(DONE))
  return problem.type === 'id-unknown' && meant !== undefined
    ? { ...problem, next: `muster base ${meant}` }
    : problem
}

/** `muster base fix` is about the newest job. */
function withoutName(text: string | undefined, decision: WireBaseDecision | undefined) {
  if (decision !== undefined || text === undefined || !Object.hasOwn(DONE, text)) return { text, decision }
  return { text: undefined, decision: text as WireBaseDecision }
}
