import { describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Stage } from '../playbook/stage.ts'
import { denyingGate } from './denied-work.ts'
import { historyOf } from './run-history.ts'
import type { Visit, VisitWork } from './visit.ts'

const GATE: Stage = { type: 'gate', ask: 'Land this?', shows: [], hours: 1, on: {} }
const PLAYBOOK = { stages: { ask: GATE, again: GATE } }

const workOf = (tree: string): VisitWork => ({
  files: ['work.txt'],
  commits: [],
  changes: { files: 1, added: 1, removed: 0, unusual: [] },
  omissions: [],
  tree,
})

const made = (ordinal: number, commit: string, tree = `tree of ${commit}`): Visit =>
  exampleVisit({ ordinal, stage: 'build', commit, work: workOf(tree), state: settled('done') })

const gate = (ordinal: number, outcome: Outcome, commit?: string, stage = 'ask'): Visit =>
  exampleVisit({ ordinal, stage, state: settled(outcome), ...(commit === undefined ? {} : { commit }) })

const settled = (outcome: Outcome) => ({ type: 'settled', outcome }) as const

const denying = (visits: readonly Visit[], commit: string) =>
  denyingGate({ own: historyOf({ ...PLAYBOOK, visits, within: new Map() }) }, commit)

describe('work that a person denied', () => {
  it('must not land, even if the playbook leads on', () => {
    const visits = [made(1, 'a'), gate(2, 'denied', 'a')]
    expect(denying(visits, 'a')).toBe(visits[1])
    expect(denying([made(1, 'a'), gate(2, 'expired', 'a')], 'a')).toBeDefined()
  })

  it('includes each of several that competed when the person was asked', () => {
    const visits = [made(1, 'a'), made(1, 'b'), gate(2, 'denied')]
    expect(denying(visits, 'b')).toBe(visits[2])
  })

  it('stays denied if somebody makes the same files again', () => {
    const visits = [made(1, 'a', 'same'), gate(2, 'denied', 'a'), made(3, 'b', 'same')]
    expect(denying(visits, 'b')).toBe(visits[1])
  })

  it('includes what was made before the work that was shown', () => {
    const visits = [made(1, 'a'), made(2, 'b'), gate(3, 'denied', 'b')]
    expect(denying(visits, 'a')).toBe(visits[2])
  })

  it('does not include what was made afterwards', () => {
    expect(denying([made(1, 'a'), gate(2, 'denied', 'a'), made(3, 'b')], 'b')).toBeUndefined()
  })

  it('may land if somebody allows that very work later', () => {
    const denied = [made(1, 'a'), made(1, 'b'), gate(2, 'denied')]
    expect(denying([...denied, gate(3, 'allowed', 'a', 'again')], 'a')).toBeUndefined()
    expect(denying([...denied, gate(3, 'allowed', 'a', 'again')], 'b')).toBe(denied[2])
    expect(denying([...denied, gate(3, 'skipped', 'a', 'again')], 'a')).toBe(denied[2])
  })

  it('must not land through the run that waited for the run with the gate', () => {
    const waiting = exampleVisit({ ordinal: 2, stage: 'sub', state: settled('complete') })
    const denyingIn = (inside: readonly Visit[], later: readonly Visit[] = []) => {
      const within = new Map([[waiting.id, { ...PLAYBOOK, visits: inside, within: new Map() }]])
      const visits = [made(1, 'a'), waiting, ...later]
      return denyingGate({ own: historyOf({ ...PLAYBOOK, visits, within }) }, 'a')
    }
    expect(denyingIn([gate(1, 'denied', 'a')])?.stage).toBe('ask')
    expect(denyingIn([made(1, 'b'), gate(2, 'denied', 'b')])?.stage).toBe('ask')
    expect(denyingIn([gate(1, 'denied', 'a')], [gate(3, 'allowed', 'a', 'again')])).toBeUndefined()
    expect(denyingIn([gate(1, 'allowed', 'a')])).toBeUndefined()
  })

  describe('in a run that was continued or tried again', () => {
    const placed = (visits: readonly Visit[]) => historyOf({ ...PLAYBOOK, visits, within: new Map() })
    const denyingAfter = (before: readonly Visit[], own: readonly Visit[], commit: string) =>
      denyingGate({ own: placed(own), earlier: { own: placed(before) } }, commit)

    it('must not land, even if the part that denied it is done anew', () => {
      const origin = [made(1, 'a'), gate(2, 'denied', 'a')]
      expect(denyingAfter(origin, [made(1, 'a')], 'a')).toBe(origin[1])
      expect(denyingAfter(origin, [made(1, 'b', 'tree of a')], 'b')).toBe(origin[1])
      expect(denyingAfter(origin, [made(1, 'a'), gate(2, 'allowed', 'a', 'again')], 'a')).toBeUndefined()
      // A gate before any work allows none.
      expect(denyingAfter(origin, [gate(1, 'allowed'), made(2, 'b', 'tree of a')], 'b')).toBe(origin[1])
    })

    it('is only what was made before the refusal there', () => {
      const origin = [gate(1, 'denied'), made(2, 'a')]
      expect(denyingAfter(origin, [gate(1, 'denied'), made(2, 'b', 'tree of a')], 'b')).toBeUndefined()
      const mended = [made(1, 'a'), gate(2, 'denied', 'a'), made(3, 'b')]
      const again = [made(1, 'a'), gate(2, 'denied', 'a'), made(3, 'c', 'tree of b')]
      expect(denyingAfter(mended, again, 'c')).toBeUndefined()
    })

    it('may land if the run took the approval of exactly that work', () => {
      const taken = [made(1, 'a'), gate(2, 'allowed', 'a')]
      const origin = [...taken, made(3, 'b'), gate(4, 'denied', 'b', 'again')]
      expect(denyingAfter(origin, taken, 'a')).toBeUndefined()
    })
  })
})
