import { describe, expect, it } from 'vitest'
import { memberFor, type VisitPlace } from './member-for.ts'

const CAST = {
  candidate: ['claude', 'codex', 'gemini'].map((agent) => ({ agent, admittedAs: 'worker' })),
}
const pick = (place: Partial<VisitPlace> = {}) =>
  memberFor(CAST, 'candidate', { branch: 0, isSpread: false, ...place })?.agent

describe('who takes a visit', () => {
  it('is the first choice', () => {
    expect(pick()).toBe('claude')
    expect(pick({ branch: 2 })).toBe('claude')
    expect(pick({ isSpread: true })).toBe('claude')
  })

  it('changes from branch to branch of a role that is spread', () => {
    const branches = [1, 2, 3, 4, 5].map((branch) => pick({ branch, isSpread: true }))
    expect(branches).toEqual(['claude', 'codex', 'gemini', 'claude', 'codex'])
  })

  it('is the next choice after the agent was replaced, and nobody once all were', () => {
    expect(pick({ replaced: ['claude'] })).toBe('codex')
    expect(pick({ branch: 3, isSpread: true, replaced: ['gemini'] })).toBe('claude')
    expect(pick({ replaced: ['claude', 'codex', 'gemini'] })).toBeUndefined()
  })

  it('is the first that is free, and the first choice if none is', () => {
    expect(pick({ busy: ['claude'] })).toBe('codex')
    expect(pick({ busy: ['claude', 'codex', 'gemini'] })).toBe('claude')
    expect(pick({ replaced: ['claude'], busy: ['codex', 'gemini'] })).toBe('codex')
  })

  it('is not the maker of the work that is judged, after another judge was replaced', () => {
    const makers = ['claude', 'codex']
    expect(pick({ makers, replaced: ['claude'] })).toBe('gemini')
    expect(pick({ makers, replaced: ['gemini'] })).toBeUndefined()
  })

  it('is somebody else than the maker from the start, unless the cast has it otherwise or nobody else is left', () => {
    const cast = { ...CAST, writer: [{ agent: 'codex', admittedAs: 'worker' }], judge: CAST.candidate }
    const judge = (makers: readonly string[], unlike?: string) =>
      memberFor(cast, 'judge', { branch: 0, isSpread: false, makers, unlike })?.agent
    expect(judge(['claude'], 'writer')).toBe('codex')
    expect(judge(['claude'], 'candidate')).toBe('claude')
    expect(judge(['claude'])).toBe('claude')
    expect(judge(['claude', 'codex', 'gemini'], 'writer')).toBe('claude')
  })

  it('is nobody for a role that has no cast', () => {
    expect(memberFor(CAST, 'judge', { branch: 0, isSpread: false })).toBeUndefined()
    expect(memberFor(CAST, 'toString', { branch: 0, isSpread: false })).toBeUndefined()
  })
})
