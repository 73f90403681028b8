import { describe, expect, it } from 'vitest'
import { NOW, sampleId, sampleLanding } from '../../../test/support/server/sample-records.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { landingToWire } from './landing-to-wire.ts'

const candidate: Candidate = {
  id: sampleId('candidate'),
  jobId: sampleId('job'),
  branch: 'muster/work',
  purpose: { type: 'landings', landingIds: [sampleLanding.id] },
  onto: 'a'.repeat(40),
  commit: 'b'.repeat(40),
  tree: 'c'.repeat(40),
  state: { type: 'asking', approvalId: sampleId('approval') },
  checks: [],
  version: 1,
  createdAt: NOW,
}

describe('a landing', () => {
  it('names the approval it waits for, as long as it waits', () => {
    expect(landingToWire({ landing: sampleLanding, candidate })).toMatchObject({
      candidateId: candidate.id,
      approvalId: sampleId('approval'),
    })
  })

  it('waits for its turn once its checks have passed, and no longer when it has landed', () => {
    const candidateId = candidate.id
    const checking = { ...sampleLanding, state: { type: 'checking', candidateId } } as const
    const passed: Candidate = { ...candidate, state: { type: 'passed' } }
    expect(landingToWire({ landing: checking, candidate: passed })).toMatchObject({ waitsFor: 'turn' })
    expect(landingToWire({ landing: checking, candidate })).toMatchObject({ waitsFor: 'person' })
    expect(landingToWire({ landing: sampleLanding, candidate: passed })).not.toHaveProperty('waitsFor')
  })

  it('names no approval once it was given', () => {
    const passed: Candidate = { ...candidate, state: { type: 'passed' } }
    expect(landingToWire({ landing: sampleLanding, candidate: passed })).not.toHaveProperty('approvalId')
  })
})
