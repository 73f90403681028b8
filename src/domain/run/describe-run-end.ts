import { isSetback } from '../playbook/outcome.ts'
import { isComplete, type RunEnd } from '../playbook/route.ts'
import { firstIssueOf } from '../review/describe-issues.ts'
import { reasonLine } from '../task/reason-line.ts'
import { hasChosenNone } from './has-chosen-none.ts'
import { verdictOf } from './verdict-of.ts'
import { outcomeOf, type Visit } from './visit.ts'
import { checkAnswerOf, summaryOf, textIn } from './visit-answer.ts'

/** Why a run ended as it did, in one line; undefined if it did what it was for. `omitted`: what a fork leaves out. */
export function describeRunEnd(
  end: RunEnd,
  visits: readonly Visit[],
  exhausted: readonly string[],
  omitted: readonly string[] = [],
): string | undefined {
  if (isComplete(end)) return undefined
  const isOmitted = (visit: Visit) => outcomeOf(visit) === 'skipped' && omitted.includes(visit.stage)
  const last = visits.findLast((visit) => isSetback(outcomeOf(visit)) || isOmitted(visit))
  if (last !== undefined && isOmitted(last)) return `${last.stage} was skipped, because the fork left it out`
  if (last === undefined) return `the playbook leads to end.${end}`
  return reasonLine(`${setbackOf(last, visits, exhausted)}${detailOf(last)}`)
}

function setbackOf(last: Visit, visits: readonly Visit[], exhausted: readonly string[]): string {
  const outcome = outcomeOf(last)
  if (hasChosenNone(last)) return 'the judge chose none of the candidates'
  if (outcome === 'REJECTED') return 'the reviewer rejected it'
  if (exhausted.length === 0) return `${last.stage} ended with ${outcome}`
  if (outcome !== 'NEEDS_REVISION') {
    return `${last.stage} ended with ${outcome} for the last time that the playbook allows`
  }
  const isLike = (visit: Visit) => visit.stage === last.stage && outcomeOf(visit) === outcome
  const rounds = visits.filter(isLike).length - 1
  return `the reviewer still wants changes after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`
}

function detailOf(last: Visit): string {
  const { problem, answer, state } = last
  if (problem !== undefined) return `: ${problem}`
  const verdict = verdictOf(outcomeOf({ state }), answer)
  const issue = verdict === undefined ? '' : firstIssueOf(verdict)
  if (issue !== '') return `: ${issue}`
  const said =
    (hasChosenNone(last) && textIn(answer, 'reason')) || summaryOf(answer) || checkAnswerOf(answer).output
  return said === '' ? '' : `: ${said}`
}
