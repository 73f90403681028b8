import { describe, expect, it } from 'vitest'
import type { BaselineId } from '../id.ts'
import { type BaseState, countedCycles } from './base-state.ts'
import { type BaseEvent, nextBaseState } from './next-base-state.ts'

const at = new Date('2026-01-02T03:04:05.000Z')
const checked = { baselineId: 'bas_1' as BaselineId, fixCycles: 0 }
const check = (fields: { baselineId?: BaselineId; isKnown?: boolean } = {}) =>
  ({ type: 'base-check', baselineId: checked.baselineId, isKnown: false, ...fields }) as const

function apply(state: BaseState | undefined, event: BaseEvent): BaseState {
  const next = nextBaseState(state, event)
  if (!next.ok) throw new Error(`${event.type} from ${state?.type}`)
  return next.value
}

function play(events: readonly BaseEvent[]): BaseState {
  return events.reduce<BaseState>(apply, apply(undefined, check()))
}

describe('nextBaseState', () => {
  it('waits for the checks of a base, unless it is known to pass', () => {
    expect(nextBaseState(undefined, check())).toEqual({ ok: true, value: { type: 'checking', ...checked } })
    const known = nextBaseState(undefined, check({ isKnown: true }))
    expect(known).toEqual({ ok: true, value: { type: 'passed', ...checked } })
  })

  it('waits for another baseline if the checks of the first were stopped, but never checks a judged base', () => {
    const baselineId = 'bas_2' as BaselineId
    const state = { type: 'checking', ...checked, fixCycles: 1 } as const
    const again = nextBaseState(state, check({ baselineId }))
    expect(again).toEqual({ ok: true, value: { type: 'checking', baselineId, fixCycles: 1 } })
    for (const type of ['passed', 'unknown', 'tolerated', 'to-fix', 'fixing', 'fixed'] as const) {
      expect(nextBaseState({ type, ...checked }, check({ baselineId })).ok).toBe(false)
    }
  })

  it('checks a failed base again if a person wants that, and counts the same cycles', () => {
    const baselineId = 'bas_2' as BaselineId
    const asking = { type: 'asking', since: at.toISOString(), ...checked, fixCycles: 1 } as const
    const again = nextBaseState(asking, check({ baselineId }))
    expect(again).toEqual({ ok: true, value: { type: 'checking', baselineId, fixCycles: 1 } })
  })

  it('knows nothing about a base that is not checked', () => {
    expect(nextBaseState(undefined, { type: 'base-pass' })).toMatchObject({
      failure: { from: 'unchecked' },
    })
  })

  it.each([
    ['passes', [{ type: 'base-pass' }], 'passed'],
    ['could not be checked', [{ type: 'base-unknown' }], 'unknown'],
    ['fails, and a person must decide', [{ type: 'base-fail', at }], 'asking'],
    ['fails, and a setting decides', [{ type: 'base-fail', decision: 'continue', at }], 'tolerated'],
    ['fails, and is fixed first', [{ type: 'base-fail', decision: 'fix', at }], 'to-fix'],
  ] as const)('knows a base that %s', (_, events, type) => {
    expect(play(events).type).toBe(type)
  })

  it('asks again if a fix did not land, and counts no cycle that only fixed', () => {
    const start = [
      { type: 'base-fail', at },
      { type: 'base-decide', decision: 'fix' },
      { type: 'fix-start' },
    ] as const
    const failed = play([...start, { type: 'fix-end', hasLanded: false, at }])
    expect(failed).toMatchObject({ type: 'asking', fixCycles: 1 })
    expect(play([...start, { type: 'fix-end', hasLanded: true, at }])).toMatchObject({ type: 'fixed' })
    expect(countedCycles({ base: failed }, 3)).toBe(2)
    expect(countedCycles({}, 3)).toBe(3)
  })

  it('refuses a decision that was not asked for', () => {
    const state = { type: 'passed', ...checked } as const
    expect(nextBaseState(state, { type: 'base-decide', decision: 'continue' }).ok).toBe(false)
  })
})
