import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_AT } from '../testing/sample-wire.ts'
import { Refused } from '../testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

const providers = ['scripted', 'model', 'command', 'claude-code'].map((id) => ({
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

  it('fails if no session could start in it', async () => {
    const out = await doctor({ ...listed('auto'), sandboxProblem: '/bin contains 1600 files to hide' })
    expect(out).toContain('fail sandbox no session can start: /bin contains 1600 files to hide')
    expect(out).not.toContain('ok sandbox')
  })

  it('is unknown if the configuration is broken', async () => {
    const message = '/home/me/.config/muster/config.yaml:3: mode: is odd'
    const error = { type: 'configuration-invalid', message, next: 'Fix it.' }
    const out = await doctor(new Refused(422, { success: false, error }))
    expect(out).toContain(`fail configuration ${message} no job can start until this is fixed try: Fix it.`)
    expect(out).toContain("warn sandbox unknown, because the configuration can't be read")
  })
})

describe('the agents that muster doctor reports', () => {
  const agent = (name: string, provider: string, more: object = {}) => ({
    ...{ name, provider, roles: ['worker'], environmentNames: [], usability: { type: 'usable' } },
    ...more,
  })

  it('are the supported programs, without the providers that are not one program', async () => {
    const out = await doctor(listed('auto'))
    expect(out).toContain('ok agent claude v24.1.0')
    expect(out).not.toMatch(/agent (?:scripted|model|command)/)
  })

  it('include every configured agent, and whether it can work', async () => {
    const missing = { type: 'unusable', reason: 'my-agent is not installed', remedy: 'install my-agent' }
    const out = await doctor(
      listed('auto', [
        agent('mine', 'command', { command: ['node', 'agent.mjs'] }),
        agent('other', 'command', { command: ['my-agent'], usability: missing }),
        agent('unknown', 'cloude'),
        agent('untrusted', 'scripted', { usability: undefined }),
      ]),
    )
    expect(out).toContain('ok agent mine provider command, program node')
    expect(out).toContain('warn agent other my-agent is not installed try: install my-agent')
    expect(out).toContain('warn agent unknown there is no provider named cloude')
    expect(out).toContain('agent untrusted provider scripted; not checked, because you have not trusted')
  })

  it('name a program once, whichever agent has its name', async () => {
    const logIn = { type: 'unusable', reason: 'Claude Code is not logged in', remedy: 'Run claude' }
    const usual = await doctor(listed('auto', [agent('claude', 'claude-code', { usability: logIn })]))
    expect(usual).toContain('warn agent claude v24.1.0: Claude Code is not logged in')
    const own = await doctor(listed('auto', [agent('claude', 'claude-code', { command: ['/opt/claude'] })]))
    expect(own).toContain('ok agent claude provider claude-code, program /opt/claude')
    for (const out of [usual, own]) expect(out.match(/agent claude/g)).toHaveLength(1)
  })
})
