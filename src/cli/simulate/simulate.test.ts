import { describe, expect, it } from 'vitest'
import { readFolder } from '../../adapters/playbooks/folder/read-folder.ts'
import type { WireEvent, WirePlaybook } from '../../client/index.ts'
import { readAnswers } from './read-answers.ts'
import { outcomeInRound, readOutcomes } from './read-outcomes.ts'
import { createRouteReader, routeLine } from './route-lines.ts'
import { simulatedCheck } from './simulated-script.ts'

async function shipped(name: string): Promise<WirePlaybook> {
  const read = await readFolder(`playbooks/${name}`, 'playbooks/builtin')
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  return read.value.playbook
}

describe('outcomes', () => {
  it('repeat the last one, and take the happy path where none is given', async () => {
    const plan = readOutcomes(await shipped('reviewed'), { review: 'NEEDS_REVISION, APPROVED' })
    if (!plan.ok) throw new Error(plan.failure)
    expect([1, 2, 3].map((round) => outcomeInRound(plan.value, 'review', round))).toEqual([
      'NEEDS_REVISION',
      'APPROVED',
      'APPROVED',
    ])
    expect(outcomeInRound(plan.value, 'check', 1)).toBe('pass')
  })

  it.each([
    [{ reveiw: 'APPROVED' }, 'there is no stage "reveiw"; did you mean "review"?'],
    [{ review: 'APROVED' }, 'stage "review": there is no outcome "APROVED"; did you mean "APPROVED"?'],
    [{ check: 'pass,APPROVED' }, 'stage "check": there is no outcome "APPROVED"; there are: pass, fail'],
    [
      { design_gate: 'skipped' },
      'the gate "design_gate" is skipped if its condition isn\'t met; use --input',
    ],
    [
      { route: 'architecture' },
      'the stage "route" has no outcomes: it follows from inputs and answers; use --input or --answer',
    ],
  ])('are refused with the reason: %j', async (given, problem) => {
    const name = 'design_gate' in given || 'route' in given ? 'development' : 'reviewed'
    expect(readOutcomes(await shipped(name), given as Record<string, string>)).toEqual({
      ok: false,
      failure: problem,
    })
  })
})

it('reads fields of answers, and refuses unknown ones', async () => {
  const playbook = await shipped('development')
  expect(readAnswers(playbook, { 'criteria.needsDesign': 'true' })).toEqual({
    ok: true,
    value: { criteria: { needsDesign: true } },
  })
  const wrong = readAnswers(playbook, { 'criteria.needDesign': 'true' })
  expect(wrong.ok ? '' : wrong.failure).toContain('did you mean "needsDesign"?')
  expect(readAnswers(playbook, { 'check.x': '1' }).ok).toBe(false)
})

it('writes checks that pass and fail by stage, round and branch', async () => {
  const playbook = await shipped('best-of')
  const plan = readOutcomes(playbook, { verify: 'none,one' })
  if (!plan.ok) throw new Error(plan.failure)
  const text = simulatedCheck({ playbook, files: {}, outcomes: plan.value, answers: {} })
  expect(text).toContain('verify:1:*) echo "simulated failure"; exit 1 ;;')
  expect(text).toContain('verify:*:[2-9]) echo "simulated failure"; exit 1 ;;')
})

it('prints where each outcome led, with the count of a limited route', async () => {
  const playbook = await shipped('reviewed')
  const read = createRouteReader(playbook)
  const entered = (stage: string, round = 1) => ({
    type: 'stage_entered',
    data: { runId: 'r', stage, round, branches: 1 },
  })
  const ended = (stage: string, outcome: string) => ({
    type: 'stage_ended',
    data: { runId: 'r', stage, outcome, branch: 0 },
  })
  const events = [
    { type: 'run_started', data: { runId: 'r', playbook: 'reviewed' } },
    entered('review'),
    ended('review', 'NEEDS_REVISION'),
    entered('revise'),
    ended('revise', 'failed'),
    { type: 'run_ended', data: { runId: 'r', playbook: 'reviewed', end: 'partial' } },
  ]
  const lines = events
    .flatMap((event) => read(event as WireEvent))
    .map((step) => routeLine(playbook, step, 10))
  expect(lines).toEqual([
    'review      NEEDS_REVISION -> revise  (1 of 3)',
    'revise      failed -> end.partial',
  ])
})
