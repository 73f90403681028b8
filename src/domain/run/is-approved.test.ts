import { beforeAll, describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import { playbooks, readShipped } from '../../../test/support/run-play.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { isApproved } from './is-approved.ts'
import type { Visit } from './visit.ts'

let reviewed: Playbook
beforeAll(async () => {
  await readShipped()
  const found = playbooks.get('reviewed')
  if (found === undefined) throw new Error('the playbook reviewed is missing')
  reviewed = found
})

const ISSUE = { severity: 'major', location: 'work.txt:1', issue: 'is wrong', suggestion: 'right it' }
const settled = (outcome: Outcome) => ({ type: 'settled', outcome }) as const

function made(ordinal: number, commit: string, tree: string, stage = 'implement'): Visit {
  const changes = { files: 1, added: 1, removed: 0, unusual: [] }
  const work = { tree, files: ['work.txt'], commits: [], changes, omissions: [] }
  return exampleVisit({ ordinal, stage, commit, work, state: settled('done') })
}

/** Stores the commit that it checked, but doesn't know its tree. */
const checked = (ordinal: number, commit: string): Visit =>
  exampleVisit({ ordinal, stage: 'check', commit, state: settled('pass') })

function review(ordinal: number, verdict: Outcome): Visit {
  const answer = { verdict, summary: 'Read.', issues: verdict === 'APPROVED' ? [] : [ISSUE] }
  return exampleVisit({ ordinal, stage: 'review', answer, state: settled(verdict) })
}

describe('work is approved', () => {
  it('if the last review of it approved it', () => {
    const visits = [made(1, 'a', 'one'), checked(2, 'a'), review(3, 'APPROVED')]
    expect(isApproved(reviewed, visits, 'a')).toBe(true)
    expect(isApproved(reviewed, [...visits.slice(0, 2), review(3, 'REJECTED')], 'a')).toBe(false)
    expect(isApproved(reviewed, visits.slice(0, 2), 'a')).toBe(false)
  })

  it('if the reviewer approved another commit of the same files, although both were checked in between', () => {
    const visits = [
      ...[made(1, 'a', 'one'), checked(2, 'a'), review(3, 'APPROVED')],
      ...[made(4, 'b', 'one', 'revise'), checked(5, 'b')],
    ]
    expect(isApproved(reviewed, visits, 'b')).toBe(true)
  })

  it('not if a later review of the same files wanted changes', () => {
    const visits = [
      ...[made(1, 'a', 'one'), checked(2, 'a'), review(3, 'APPROVED')],
      ...[made(4, 'b', 'one', 'revise'), checked(5, 'b'), review(6, 'NEEDS_REVISION')],
    ]
    expect(isApproved(reviewed, visits, 'a')).toBe(false)
  })

  it('not because the work before it was', () => {
    const visits = [...[made(1, 'a', 'one'), review(2, 'APPROVED')], made(3, 'b', 'two', 'revise')]
    expect(isApproved(reviewed, visits, 'b')).toBe(false)
  })
})
