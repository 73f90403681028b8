import { describe, expect, it } from 'vitest'
import { chooseContainment } from './choose-containment.ts'
import type { ContainmentMethod } from './containment-method.ts'

const GROUP: ContainmentMethod = { containment: 'process-group' }
const NAMESPACE: ContainmentMethod = {
  containment: 'pid-namespace',
  command: ['unshare'],
  hasOwnUsers: false,
}
const SANDBOX: ContainmentMethod = {
  containment: 'bubblewrap',
  command: ['bwrap'],
  canDenyNetwork: true,
  hasOwnUsers: false,
}
const EVERYTHING = { working: [SANDBOX, NAMESPACE, GROUP], problems: {} }
const LITTLE = { working: [GROUP], problems: { bubblewrap: 'apt install bubblewrap' } }

describe('chooseContainment', () => {
  it.each([
    ['auto', 'bubblewrap'],
    ['bubblewrap', 'bubblewrap'],
    ['pid-namespace', 'pid-namespace'],
    ['process-group', 'process-group'],
    ['none', 'pid-namespace'],
  ] as const)('turns %s into %s if everything works', (level, containment) => {
    const chosen = chooseContainment(EVERYTHING, { level, network: 'allow' })
    expect(chosen).toMatchObject({ ok: true, value: { containment } })
  })

  it.each(['auto', 'none', 'process-group'] as const)('falls back to a method that works for %s', (level) => {
    expect(chooseContainment(LITTLE, { level, network: 'allow' })).toEqual({ ok: true, value: GROUP })
  })

  it('reports why a requested level does not work', () => {
    const failed = (level: 'bubblewrap' | 'pid-namespace') =>
      chooseContainment(LITTLE, { level, network: 'allow' })
    expect(failed('bubblewrap')).toEqual({
      ok: false,
      failure: { type: 'sandbox-unavailable', level: 'bubblewrap', problem: 'apt install bubblewrap' },
    })
    expect(failed('pid-namespace')).toMatchObject({ failure: { type: 'sandbox-unavailable' } })
  })

  it('fails if it cannot deny the network', () => {
    const offline = { level: 'auto', network: 'deny' } as const
    expect(chooseContainment(EVERYTHING, offline)).toEqual({ ok: true, value: SANDBOX })
    expect(chooseContainment(LITTLE, offline)).toMatchObject({
      failure: { type: 'sandbox-unavailable', problem: expect.stringContaining('apt install bubblewrap') },
    })
    const unable = { working: [{ ...SANDBOX, canDenyNetwork: false }, GROUP], problems: {} }
    expect(chooseContainment(unable, offline)).toMatchObject({ failure: { type: 'sandbox-unavailable' } })
    expect(chooseContainment(EVERYTHING, { level: 'none', network: 'deny' }).ok).toBe(false)
  })
})
