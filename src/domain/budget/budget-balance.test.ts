import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleJob, exampleSession } from '../../../test/support/example-records.ts'
import type { AttemptId } from '../id.ts'
import { NO_CONVERSATION } from '../session/conversation-state.ts'
import type { Session } from '../session/session.ts'
import { type AttemptCost, attemptCosts } from './attempt-costs.ts'
import {
  type BudgetBalance,
  balanceOf,
  canAfford,
  isNearlySpent,
  isSpent,
  whyUnpaid,
  withReserved,
} from './budget-balance.ts'

const over = (role: string, costUsd: number): AttemptCost => ({ role, costUsd, isFinished: true })
const running = (role: string, costUsd: number): AttemptCost => ({ role, costUsd, isFinished: false })
const OVER: Session['state'] = { type: 'terminated', end: { type: 'exited', code: 0 } }

/** How many attempts of a role could start at once; 9 stands for any number. */
function affordable(balance: BudgetBalance, role: string): number {
  let left = balance
  for (let count = 0; count < 9; count += 1) {
    if (!canAfford(left, role)) return count
    left = withReserved(left, role)
  }
  return 9
}

describe('the cost of an attempt', () => {
  it('adds up over the sessions that handed it over', () => {
    const session = (attempt: string, costUsd: number, state?: Session['state']) =>
      exampleSession(exampleJob(), {
        role: 'worker',
        purpose: { type: 'attempt', attemptId: attempt as AttemptId },
        conversation: { ...NO_CONVERSATION, usage: { ...NO_CONVERSATION.usage, costUsd } },
        ...(state === undefined ? {} : { state }),
      })
    const costs = attemptCosts([session('att_1', 1, OVER), session('att_1', 2), session('att_2', 4, OVER)])
    expect(costs).toEqual([running('worker', 3), over('worker', 4)])
  })
})

describe('a budget', () => {
  it('knows whether it is empty or has too little left for one more attempt', () => {
    const attempts = [over('worker', 0.4), over('worker', 0.4)]
    expect(whyUnpaid(balanceOf(1, 1.2, attempts), 'worker')).toBe('the budget of $1.00 was reached')
    expect(whyUnpaid(balanceOf(1, 0.8, attempts), 'worker')).toBe(
      'the budget of $1.00 was reached: $0.20 is left, and an attempt costs $0.40 on average',
    )
    expect(whyUnpaid(balanceOf(1, 0.8, attempts), 'planner')).toBe('the budget of $1.00 was reached')
  })

  it('allows everything if there is none', () => {
    expect(affordable(balanceOf(undefined, 1e6, [over('worker', 5)]), 'worker')).toBe(9)
  })

  it('lets the first attempts of a role start, because they have no cost history', () => {
    const balance = balanceOf(1, 0.9, [over('planner', 0.9)])
    expect(affordable(balance, 'worker')).toBe(9)
    expect(affordable(balance, 'planner')).toBe(0)
  })

  it('reserves what running attempts are still expected to cost', () => {
    const attempts = [over('worker', 1), over('worker', 3), running('worker', 0.5), running('worker', 9)]
    const balance = balanceOf(20, 13.5, attempts)
    expect(balance.reservedUsd).toBe(1.5)
    expect(affordable(balance, 'worker')).toBe(2)
  })

  it('is used to the last cent and no further', () => {
    expect(affordable(balanceOf(0.3, 0.1, [over('worker', 0.1)]), 'worker')).toBe(2)
    expect(affordable(balanceOf(0.3, 0.3, []), 'worker')).toBe(0)
  })

  it('is nearly spent at 80 percent and spent at 100', () => {
    expect([7.9, 8, 10].map((spent) => isNearlySpent(balanceOf(10, spent, [])))).toEqual([false, true, true])
    expect([9.99, 10, 11].map((spent) => isSpent(balanceOf(10, spent, [])))).toEqual([false, true, true])
  })

  it('never lets more start than it can pay for if each costs what is expected', () => {
    const cost = fc.double({ min: 0.01, max: 5, noNaN: true })
    fc.assert(
      fc.property(cost, fc.array(cost, { minLength: 1, maxLength: 6 }), fc.nat(4), (budget, ended, busy) => {
        const spent = ended.reduce((sum, one) => sum + one, 0)
        const attempts = [
          ...ended.map((one) => over('worker', one)),
          ...Array(busy).fill(running('worker', 0)),
        ]
        const balance = balanceOf(budget + spent, spent, attempts)
        const mean = spent / ended.length
        const count = affordable(balance, 'worker')
        if (count > 0) expect(spent + (busy + count) * mean).toBeLessThanOrEqual(budget + spent + 1e-6)
      }),
    )
  })
})
