import type { WireEvent } from '../../contract/event.ts'
import { dollars } from '../../domain/budget/dollars.ts'
import { momentWords } from './elapsed.ts'
import { recordIn, textOf } from './event-data.ts'
import type { Tone } from './paint.ts'

/** That no money is left: for today, for good, or for one more attempt. */
export function budgetWords(event: WireEvent): { readonly tone: Tone; readonly text: string } {
  if (event.data['day'] === true) {
    const until = Date.parse(textOf(event, 'until'))
    const moment = Number.isNaN(until) ? '' : ` until ${momentWords(new Date(until), new Date(event.at))}`
    const spent = `the ${amount(event, 'budgetUsd')} that a day may cost are spent`
    return { tone: 'warn', text: `rests${moment}: ${spent}; nothing new starts` }
  }
  const left = (Number(event.data['budgetUsd']) || 0) - (Number(event.data['spentUsd']) || 0)
  const mean = Number(recordIn(event, 'meanUsd')[textOf(event, 'role')]) || 0
  const tooLittle =
    left > 0 && mean > 0
      ? ` (${dollars(left)} is left, and an attempt costs ${dollars(mean)} on average)`
      : ''
  const text = `the budget is reached: ${spendingWords(event)}${tooLittle}; nothing more starts`
  return { tone: 'bad', text }
}

export function spendingWords(event: WireEvent): string {
  return `${amount(event, 'spentUsd')} of ${amount(event, 'budgetUsd')}`
}

function amount(event: WireEvent, name: string): string {
  return dollars(Number(event.data[name]) || 0)
}
