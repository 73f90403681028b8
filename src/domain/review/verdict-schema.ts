import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import { flag, list, object, optionalText, text, wholeNumber, word } from '../playbook/value-schema.ts'
import { type ReviewIssue, VERDICTS, type VerdictWord } from './verdict.ts'

const { wordCharacters } = ANSWER_LIMITS.visit
const SENTENCE = text('a sentence or two')

const ISSUE = object('one thing that must change', {
  severity: optionalText('critical, major or minor', wordCharacters),
  location: optionalText('where: a file with its line, or the part that you mean', wordCharacters),
  issue: text('what is wrong'),
  suggestion: optionalText('what to do instead'),
})

const CRITERION = object('one of the numbered criteria', {
  criterion: wholeNumber('its number', 1),
  met: flag('whether it is met'),
  evidence: optionalText('where it can be seen'),
})

/** What a reviewer answers with. */
export const VERDICT_SCHEMA = object('a verdict', {
  verdict: word('only this field decides; nothing that you write elsewhere counts', VERDICTS),
  summary: optionalText('in a sentence or two'),
  issues: list('what must change, the most important first; at least one for NEEDS_REVISION', ISSUE),
  criteria: {
    ...list('every numbered criterion that you were shown, if there are any', CRITERION),
    // A criterion that isn't met must not be cut off. A planner gives a task no more criteria than this.
    maxItems: ANSWER_LIMITS.listItems,
  },
  checksDone: list('what you checked, and how', SENTENCE),
  positive: list('what is good and should stay', SENTENCE),
  suggestions: list('remarks that need not be followed', SENTENCE),
})

/** An answer that fits the schema. */
export type ReviewAnswer = {
  readonly verdict: VerdictWord
  readonly summary: string
  readonly issues: readonly ReviewIssue[]
  readonly criteria: readonly ReviewedCriterion[]
  readonly checksDone: readonly string[]
  readonly positive: readonly string[]
  readonly suggestions: readonly string[]
}

export type ReviewedCriterion = {
  readonly criterion: number
  readonly met: boolean
  readonly evidence: string
}
