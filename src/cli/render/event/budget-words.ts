import type { WireEventOf } from '../../../contract/event.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { momentWords } from '../text/elapsed.ts'
import type { Words } from './words.ts'

/** The budget is spent for today or for the whole job, or is too small for another attempt. */
export function budgetWords({ data, at }: WireEventOf<'budget_reached'>): Words {
  const { budgetUsd, spentUsd, meanUsd = {}, role = '' } = data
  if (data.day === true) {
    const moment = data.until === undefined ? '' : ` until ${momentWords(new Date(data.until), new Date(at))}`
    const spent = `the daily budget of ${dollars(budgetUsd)} is spent`
    return { tone: 'warn', text: `waiting${moment}: ${spent}; nothing new starts`, see: 'muster status' }
  }
  const left = budgetUsd - spentUsd
  const mean = meanUsd[role] ?? 0
  const tooLittle =
    left > 0 && mean > 0
      ? ` (${dollars(left)} is left, and an attempt costs ${dollars(mean)} on average)`
      : ''
  const text = `budget reached: ${spendingWords(data)}${tooLittle}; nothing new starts`
  return { tone: 'bad', text }
}

export function spendingWords({
  spentUsd,
  budgetUsd,
}: Pick<WireEventOf<'budget_warned'>['data'], 'spentUsd' | 'budgetUsd'>): string {
  return `${dollars(spentUsd)} of ${dollars(budgetUsd)}`
}
