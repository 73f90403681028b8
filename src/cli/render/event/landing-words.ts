import type { WireEventOf } from '../../../contract/event.ts'
import { counted } from '../text/counted.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import type { Words } from './words.ts'

/** What is being checked, and why a check runs again. */
export function checkingText({ data }: WireEventOf<'landing_checking'>): string {
  const { again, together } = data
  const check = safeLine(data.check)
  if (again === 'failed' && together > 1)
    return `the batch of ${together} failed once; running again on a new copy of the tree: ${check}`
  if (again === 'failed') return `failed once; running again on a new copy of the tree: ${check}`
  if (again === 'lost') return `ended without a result; running again: ${check}`
  const others = together > 1 ? `, together with ${counted(together - 1, 'other change')}` : ''
  return `checking the merged tree${others}: ${check}`
}

/** Warns if there are no checks, because then nothing is known about this tree. */
export function checkedWords({ data }: WireEventOf<'landing_checked'>): Words {
  const { warning, flaky = [], tolerated = [] } = data
  if (warning !== undefined) return { tone: 'warn', text: safeLine(warning) }
  if (tolerated.length > 0) {
    const failing = tolerated.map((command) => safeLine(command)).join(', ')
    const fails = tolerated.length === 1 ? 'fails, as it' : 'fail, as they'
    return { tone: 'warn', text: `${failing} ${fails} already did on the base; ignored` }
  }
  if (flaky.length === 0) return { tone: 'dim', text: 'checks passed', from: 'verbose' }
  const commands = flaky.map((command) => safeLine(command)).join(', ')
  return { tone: 'warn', text: `passed on the second try: ${commands}` }
}

export function landedText({ data }: WireEventOf<'landing_landed'>): string {
  const commit = safeLine(data.commit).slice(0, 10)
  if (data.base !== undefined) return `merged new commits from ${safeLine(data.base)}: ${commit}`
  return data.isContained === true ? `already on the branch: ${commit}` : `landed: ${commit}`
}

/** The end of a task follows and repeats this, but nothing else reports it for the base branch. */
export function rejectedWords({ data }: WireEventOf<'landing_rejected'>): Words {
  const text = `did not land: ${safeHead(data.reason)}`
  return data.base === undefined ? { tone: 'dim', text, from: 'verbose' } : { tone: 'warn', text }
}
