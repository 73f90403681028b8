import { describe, expect, it } from 'vitest'
import { passedEnvironment } from './environment-allow-list.ts'

describe('the environment of agents and checks', () => {
  it('contains what programs need and no credentials', () => {
    const passed = passedEnvironment(
      {
        PATH: '/usr/bin',
        HOME: '/home/ada',
        LC_ALL: 'C',
        ANTHROPIC_API_KEY: 'secret',
        DATABASE_URL: 'secret',
        MUSTER_HOME: '/m',
      },
      { ownPackage: '/opt/muster/', ownTools: '/m/bin' },
    )
    expect(passed).toEqual({ PATH: '/m/bin:/usr/bin', HOME: '/home/ada', LC_ALL: 'C' })
  })

  it("excludes Muster's own tools", () => {
    const PATH =
      '/opt/muster/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:/usr/bin'
    expect(passedEnvironment({ PATH }, { ownPackage: '/opt/muster/' })).toEqual({ PATH: '/usr/bin' })
  })
})
