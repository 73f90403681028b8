import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_AT } from '../testing/sample-wire.ts'
import { Refused } from '../testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

const scripted = { name: 'script', provider: 'scripted', roles: ['worker'], environmentNames: [] }
const providers = ['scripted', 'model', 'claude-code'].map((id) => ({
  ...{ id, resumes: false, asks: false, hasTerminal: false },
  availability: { type: 'available', version: 'v24.1.0' },
}))

async function doctor(agents: unknown, containment = 'bubblewrap') {
  const daemon = { pid: 1, version: '1', startedAt: SAMPLE_AT, uptimeMs: 1, home: '/m', containment }
  const answers: Readonly<Record<string, unknown>> = {
    '/api/status': { daemon, jobs: [], sessions: [], waiting: [] },
    '/api/providers': { items: providers },
    '/api/agents': agents,
  }
  const { out } = await trial.run({ answers: (_, path) => answers[path] }, ['doctor'])
  return out.replaceAll(/\s+/g, ' ')
}

const listed = (sandboxLevel: string, agents: readonly unknown[] = []) => ({
  ...{ agents, roles: {}, checks: [], sandboxLevel },
})

describe('the sandbox that muster doctor reports', () => {
  it('is the strongest that works, if the configuration leaves it open', async () => {
    expect(await doctor(listed('auto'))).toContain('ok sandbox bubblewrap: agents see and change only')
    expect(await doctor(listed('auto'), 'pid-namespace')).toContain('warn sandbox PID namespaces')
  })

  it.each(['pid-namespace', 'process-group', 'none'])('is %s if the configuration sets it', async (level) => {
    const out = await doctor(listed(level))
    expect(out).toContain(
      `warn sandbox your configuration sets ${level}: agents can read and change all your files`,
    )
    expect(out).toContain('try: remove `sandbox.level`')
    expect(out).not.toContain('ok sandbox')
  })

  it('fails if the configuration requires one that does not work', async () => {
    expect(await doctor(listed('bubblewrap'), 'process-group')).toContain(
      'fail sandbox your configuration requires',
    )
  })

  it('is unknown if the configuration is broken', async () => {
    const error = { type: 'configuration-invalid', message: 'muster.yaml: mode: is odd', next: 'Fix it.' }
    const out = await doctor(new Refused(422, { success: false, error }))
    expect(out).toContain(
      "warn sandbox unknown, because the configuration can't be read: muster.yaml: mode: is odd",
    )
  })
})

it('muster doctor lists the built-in providers only if an agent uses them', async () => {
  const without = await doctor(listed('auto'))
  expect(without).toContain('ok agent claude v24.1.0')
  expect(without).not.toMatch(/agent (?:scripted|model)/)
  const used = await doctor(listed('auto', [scripted]))
  expect(used).toContain('ok agent scripted v24.1.0')
  expect(used).not.toContain('agent model')
})
