import type { WireEvent } from '../../contract/event.ts'
import { textOf, textsOf } from './event-data.ts'

/** What a check does now, and why it does so again. */
export function checkingText(event: WireEvent): string {
  const check = textOf(event, 'check')
  const again = textOf(event, 'again')
  const together = Number(event.data['together']) || 1
  if (again === 'failed' && together > 1)
    return `the batch of ${together} failed once; run again on a new copy of the tree: ${check}`
  if (again === 'failed') return `failed once; run again on a new copy of the tree: ${check}`
  if (again === 'lost') return `nobody saw how it ended; run again: ${check}`
  const others = together > 1 ? `, with ${together - 1} more` : ''
  return `checks run on the merged tree${others}: ${check}`
}

/** No checks at all is said out loud: nothing was proved about this tree. */
export function checkedText(event: WireEvent): { readonly text: string; readonly isWarning: boolean } {
  const warning = textOf(event, 'warning')
  if (warning !== '') return { text: warning, isWarning: true }
  const flaky = textsOf(event, 'flaky')
  if (flaky.length > 0) return { text: `passed at the second try: ${flaky.join(', ')}`, isWarning: true }
  return { text: 'checks passed', isWarning: false }
}

export function landedText(event: WireEvent): string {
  const commit = textOf(event, 'commit').slice(0, 10)
  const base = textOf(event, 'base')
  if (base !== '') return `took in ${base}, which has moved: ${commit}`
  if (event.data['isContained'] === true) return `is there already: ${commit}`
  return commit === '' ? 'landed' : `landed: ${commit}`
}
