import { describe, expect, it } from 'vitest'
import { chooseHolding } from './choose-holding.ts'
import type { Holding } from './holding.ts'

const GROUP: Holding = { containment: 'process-group' }
const NAMESPACE: Holding = { containment: 'pid-namespace', command: ['unshare'], hasOwnUsers: false }
const SANDBOX: Holding = {
  containment: 'bubblewrap',
  command: ['bwrap'],
  canDenyNetwork: true,
  hasOwnUsers: false,
}
const EVERYTHING = { working: [SANDBOX, NAMESPACE, GROUP], problems: {} }
const LITTLE = { working: [GROUP], problems: { bubblewrap: 'apt install bubblewrap' } }

describe('chooseHolding', () => {
  it.each([
    ['auto', 'bubblewrap'],
    ['bubblewrap', 'bubblewrap'],
    ['pid-namespace', 'pid-namespace'],
    ['process-group', 'process-group'],
    ['none', 'pid-namespace'],
  ] as const)('where everything works, holds a session that asks for %s by %s', (level, containment) => {
    const chosen = chooseHolding(EVERYTHING, { level, network: 'allow' })
    expect(chosen).toMatchObject({ ok: true, value: { containment } })
  })

  it.each(['auto', 'none', 'process-group'] as const)('falls back for %s to what works', (level) => {
    expect(chooseHolding(LITTLE, { level, network: 'allow' })).toEqual({ ok: true, value: GROUP })
  })

  it('says why a level that was asked for does not work', () => {
    const failed = (level: 'bubblewrap' | 'pid-namespace') =>
      chooseHolding(LITTLE, { level, network: 'allow' })
    expect(failed('bubblewrap')).toEqual({
      ok: false,
      failure: { type: 'sandbox-unavailable', level: 'bubblewrap', problem: 'apt install bubblewrap' },
    })
    expect(failed('pid-namespace')).toMatchObject({ failure: { type: 'sandbox-unavailable' } })
  })

  it('denies the network or starts nothing', () => {
    const offline = { level: 'auto', network: 'deny' } as const
    expect(chooseHolding(EVERYTHING, offline)).toEqual({ ok: true, value: SANDBOX })
    expect(chooseHolding(LITTLE, offline)).toMatchObject({
      failure: { type: 'sandbox-unavailable', problem: expect.stringContaining('apt install bubblewrap') },
    })
    const unable = { working: [{ ...SANDBOX, canDenyNetwork: false }, GROUP], problems: {} }
    expect(chooseHolding(unable, offline)).toMatchObject({ failure: { type: 'sandbox-unavailable' } })
    expect(chooseHolding(EVERYTHING, { level: 'none', network: 'deny' }).ok).toBe(false)
  })
})
