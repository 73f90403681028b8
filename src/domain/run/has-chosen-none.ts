import { outcomeOf, type Visit } from './visit.ts'
import { isChoiceOfNone } from './visit-answer.ts'

/** Whether a judge did its part, and chose none of what competed. Its stage fails, but nothing of it was lost. */
export function hasChosenNone(visit: Pick<Visit, 'state' | 'answer'>): boolean {
  return outcomeOf(visit) === 'failed' && isChoiceOfNone(visit.answer)
}
