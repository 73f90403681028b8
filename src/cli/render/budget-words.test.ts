import { expect, it } from 'vitest'
import { sampleEvent } from '../testing/sample-wire.ts'
import { budgetWords } from './budget-words.ts'

const words = (data: Record<string, unknown>) => budgetWords(sampleEvent('budget_reached', { data })).text

it('says until when a job rests that has no money left for today', () => {
  const until = new Date(2030, 0, 2).toISOString()
  expect(words({ day: true, until, spentUsd: 2.1, budgetUsd: 2 })).toBe(
    'rests until 2030-01-02 00:00: the $2.00 that a day may cost are spent; nothing new starts',
  )
})

it('says when something is left that does not pay for one more', () => {
  const meanUsd = { worker: 0.4 }
  expect(words({ spentUsd: 0.8, budgetUsd: 1, meanUsd, role: 'worker' })).toBe(
    'the budget is reached: $0.80 of $1.00 ($0.20 is left, and an attempt costs $0.40 on average); nothing more starts',
  )
  expect(words({ spentUsd: 1.1, budgetUsd: 1, meanUsd })).toBe(
    'the budget is reached: $1.10 of $1.00; nothing more starts',
  )
})
