import { expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { Outcome } from '../playbook/outcome.ts'
import { describeRunEnd } from './describe-run-end.ts'
import type { Visit } from './visit.ts'

const visit = (ordinal: number, stage: string, outcome: Outcome, fields: Partial<Visit> = {}) =>
  exampleVisit({ ordinal, stage, state: { type: 'settled', outcome }, ...fields })
const ISSUE = { severity: 'major', location: 'a.ts:1', issue: 'too short', suggestion: 'write more' }
const revise = (ordinal: number) =>
  visit(ordinal, 'review', 'NEEDS_REVISION', { answer: { verdict: 'NEEDS_REVISION', issues: [ISSUE] } })

it.each(['land', 'done'] as const)('says nothing about a run that ended as %s', (end) => {
  expect(describeRunEnd(end, [visit(1, 'check', 'fail')], [])).toBeUndefined()
})

it('names the last setback, with what is known about it', () => {
  const visits = [visit(1, 'review', 'denied'), visit(2, 'check', 'fail'), visit(3, 'fix', 'done')]
  expect(describeRunEnd('partial', visits, [])).toBe('check ended with fail')
  const crashed = visit(4, 'fix', 'failed', { problem: 'exit code 1' })
  expect(describeRunEnd('failed', [...visits, crashed], [])).toBe('fix ended with failed: exit code 1')
  const output = visit(5, 'check', 'fail', { answer: { output: 'not ok 1' } })
  expect(describeRunEnd('partial', [output], [])).toBe('check ended with fail: not ok 1')
})

it('gives the reason of a judge that chose none of the candidates', () => {
  const answer = { choice: 0, reason: 'both break the parser' }
  expect(describeRunEnd('unverified', [visit(1, 'pick', 'failed', { answer })], [])).toBe(
    'the judge chose none of the candidates: both break the parser',
  )
})

it('says that a fork left a stage out, instead of what the stage said before', () => {
  const visits = [
    revise(1),
    visit(2, 'revise', 'done'),
    visit(3, 'gate', 'skipped'),
    visit(4, 'review', 'skipped'),
  ]
  expect(describeRunEnd('unverified', visits, [], ['review'])).toBe(
    'review was skipped, because the fork left it out',
  )
})

it('names the end if nothing went wrong', () => {
  expect(describeRunEnd('unverified', [visit(1, 'fix', 'done')], [])).toBe(
    'the playbook leads to end.unverified',
  )
})

it('distinguishes a rejection from a route that was taken as often as it may be', () => {
  const rejected = visit(1, 'review', 'REJECTED', {
    answer: { verdict: 'REJECTED', summary: 'the wrong file' },
  })
  expect(describeRunEnd('partial', [rejected], ['review.NEEDS_REVISION'])).toMatch(
    /^the reviewer rejected it/,
  )
  expect(describeRunEnd('partial', [visit(1, 'check', 'fail')], ['check.fail'])).toBe(
    'check ended with fail for the last time that the playbook allows',
  )
  expect(describeRunEnd('partial', [revise(1), revise(3)], ['review.NEEDS_REVISION'])).toMatch(
    /^the reviewer still wants changes after 1 round: .*too short/,
  )
})
